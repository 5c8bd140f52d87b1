"""How cards lie: rows from far to near, columns from left to right, as a player counts them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def rows_and_columns(corners: NDArray[np.float32]) -> list[list[int]]:
    """Sort cards into rows, each from left to right.

    The rows may run askew: they follow the sides of most cards. A card belongs to the row above
    it when their middles differ by less than half a card's height in that direction.

    Args:
        corners: float32 (n, 4, 2), pixels, clockwise.

    Returns:
        Rows from top to bottom, each a list of indices into `corners`.
    """
    if not len(corners):
        return []
    turn = _skew(corners)
    rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    level = corners @ rotation.T
    centers = level.mean(1)
    reach = (level[..., 1].max(1) - level[..., 1].min(1)) / 2
    rows: list[list[int]] = []
    for index in np.argsort(centers[:, 1], kind="stable"):
        if rows and centers[index, 1] - np.mean(centers[rows[-1], 1]) < reach[index]:
            rows[-1].append(int(index))
        else:
            rows.append([int(index)])
    return [sorted(row, key=lambda index: float(centers[index, 0])) for row in rows]


def _skew(corners: NDArray[np.float32]) -> float:
    """Angle in radians, within an eighth of a turn, by which most cards' sides are askew."""
    sides = np.roll(corners, -1, 1) - corners
    steps = sides[..., 0] + 1j * sides[..., 1]
    # Four times the angle makes the four sides of a card agree.
    total = np.sum(np.abs(steps) * np.exp(4j * np.angle(steps)))
    return float(np.angle(total) / 4)
