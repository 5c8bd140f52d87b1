"""Cards and papers that are not from the game: what the reader must not take for a card."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision.cards import Color, Shading, Shape
from setvision.render.shapes import (
    Mask,
    card_size,
    fill_polygon,
    outline_of,
    paper_mask,
    paste,
    print_ink,
    symbol_mask,
)
from setvision.render.style import Bgr, random_style

BLACK: Bgr = (36, 32, 32)
RED: Bgr = (44, 36, 200)
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

_ENDS = ((0.22, 0.3), (0.22, 0.7), (0.78, 0.3), (0.78, 0.7))
_THIRDS = (*_ENDS, (0.5, 0.3), (0.5, 0.7))
_QUARTERS = (*_ENDS, (0.407, 0.3), (0.407, 0.7), (0.593, 0.3), (0.593, 0.7))
PIP_PLACES: tuple[tuple[tuple[float, float], ...], ...] = (
    ((0.5, 0.5),),
    ((0.22, 0.5), (0.78, 0.5)),
    ((0.2, 0.5), (0.5, 0.5), (0.8, 0.5)),
    _ENDS,
    (*_ENDS, (0.5, 0.5)),
    _THIRDS,
    (*_THIRDS, (0.36, 0.5)),
    (*_THIRDS, (0.36, 0.5), (0.64, 0.5)),
    (*_QUARTERS, (0.5, 0.5)),
    (*_QUARTERS, (0.314, 0.5), (0.686, 0.5)),
)
"""Where the pips of ace to ten lie, as shares of the lying card's long and short side."""


def draw_other_card(rng: np.random.Generator, width: int) -> NDArray[np.uint8]:
    """Draw something card-sized that is not one of the 81 cards.

    Returns:
        uint8 (H, width, 4), BGRA, on its long side; alpha is 0 outside the rounded corners.
    """
    wide, high = card_size(width)
    white = int(rng.uniform(225, 252))
    picture = np.empty((high, wide, 4), np.uint8)
    picture[..., :3] = (white - int(rng.uniform(0, 12)), white, white)
    picture[..., 3] = paper_mask(width, round(float(rng.uniform(0.02, 0.1)), 2))
    draw = _KINDS[rng.choice(len(_KINDS), p=_SHARES)]
    draw(rng, picture[..., :3])
    return picture


def draw_playing_card(rng: np.random.Generator, picture: NDArray[np.uint8]) -> None:
    """Print pips and corner indices of an ordinary deck on a BGR card, uint8 (H, W, 3)."""
    high, wide = picture.shape[:2]
    suit = ("heart", "diamond", "spade", "club")[rng.integers(4)]
    ink = RED if suit in ("heart", "diamond") else BLACK
    rank = int(rng.integers(len(RANKS))) + 1
    mask = np.zeros((high * 2, wide * 2), np.uint8)
    if rank > 10:
        _court(rng, picture, mask, suit)
    else:
        size = high * (rng.uniform(0.4, 0.75) if rank == 1 else 0.3 if rank < 7 else 0.22)
        for x, y in PIP_PLACES[rank - 1]:
            paste(mask, _turned(_pip(suit, size), x >= 0.5), 2 * x * wide, 2 * y * high)
    _corner_indices(mask, RANKS[rank - 1], suit)
    print_ink(picture, mask, ink)


