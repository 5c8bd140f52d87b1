"""Table scenes with known truth: labelled photos bent at random, and cards laid on backgrounds."""

from __future__ import annotations

import numpy as np

from setvision.training.bend import bend_photo
from setvision.training.lay import lay_table
from setvision.training.stock import Scene, Stock

PHOTO_SHARE = 0.55
"""Share of scenes that are labelled photos; the others are laid tables."""


def draw_scene(
    stock: Stock, rng: np.random.Generator, size: int, card_sizes: tuple[float, float]
) -> Scene:
    """One square scene of `size` pixels, its cards' short sides about `card_sizes` pixels."""
    low, high = np.log(card_sizes)
    short_side = float(np.exp(rng.uniform(low, high)))
    lay = bend_photo if rng.random() < PHOTO_SHARE else lay_table
    return lay(stock, rng, size, short_side)
