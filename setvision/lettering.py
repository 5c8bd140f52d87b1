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


def draw_plate(
    image: NDArray[np.uint8],
    text: str,
    center: tuple[float, float],
    height: float,
    fill: Bgr,
    ink: Bgr,
) -> None:
    """Draw a filled plate with text in place; one that would leave the picture is moved inside.

    Args:
        image: uint8 (H, W, 3), BGR.
        center: pixels (x, y).
        height: pixels.
        fill, ink: colors of plate and text.
    """
    rim = np.float32(max(1, round(0.06 * height)))
    size = np.array([plate_width(text, height), height], np.float32)
    space = np.array(image.shape[1::-1], np.float32)
    half = np.asarray(size / 2 + rim, np.float32)
    middle = np.clip(np.array(center, np.float32), half, np.maximum(space - half, half))
    radius = 0.28 * height
    _fill(image, rounded(size + 2 * rim, radius + float(rim)) + (middle - half), CASING)
    _fill(image, rounded(size, radius) + (middle - half + rim), fill)
    text_size = _plate_text_size(height)
    left = float(middle[0]) - _text_width(text, text_size) / 2
    baseline = float(middle[1]) + CAPITAL_HEIGHT * text_size / 2
    put_text(image, text, left, baseline, text_size, ink)


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


def _plate_text_size(height: float) -> int:
    return max(6, round(0.86 * height))


def _text_width(text: str, size: int) -> float:
    *_, width, _ = cv2.getTextSize((0, 0), text, (0, 0), _font(), size, BOLD)
    return float(width)


def _fill(image: NDArray[np.uint8], path: NDArray[np.float32], color: Bgr) -> None:
    cv2.fillPoly(image, [np.round(path * 16).astype(np.int32)], color, cv2.LINE_AA, 4)
