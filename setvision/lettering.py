"""Text on pictures: plates with a few letters, and the strip that carries the answer."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision.outline import CASING, Bgr, rounded

WHITE: Bgr = (255, 255, 255)
BOLD = 700
CAPITAL_HEIGHT = 0.7
"""Height of capitals and digits of OpenCV's built-in font in units of its size."""


@cache
def _font() -> cv2.FontFace:
    return cv2.FontFace("sans")


def plate_width(text: str, height: float) -> float:
    """Width in pixels of the plate that holds the text; never narrower than it is high."""
    return max(height, _text_width(text, _plate_text_size(height)) + 0.5 * height)


def plate_center(
    image: NDArray[np.uint8], text: str, wanted: tuple[float, float], height: float
) -> tuple[float, float]:
    """Where a plate's center (x, y) comes to lie: one that would leave the picture moves inside."""
    rim = _rim(height)
    half_width, half_height = plate_width(text, height) / 2 + rim, height / 2 + rim
    x = min(max(wanted[0], half_width), max(image.shape[1] - half_width, half_width))
    y = min(max(wanted[1], half_height), max(image.shape[0] - half_height, half_height))
    return x, y


def draw_plate(
    image: NDArray[np.uint8],
    text: str,
    wanted: tuple[float, float],
    height: float,
    fill: Bgr,
    ink: Bgr,
) -> None:
    """Draw a filled plate with text in place.

    Args:
        image: uint8 (H, W, 3), BGR.
        wanted: pixels (x, y) of its center, if it fits there.
        height: pixels.
        fill, ink: colors of plate and text.
    """
    x, y = plate_center(image, text, wanted, height)
    rim, radius = _rim(height), 0.28 * height
    size = np.array([plate_width(text, height), height], np.float32)
    origin = np.array([x, y], np.float32) - size / np.float32(2)
    _fill(
        image, rounded(size + np.float32(2 * rim), radius + rim) + origin - np.float32(rim), CASING
    )
    _fill(image, rounded(size, radius) + origin, fill)
    text_size = _plate_text_size(height)
    left = x - _text_width(text, text_size) / 2
    put_text(image, text, left, y + CAPITAL_HEIGHT * text_size / 2, text_size, ink)


def ink_on(fill: Bgr) -> Bgr:
    """White or near black, whichever reads better on the color."""
    blue, green, red = fill
    return CASING if 0.114 * blue + 0.587 * green + 0.299 * red > 140 else WHITE


def strip(width: int, height: int, text: str, accent: Bgr) -> NDArray[np.uint8]:
    """A dark strip with one line of text that shrinks until it fits.

    Args:
        width, height: pixels.
        accent: color of the bar before the text.

    Returns:
        uint8 (height, width, 3), BGR.
    """
    image = np.empty((height, width, 3), np.uint8)
    image[:] = CASING
    bar = max(2, round(0.14 * height))
    image[:, :bar] = accent
    start = bar + 0.35 * height
    size = round(0.56 * height)
    needed = _text_width(text, size)
    room = width - start - 0.3 * height
    if needed > room:
        size = max(8, int(size * room / needed))
    put_text(image, text, start, height / 2 + CAPITAL_HEIGHT * size / 2, size, WHITE)
    return image


def put_text(
    image: NDArray[np.uint8], text: str, left: float, baseline: float, size: int, ink: Bgr
) -> None:
    """Draw one line of bold text in place; `size` in pixels."""
    wrap_never = (0, 1 << 20)
    origin = (round(left), round(baseline))
    cv2.putText(image, text, origin, ink, _font(), size, BOLD, cv2.PUT_TEXT_ALIGN_LEFT, wrap_never)


def _rim(height: float) -> int:
    return max(1, round(0.06 * height))


def _plate_text_size(height: float) -> int:
    return max(6, round(0.86 * height))


def _text_width(text: str, size: int) -> float:
    *_, width, _ = cv2.getTextSize((0, 0), text, (0, 0), _font(), size, BOLD)
    return float(width)


def _fill(image: NDArray[np.uint8], path: NDArray[np.float32], color: Bgr) -> None:
    cv2.fillPoly(image, [np.round(path * 16).astype(np.int32)], color, cv2.LINE_AA, 4)
