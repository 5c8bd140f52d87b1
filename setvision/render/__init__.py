"""Drawn cards and tables whose truth is known: for samples, tests and training."""

from setvision.render.scene import Table, TableOptions, draw_table
from setvision.render.symbols import draw_card, draw_other_card, random_style

__all__ = [
    "Table",
    "TableOptions",
    "draw_card",
    "draw_other_card",
    "draw_table",
    "random_style",
]