def _court(rng: np.random.Generator, picture: NDArray[np.uint8], mask: Mask, suit: str) -> None:
    """A court card's figure, hinted at by patches of color inside a frame."""
    high, wide = picture.shape[:2]
    left, top, right, bottom = (
        round(v) for v in (0.14 * wide, 0.14 * high, 0.86 * wide, 0.86 * high)
    )
    for _ in range(14):
        corners = rng.uniform((left, top), ((left + right) / 2, bottom), (4, 2)).astype(np.float32)
        ink: Bgr = ((40, 190, 230), (160, 70, 30), RED, BLACK)[rng.integers(4)]
        patch = np.zeros((high, wide), np.uint8)
        fill_polygon(patch, np.asarray(cv2.convexHull(corners)[:, 0], np.float32), 255)
        print_ink(picture, np.maximum(patch, patch[::-1, ::-1]), ink)
    cv2.rectangle(mask, (2 * left, 2 * top), (2 * right, 2 * bottom), (255,), max(1, high // 60))
    for x, y in ((0.22, 0.28), (0.78, 0.72)):
        paste(mask, _turned(_pip(suit, high * 0.24), x >= 0.5), 2 * x * wide, 2 * y * high)


def _corner_indices(mask: Mask, rank: str, suit: str) -> None:
    high, wide = mask.shape
    # Drawn upright; the top of the lying card is on its right.
    part = np.zeros((round(0.3 * high), round(0.15 * high)), np.uint8)
    scale = part.shape[1] / (24.0 * len(rank) if len(rank) > 1 else 26.0)
    base = (max(0, round(part.shape[1] / 2 - 10 * scale * len(rank))), round(0.14 * high))
    thickness = max(1, round(2 * scale))
    cv2.putText(part, rank, base, cv2.FONT_HERSHEY_SIMPLEX, scale, (255,), thickness, cv2.LINE_AA)
    pip = np.asarray(cv2.rotate(_pip(suit, high * 0.06), cv2.ROTATE_90_CLOCKWISE), np.uint8)
    paste(part, pip, part.shape[1] / 2, 0.22 * high)
    lying = cv2.rotate(part, cv2.ROTATE_90_CLOCKWISE)
    paste(mask, np.asarray(lying, np.uint8), wide - 0.19 * high, 0.11 * high)
    turned = cv2.rotate(lying, cv2.ROTATE_180)
    paste(mask, np.asarray(turned, np.uint8), 0.19 * high, high - 0.11 * high)


def _pip(kind: str, size: float) -> Mask:
    """A mark lying with its top to the left, drawn at twice `size` pixels."""
    side = max(4, round(2 * size))
    mask = np.zeros((side, side), np.uint8)
    for points in _pip_outlines(kind):
        fill_polygon(mask, (points + 0.5) * np.array(side - 1, np.float32), 255)
    return mask


def _pip_outlines(kind: str) -> list[NDArray[np.float32]]:
    """The polygons of a mark, float32 (N, 2), in a unit square about its center."""
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle)], 1).astype(np.float32)
    stem = _points([[0.44, -0.18], [0.44, 0.18], [-0.1, 0.03], [-0.1, -0.03]])
    heart = np.stack(
        [
            -0.03 * (13 * np.cos(angle) - 5 * np.cos(2 * angle) - 2 * np.cos(3 * angle)),
            0.029 * 16 * np.sin(angle) ** 3,
        ],
        1,
    ).astype(np.float32)
    if kind == "heart":
        return [heart]
    if kind == "diamond":
        return [_points([[-0.48, 0], [0, 0.36], [0.48, 0], [0, -0.36]])]
    if kind == "spade":
        return [-heart * _points([0.85, 0.9]) - _points([0.06, 0]), stem]
    if kind == "club":
        leaves = ([-0.24, 0.0], [0.1, 0.24], [0.1, -0.24])
        return [stem, *(circle * _points([0.22]) + _points(leaf) for leaf in leaves)]
    if kind == "star":
        radius = np.where(np.arange(10) % 2, 0.2, 0.5)[:, None]
        return [(circle[::4] * radius).astype(np.float32)]
    if kind == "triangle":
        return [_points([[-0.45, 0], [0.42, 0.5], [0.42, -0.5]])]
    return [circle * 0.48]


def _points(values: Sequence[float] | Sequence[Sequence[float]]) -> NDArray[np.float32]:
    return np.array(values, np.float32)


def _turned(mask: Mask, turn: bool) -> Mask:
    return mask[::-1, ::-1] if turn else mask


def _blank(_rng: np.random.Generator, _picture: NDArray[np.uint8]) -> None:
    """Leave the paper as it is."""


