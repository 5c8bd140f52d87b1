"""Find the cards in a table picture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CELL = 8
"""Side in pixels of one cell of the finder's output."""

UNIT = 32.0
"""Pixels in one unit of the finder's lengths."""


def encode_axes(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """Half axes of a card, each as a vector at twice its angle, in units of `UNIT` pixels.

    A card turned by half a turn is the same card; the doubled angle has no jump there.

    Args:
        corners: float32 (4, 2), pixels, clockwise, a long side first.

    Returns:
        float32 (4,): long axis x, y; short axis x, y.
    """
    axes = []
    for along in (
        corners[1] - corners[0] + corners[2] - corners[3],
        corners[2] - corners[1] + corners[3] - corners[0],
    ):
        axis = complex(*(along / (4 * UNIT)))
        doubled = axis * axis / abs(axis) if axis else 0j
        axes += [doubled.real, doubled.imag]
    return np.array(axes, np.float32)


def decode_axes(doubled: NDArray[np.float32]) -> NDArray[np.float32]:
    """Undo `encode_axes`.

    Args:
        doubled: float32 (n, 4).

    Returns:
        float32 (n, 4, 2): corners around the center, pixels, clockwise, a long side first.
    """
    pairs = np.asarray(doubled, np.float64).reshape(-1, 2, 2)
    vectors = pairs[..., 0] + 1j * pairs[..., 1]
    halves = np.abs(vectors) * np.exp(0.5j * np.angle(vectors)) * UNIT
    long_axis, short_axis = halves[:, 0], halves[:, 1]
    mirrored = (np.conj(long_axis) * short_axis).imag < 0
    short_axis = np.where(mirrored, -short_axis, short_axis)
    corners = np.stack(
        [
            -long_axis - short_axis,
            long_axis - short_axis,
            long_axis + short_axis,
            -long_axis + short_axis,
        ],
        1,
    )
    return np.stack([corners.real, corners.imag], 2).astype(np.float32)
