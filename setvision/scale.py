"""Cards of one deck are equally large: what is far too small among them is no card."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from setvision.rectify import area

FEWEST_CARDS = 4
"""With fewer cards than this nothing can be said about their common size."""

SMALLEST = 0.5
"""A length below this share of what is usual at its place is too small. On the labelled photos no
card has less than 0.69, and lettering or pattern taken for cards had at most 0.37."""

_ROUNDS = 12


def far_too_small(corners: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which quadrilaterals are far smaller than the others around them.

    A plane's homography changes areas by the inverse cube of its third coordinate, which is linear
    over the picture. So for equal cards on a table the cube root of the area is a linear function
    of the position (Hartley and Zisserman, Multiple View Geometry, 2004, ch. 2). It is fitted by
    least absolute deviations, which a minority of odd sizes does not move.

    Args:
        corners: float32 (n, 4, 2), pixels.

    Returns:
        bool (n,); all False for fewer than `FEWEST_CARDS`.
    """
    if len(corners) < FEWEST_CARDS:
        return np.zeros(len(corners), np.bool_)
    lengths = np.cbrt([abs(area(quad)) for quad in corners])
    centers = corners.mean(1)
    spread = max(1.0, float(np.ptp(centers, axis=0).max()))
    terms = np.column_stack([(centers - np.median(centers, 0)) / spread, np.ones(len(corners))])
    # A little ridge keeps the slope quiet where cards lie in one row.
    ridge = np.diag([0.05, 0.05, 0.0]) * len(corners)
    weights = np.ones(len(corners))
    usual = np.full(len(corners), np.median(lengths))
    for _ in range(_ROUNDS):
        weights = 1 / np.maximum(np.abs(lengths - usual), 0.02 * np.median(lengths))
        weights /= weights.max()
        weighted = terms * weights[:, None]
        usual = terms @ np.linalg.lstsq(weighted.T @ terms + ridge, weighted.T @ lengths)[0]
    # The root of the area is a length; here it is the cube root, hence the exponent.
    return np.asarray(lengths < usual * SMALLEST ** (2 / 3), np.bool_)
