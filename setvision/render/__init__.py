"""Drawn cards and tables whose truth is known: for samples, tests and training."""
