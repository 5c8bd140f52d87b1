"""Card-free pieces of photos, and surfaces made of noise."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision.training.stock import Stock


def background(stock: Stock, rng: np.random.Generator, size: int) -> NDArray[np.uint8]:
    """A table without cards, uint8 (size, size, 3), BGR."""
    draw = rng.random()
    if draw < 0.25:
        return _noise(rng, size)
    patch = _piece_of_photo(stock, rng) if draw < 0.7 else None
    if patch is None:
        patch = _piece_of_tabletop(stock, rng)
    turned = np.rot90(patch, int(rng.integers(4)))
    return np.asarray(cv2.resize(turned, (size, size), interpolation=cv2.INTER_LINEAR), np.uint8)


def _piece_of_photo(stock: Stock, rng: np.random.Generator) -> NDArray[np.uint8] | None:
    for _ in range(12):
        photo = stock.pick_photo(rng)
        height, width = photo.image.shape[:2]
        side = int(min(height, width) * rng.uniform(0.12, 0.6))
        x, y = int(rng.integers(width - side + 1)), int(rng.integers(height - side + 1))
        box = np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]], np.float32)
        if not any(cv2.intersectConvexConvex(quad, box)[0] > 0 for quad in photo.corners):
            return photo.image[y : y + side, x : x + side]
    return None


def _piece_of_tabletop(stock: Stock, rng: np.random.Generator) -> NDArray[np.uint8]:
    tabletop = stock.tabletops[int(rng.integers(len(stock.tabletops)))]
    side = int(min(tabletop.shape[:2]) * rng.uniform(0.3, 1.0))
    x, y = (int(rng.integers(edge - side + 1)) for edge in (tabletop.shape[1], tabletop.shape[0]))
    return tabletop[y : y + side, x : x + side]


def _noise(rng: np.random.Generator, size: int) -> NDArray[np.uint8]:
    base = rng.uniform(10, 250) * np.exp(rng.normal(0, rng.choice([0.04, 0.15, 0.5]), 3))
    surface = np.full((size, size, 3), base, np.float32)
    for _ in range(int(rng.integers(1, 4))):
        cells = rng.integers(2, 160, 2)
        if rng.random() < 0.3:
            cells[rng.integers(2)] = 2
        channels = 1 if rng.random() < 0.6 else 3
        noise = rng.normal(0, rng.uniform(3, 30), (*cells, channels)).astype(np.float32)
        pattern = cv2.resize(noise, (size, size), interpolation=cv2.INTER_CUBIC)
        surface += pattern.reshape(size, size, channels)
    if rng.random() < 0.3:
        step, angle = rng.uniform(8, 80), rng.uniform(0, np.pi)
        x, y = np.meshgrid(np.arange(size), np.arange(size))
        wave = np.sin((np.cos(angle) * x + np.sin(angle) * y) * 2 * np.pi / step)
        surface += (np.sign(wave) if rng.random() < 0.5 else wave)[..., None] * rng.uniform(5, 50)
    return np.asarray(np.clip(surface, 0, 255), np.uint8)
