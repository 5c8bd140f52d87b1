"""Draw any of the 81 cards in any style, and cards that are none of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from setvision.cards import Card
from setvision.render.other_cards import draw_other_card
from setvision.render.shapes import (
    Mask,
    card_size,
    outline_of,
    paper_mask,
    paste,
    print_ink,
    symbol_mask,
)
from setvision.render.style import OFFICIAL, DeckStyle, random_style

__all__ = ["OFFICIAL", "DeckStyle", "draw_card", "draw_other_card", "random_style"]


def draw_card(card: Card, width: int, style: DeckStyle = OFFICIAL) -> NDArray[np.uint8]:
    """Draw a card lying on its long side, its symbols standing side by side.

    Args:
        card: which one.
        width: long side in pixels.
        style: the deck it is from.

    Returns:
        uint8 (H, width, 4), BGRA; alpha is 0 outside the rounded corners.
    """
    wide, high = card_size(width)
    picture = np.empty((high, wide, 4), np.uint8)
    picture[..., :3] = style.paper
    picture[..., 3] = paper_mask(width, style.corner_radius)
    print_ink(picture[..., :3], _symbols(card, width, style), style.ink(card.color))
    if style.border:
        print_ink(picture[..., :3], _frame(width, style.border), (120, 120, 120))
    return picture


def _symbols(card: Card, width: int, style: DeckStyle) -> Mask:
    scale = 3 if width <= 320 else 2
    wide, high = (side * scale for side in card_size(width))
    symbol = symbol_mask(
        card.shading, outline_of(card.shape, style), style, round(style.symbol_height * high)
    )
    mask = np.zeros((high, wide), np.uint8)
    for place in range(card.number + 1):
        offset = (place - card.number / 2) * style.symbol_pitch
        paste(mask, symbol, wide * (0.5 + offset), high / 2)
    return mask


def _frame(width: int, line: float) -> Mask:
    wide, high = card_size(width)
    outer, inner = round(0.05 * high), round(0.05 * high + max(1.0, line * high))
    mask = np.zeros((high, wide), np.uint8)
    mask[outer : high - outer, outer : wide - outer] = 255
    mask[inner : high - inner, inner : wide - inner] = 0
    return mask