def _back(rng: np.random.Generator, picture: NDArray[np.uint8]) -> None:
    """A card lying face down: a field of one color with a fine pattern, often with a white rim."""
    high, wide = picture.shape[:2]
    rim = round(high * float(rng.choice([0.0, 0.05, 0.08])))
    ink: Bgr = (int(rng.integers(20, 190)), int(rng.integers(20, 120)), int(rng.integers(20, 200)))
    pitch, turn = rng.uniform(0.05, 0.14) * high, rng.choice([0.0, np.pi / 4])
    y, x = np.ogrid[:high, :wide]
    first = np.sin((x * np.cos(turn) + y * np.sin(turn)) * 2 * np.pi / pitch)
    second = np.sin((y * np.cos(turn) - x * np.sin(turn)) * 2 * np.pi / pitch)
    waves = first * second if rng.random() < 0.6 else np.maximum(first, second)
    mask = np.asarray(np.clip(160 + 260 * waves, 60, 255), np.uint8)
    if rim:
        mask[:rim], mask[-rim:], mask[:, :rim], mask[:, -rim:] = 0, 0, 0, 0
    if rng.random() < 0.5:
        paste(mask, np.full((high // 2, high // 2), 255, np.uint8), wide / 2, high / 2)
    print_ink(picture, mask, ink)


def _lines_of_text(rng: np.random.Generator, picture: NDArray[np.uint8]) -> None:
    """A business card or a receipt."""
    high, wide = picture.shape[:2]
    mask = np.zeros((high * 2, wide * 2), np.uint8)
    line = rng.uniform(0.09, 0.16) * high
    left = rng.uniform(0.06, 0.2) * wide
    for top in np.arange(rng.uniform(0.12, 0.4) * high, 0.85 * high, line):
        length = int(rng.integers(6, 28))
        letters = rng.choice(list("abcdefghijklmnopqrstuvwxyzRSTE0123456789   "), length)
        place = (round(2 * left), round(2 * (top + line * 0.6)))
        size, thick = line * 0.04, max(1, round(line * 0.08))
        text = "".join(letters)
        cv2.putText(mask, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, (255,), thick, cv2.LINE_AA)
    print_ink(picture, mask, BLACK)
    if rng.random() < 0.5:
        logo = np.zeros((high * 2, wide * 2), np.uint8)
        paste(logo, _pip("circle", high * 0.24), 1.75 * wide, 0.4 * high)
        print_ink(picture, logo, (int(rng.integers(0, 220)), int(rng.integers(0, 220)), 60))


def _marks(rng: np.random.Generator, picture: NDArray[np.uint8]) -> None:
    """One to three stars, triangles, circles or hearts, where a card would have its symbols."""
    high, wide = picture.shape[:2]
    kind = ("star", "triangle", "circle", "heart")[rng.integers(4)]
    ink = random_style(rng).ink(Color(int(rng.integers(3))))
    count = int(rng.integers(1, 4))
    mask = np.zeros((high * 2, wide * 2), np.uint8)
    lying = _pip(kind, high * rng.uniform(0.28, 0.42))
    pip = np.asarray(cv2.rotate(lying, cv2.ROTATE_90_CLOCKWISE), np.uint8)
    if rng.random() < 0.4:
        pip = np.asarray(cv2.morphologyEx(pip, cv2.MORPH_GRADIENT, np.ones((5, 5))), np.uint8)
    for place in range(count):
        paste(mask, pip, wide * (1 + 0.56 * (place - (count - 1) / 2)), high)
    print_ink(picture, mask, ink)


def _too_many_or_mixed(rng: np.random.Generator, picture: NDArray[np.uint8]) -> None:
    """The game's own symbols in a number or a mixture that no card has."""
    high, wide = picture.shape[:2]
    style = random_style(rng)
    mixed = rng.random() < 0.6
    count = int(rng.integers(2, 4)) if mixed else int(rng.integers(4, 6))
    pitch = min(0.275, 0.9 / count)
    tall = round(2 * high * min(style.symbol_height, 1.9 * pitch * 1.55))
    start = int(rng.integers(9))
    for place in range(count):
        look = (start + place * int(rng.choice([1, 3, 4]))) % 9 if mixed else start
        outline = outline_of(Shape(look % 3), style)
        symbol = symbol_mask(Shading(int(rng.integers(3))), outline, style, tall)
        mask = np.zeros((high * 2, wide * 2), np.uint8)
        paste(mask, symbol, 2 * wide * (0.5 + pitch * (place - (count - 1) / 2)), high)
        print_ink(picture, mask, style.ink(Color(look // 3)))


_KINDS: tuple[Callable[[np.random.Generator, NDArray[np.uint8]], None], ...] = (
    draw_playing_card,
    _blank,
    _back,
    _lines_of_text,
    _marks,
    _too_many_or_mixed,
)
_SHARES = (0.4, 0.1, 0.15, 0.12, 0.11, 0.12)
