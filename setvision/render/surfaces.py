"""What the cards lie on: tabletops as textures."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

Gray = NDArray[np.float32]
"""float32 (H, W), about 0 to 1."""

Paint = NDArray[np.float32]
"""float32 (H, W, 3), BGR, 0 to 255."""


class Surface(StrEnum):
    """The kinds of tabletop."""

    DARK = "dark"
    WOOD = "wood"
    CLOTH = "cloth"
    CHECKS = "checks"
    FLORAL = "floral"
    TERRAZZO = "terrazzo"
    CARPET = "carpet"
    WHITE = "white"


def draw_surface(
    surface: Surface, rng: np.random.Generator, width: int, height: int, card: float
) -> NDArray[np.uint8]:
    """Draw a tabletop seen straight from above.

    Args:
        surface: which kind.
        rng: chooses color and pattern.
        width, height: size in pixels.
        card: the long side of a card in pixels; patterns keep a natural size beside it.

    Returns:
        uint8 (height, width, 3), BGR.
    """
    paint = _SURFACES[surface](rng, height, width, card)
    return np.asarray(np.clip(paint, 0, 255), np.uint8)


def clouds(rng: np.random.Generator, height: int, width: int, across: float, down: float) -> Gray:
    """Smooth noise, float32 (height, width), 0 to 1, with lumps of `across` by `down` pixels."""
    rows, columns = (
        max(2, round(side / lump) + 3) for side, lump in ((height, down), (width, across))
    )
    grid = rng.random((min(rows, height + 3), min(columns, width + 3)), np.float32)
    grown = cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(grown, 0, 1), np.float32)


def _mix(first: tuple[float, ...], second: tuple[float, ...], share: Gray) -> Paint:
    start, end = np.array(first, np.float32), np.array(second, np.float32)
    return np.asarray(start + (end - start) * share[..., None], np.float32)


def _grain(rng: np.random.Generator, height: int, width: int, strength: float) -> Paint:
    noise = rng.standard_normal((height, width), np.float32) * np.float32(strength)
    return np.asarray(noise[..., None])


def _dark(rng: np.random.Generator, height: int, width: int, card: float) -> Paint:
    tone = rng.uniform(22, 46)
    base = (tone * rng.uniform(0.9, 1.1), tone, tone * rng.uniform(0.9, 1.15))
    share = 0.6 * clouds(rng, height, width, card, card) + 0.4 * clouds(
        rng, height, width, card * 0.5, card * 0.01
    )
    lighter = tuple(value * 1.5 for value in base)
    return _mix(base, lighter, share) + _grain(rng, height, width, 2.5)


def _wood(rng: np.random.Generator, height: int, width: int, card: float) -> Paint:
    dark, light = (
        ((30, 52, 92), (52, 92, 150)),
        ((62, 104, 152), (108, 158, 206)),
        ((24, 34, 56), (44, 64, 98)),
    )[rng.integers(3)]
    plank = card * rng.uniform(1.0, 1.6)
    y = np.arange(height, dtype=np.float32)[:, None]
    row = ((y + rng.uniform(0, plank)) / plank).astype(np.int32)
    tone = rng.uniform(0.0, 0.35, int(row.max()) + 1).astype(np.float32)[row]
    bend = clouds(rng, height, width, card * 2.5, card * 0.5)
    rings = np.sin((y / card + 0.9 * bend + tone * 9) * 2 * np.pi * rng.uniform(5, 9))
    fibre = clouds(rng, height, width, card * 0.8, card * 0.012)
    pores = clouds(rng, height, width, card * 0.12, card * 0.008) > 0.86
    share = 0.25 + 0.08 * rings + 0.4 * fibre + 0.25 * bend - 0.12 * pores + tone - 0.2
    near_gap = np.abs((y + 0.5) / plank % 1 - 0.5) * plank < max(0.8, card * 0.004)
    share = np.where(np.roll(near_gap, rng.integers(int(plank)), 0), share - 0.55, share)
    return _mix(dark, light, np.asarray(share, np.float32)) + _grain(rng, height, width, 2)


def _cloth(rng: np.random.Generator, height: int, width: int, card: float) -> Paint:
    base = ((62, 92, 34), (112, 62, 34), (48, 36, 120), (118, 124, 128), (140, 168, 186))[
        rng.integers(5)
    ]
    y, x = np.ogrid[:height, :width]
    thread = 2 * np.pi / max(3.0, card * 0.014)
    weave = np.sin(x * thread) * np.sin(y * thread)
    folds = clouds(rng, height, width, card * 1.4, card * 2.2)
    slubs = clouds(rng, height, width, card * 0.3, card * 0.012)
    share = 0.35 + 0.12 * weave + 0.3 * folds + 0.2 * slubs
    darker = tuple(value * 0.72 for value in base)
    lighter = tuple(value * 1.25 for value in base)
    return _mix(darker, lighter, np.asarray(share, np.float32)) + _grain(rng, height, width, 3)


def _checks(rng: np.random.Generator, height: int, width: int, card: float) -> Paint:
    ink = ((60, 50, 190), (150, 80, 40), (70, 120, 60))[rng.integers(3)]
    size = card * rng.uniform(0.14, 0.3)
    y, x = np.ogrid[:height, :width]
    across, down = (x / size) % 2 < 1, (y / size) % 2 < 1
    share = 0.42 * across + 0.42 * down + 0.1 * clouds(rng, height, width, card, card)
    thread = 0.05 * np.sin((x + y) * 2 * np.pi / max(3.0, card * 0.012))
    paint = _mix((222, 228, 230), ink, np.asarray(share + thread, np.float32))
    return paint + _grain(rng, height, width, 3)


def _floral(rng: np.random.Generator, height: int, width: int, card: float) -> Paint:
    base = ((198, 214, 222), (176, 190, 160), (96, 60, 48))[rng.integers(3)]
    paint = np.empty((height, width, 3), np.float32)
    paint[:] = base
    for _ in range(round(4.5 * height * width / card**2)):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        _flower(rng, paint, x, y, card * rng.uniform(0.07, 0.17))
    weave = clouds(rng, height, width, card * 0.01, card * 0.01)
    folds = clouds(rng, height, width, card * 2, card * 1.2)
    return np.asarray(paint * (0.88 + 0.08 * weave + 0.1 * folds)[..., None], np.float32)


def _flower(rng: np.random.Generator, paint: Paint, x: float, y: float, size: float) -> None:
    petal = ((96, 84, 206), (190, 130, 176), (70, 160, 226), (206, 150, 110))[rng.integers(4)]
    leaf = (70, 140, 90)
    start, petals = rng.uniform(0, 360), int(rng.integers(5, 7))
    shapes = [(start + 30 + 140 * n, 1.25, 0.3, leaf) for n in range(2)]
    shapes += [(start + 360 * n / petals, 0.55, 0.42, petal) for n in range(petals)]
    for angle, reach, breadth, ink in shapes:
        middle = (
            x + np.cos(np.deg2rad(angle)) * reach * size * 0.8,
            y + np.sin(np.deg2rad(angle)) * reach * size * 0.8,
        )
        _disk(paint, middle, (0.5 * size, breadth * size * 0.8), angle, ink)
    _disk(paint, (x, y), (0.25 * size, 0.25 * size), 0, (70, 190, 236))


def _disk(
    paint: Paint,
    middle: tuple[float, float],
    axes: tuple[float, float],
    angle: float,
    ink: tuple[int, int, int],
) -> None:
    center = (round(middle[0] * 16), round(middle[1] * 16))
    radii = (round(axes[0] * 16), round(axes[1] * 16))
    cv2.ellipse(paint, center, radii, angle, 0, 360, ink, -1, cv2.LINE_8, 4)


def _terrazzo(rng: np.random.Generator, height: int, width: int, card: float) -> Paint:
    paint = _mix((172, 178, 182), (198, 202, 206), clouds(rng, height, width, card, card))
    chips = ((92, 100, 108), (214, 218, 220), (110, 130, 158), (140, 142, 140), (66, 70, 76))
    for _ in range(round(90 * height * width / card**2)):
        around = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(4, 8))))
        reach = card * rng.exponential(0.022) + 1
        ring = np.stack([np.cos(around), np.sin(around)], 1) * reach * rng.uniform(0.7, 1.2)
        points = np.round((ring + rng.uniform((0, 0), (width, height))) * 16).astype(np.int32)
        cv2.fillPoly(paint, [points], chips[rng.integers(len(chips))], cv2.LINE_8, 4)
    return paint + _grain(rng, height, width, 4)


def _carpet(rng: np.random.Generator, height: int, width: int, card: float) -> Paint:
    base = ((92, 112, 128), (104, 74, 60), (62, 60, 96), (128, 140, 150))[rng.integers(4)]
    tufts = clouds(rng, height, width, card * 0.022, card * 0.022)
    lumps = clouds(rng, height, width, card * 0.09, card * 0.07)
    worn = clouds(rng, height, width, card * 2, card * 2)
    share = 0.55 * tufts + 0.25 * lumps + 0.2 * worn
    darker = tuple(value * 0.45 for value in base)
    lighter = tuple(value * 1.45 for value in base)
    return _mix(darker, lighter, np.asarray(share, np.float32)) + _grain(rng, height, width, 7)


def _white(rng: np.random.Generator, height: int, width: int, card: float) -> Paint:
    tone = rng.uniform(226, 242)
    base = (tone - rng.uniform(0, 8), tone, tone)
    dirt = clouds(rng, height, width, card * 1.5, card * 1.5)
    fine = clouds(rng, height, width, card * 0.03, card * 0.03)
    share = np.asarray(0.7 * dirt + 0.3 * fine, np.float32)
    return _mix(tuple(value - 9 for value in base), base, share) + _grain(rng, height, width, 1.5)


_SURFACES: dict[Surface, Callable[[np.random.Generator, int, int, float], Paint]] = {
    Surface.DARK: _dark,
    Surface.WOOD: _wood,
    Surface.CLOTH: _cloth,
    Surface.CHECKS: _checks,
    Surface.FLORAL: _floral,
    Surface.TERRAZZO: _terrazzo,
    Surface.CARPET: _carpet,
    Surface.WHITE: _white,
}
