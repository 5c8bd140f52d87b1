"""Outlines and fills as coverage masks, drawn large and averaged down where they are used."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision.cards import Shading, Shape
from setvision.render.style import Bgr, DeckStyle, Outline, Striping

Mask = NDArray[np.uint8]
"""uint8 (H, W): 0 where nothing is printed, 255 where all is ink."""

ASPECT = 1.55
"""Long side of a card over its short side."""

SHIFT = 4
"""Fractional bits of the coordinates given to OpenCV's drawing."""

# Half of the wave as four cubic Beziers between the places where it runs straight up or across;
# the other half is the same turned by 180 degrees. Units: heights of the symbol, y downwards.
_WAVE = (
    ((-0.238, -0.393), (-0.238, -0.455), (-0.175, -0.500), (-0.085, -0.500)),
    ((-0.085, -0.500), (0.090, -0.500), (0.206, -0.360), (0.206, -0.190)),
    ((0.206, -0.190), (0.206, -0.060), (0.140, 0.010), (0.140, 0.118)),
    ((0.140, 0.118), (0.140, 0.235), (0.238, 0.310), (0.238, 0.393)),
)


@lru_cache(maxsize=64)
def outline_points(outline: Outline, width: float) -> NDArray[np.float32]:
    """A closed outline, float32 (N, 2) as x and y about its center, in units of its height.

    Args:
        outline: which curve.
        width: its width in units of its height.
    """
    half = width / 2
    if outline is Outline.RHOMBUS:
        return np.array([[0, -0.5], [half, 0], [0, 0.5], [-half, 0]], np.float32)
    if outline is Outline.RECTANGLE:
        return np.array([[-half, -0.5], [half, -0.5], [half, 0.5], [-half, 0.5]], np.float32)
    if outline is Outline.WAVE:
        step = np.linspace(0, 1, 12, endpoint=False)[:, None]
        curves = [_bezier(np.array(curve), step) for curve in _WAVE]
        one_half = np.concatenate(curves) * [width / 0.476, 1]
        return np.concatenate([one_half, -one_half]).astype(np.float32)
    angle = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    x, y = np.cos(angle), np.sin(angle)
    if outline is Outline.ELLIPSE:
        return np.stack([x * half, y * 0.5], 1).astype(np.float32)
    return np.stack([x * half, y * half + np.sign(y) * (0.5 - half)], 1).astype(np.float32)


def outline_of(shape: Shape, style: DeckStyle) -> Outline:
    """The outline that a deck draws for a shape."""
    return (style.oval, style.diamond, Outline.WAVE)[shape]


def symbol_mask(shading: Shading, outline: Outline, style: DeckStyle, height: int) -> Mask:
    """One upright symbol, `height` pixels tall, with as much around it as its curve needs."""
    line = max(1, round(style.outline_width * height))
    width = round(style.symbol_width * height)
    mask = np.zeros((height + 2 * line, width + 2 * line), np.uint8)
    middle = np.array([mask.shape[1] - 1, mask.shape[0] - 1], np.float32) / 2
    # The pen runs inside, so that its outer edge has the size asked for.
    size = np.array([(width - line) / style.symbol_width, height - line], np.float32)
    points = np.asarray(outline_points(outline, style.symbol_width) * size + middle, np.float32)
    if shading is not Shading.OPEN:
        fill_polygon(mask, points, 255)
    if shading is Shading.STRIPED:
        mask = np.asarray(cv2.min(mask, _pattern(style, height, mask.shape[:2])), np.uint8)
    fixed = np.round(points * 2**SHIFT).astype(np.int32)
    cv2.polylines(mask, [fixed], True, (255,), line, cv2.LINE_AA, SHIFT)
    return mask


def fill_polygon(mask: Mask, points: NDArray[np.float32], value: int) -> None:
    """Fill a polygon, float32 (N, 2) pixels, anti-aliased, in place."""
    fixed = np.round(points * 2**SHIFT).astype(np.int32)
    cv2.fillPoly(mask, [fixed], (value,), cv2.LINE_AA, SHIFT)


def paste(mask: Mask, part: Mask, x: float, y: float) -> None:
    """Lay a part centered at x, y (pixels) over a mask, in place; what reaches out is cut off."""
    left, top = round(x - part.shape[1] / 2), round(y - part.shape[0] / 2)
    right, bottom = left + part.shape[1], top + part.shape[0]
    part = part[max(0, -top) :, max(0, -left) :]
    under = mask[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
    np.maximum(under, part[: under.shape[0], : under.shape[1]], out=under)


def card_size(width: int) -> tuple[int, int]:
    """Width and height in pixels of a card lying on its long side."""
    return width, round(width / ASPECT)


@lru_cache(maxsize=32)
def paper_mask(width: int, corner_radius: float) -> Mask:
    """The card's own outline with rounded corners, `width` pixels long; not to be written to."""
    scale = 4
    wide, high = (side * scale for side in card_size(width))
    radius = round(corner_radius * high)
    mask = np.zeros((high, wide), np.uint8)
    cv2.rectangle(mask, (radius, 0), (wide - 1 - radius, high - 1), (255,), -1)
    cv2.rectangle(mask, (0, radius), (wide - 1, high - 1 - radius), (255,), -1)
    for x in (radius, wide - 1 - radius):
        for y in (radius, high - 1 - radius):
            cv2.circle(mask, (x, y), radius, (255,), -1)
    small = np.asarray(cv2.resize(mask, card_size(width), interpolation=cv2.INTER_AREA), np.uint8)
    small.setflags(write=False)
    return small


def print_ink(picture: NDArray[np.uint8], mask: Mask, ink: Bgr) -> None:
    """Print one ink on a BGR picture, uint8 (H, W, 3), in place; a larger mask is averaged down."""
    if mask.shape != picture.shape[:2]:
        size = (picture.shape[1], picture.shape[0])
        mask = np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8)
    left, top, width, height = cv2.boundingRect(mask)
    under = picture[top : top + height, left : left + width]
    share = mask[top : top + height, left : left + width, None].astype(np.float32) / 255
    under[:] = np.round(under + (np.array(ink, np.float32) - under) * share)


def _bezier(control: NDArray[np.float64], step: NDArray[np.float64]) -> NDArray[np.float64]:
    back = 1 - step
    start, first, second, end = control
    curve = back**3 * start + 3 * back**2 * step * first + 3 * back * step**2 * second
    return np.asarray(curve + step**3 * end)


def _pattern(style: DeckStyle, height: int, size: tuple[int, int]) -> Mask:
    """The striped shading over a whole patch of `size` (rows, columns)."""
    if style.striping is Striping.TINT:
        return np.full(size, round(255 * style.stripe_width), np.uint8)
    angle = np.deg2rad(style.stripe_angle)
    y, x = np.ogrid[: size[0], : size[1]]
    pitch = max(2.0, style.stripe_pitch * height)
    across = _from_middle(y * np.cos(angle) + x * np.sin(angle), pitch)
    along = _from_middle(x * np.cos(angle) - y * np.sin(angle), pitch)
    if style.striping is Striping.DOTS:
        distance = np.hypot(across, along) - 0.9 * style.stripe_width * pitch
    elif style.striping is Striping.GRID:
        distance = np.minimum(across, along) - style.stripe_width * pitch / 4
    else:
        distance = across - style.stripe_width * pitch / 2
    return np.asarray(np.clip(128 - 255 * distance, 0, 255), np.uint8)


def _from_middle(position: NDArray[np.float64], pitch: float) -> NDArray[np.float64]:
    return np.asarray(np.abs((position / pitch) % 1 - 0.5) * pitch)
