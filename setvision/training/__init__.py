"""Data, networks and training of the two models; needs the extra ``train``."""
