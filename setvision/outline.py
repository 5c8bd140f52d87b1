"""Lines around cards: nested rings in a card's own plane, dashes, strokes that show anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision.rectify import UNIT_SQUARE, edge_lengths

Bgr = tuple[int, int, int]

DASH, GAP = 5.0, 3.0
"""Lengths in widths of the line."""

CORE = 0.36
"""Width of the line inside a line, in widths of that."""

CASING: Bgr = (28, 24, 22)
CORNER_RADIUS = 0.07
"""Radius of a card's rounded corner in units of its short side."""

_SHIFT = 4


@dataclass(frozen=True, slots=True)
class Look:
    """How a line is drawn: its color, that of a thinner line along its middle, and whether broken.

    Broken lines mean doubt and nothing else.
    """

    color: Bgr
    core: Bgr | None = None
    dashed: bool = False


def convex(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """The corners themselves, or those of the rectangle around them where they cross.

    Args:
        corners: float32 (4, 2), pixels.
    """
    corners = np.asarray(corners, np.float32)
    if cv2.isContourConvex(corners):
        return corners
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(corners)), np.float32)


def short_side(corners: NDArray[np.float32]) -> float:
    """Mean length in pixels of a card's two shorter edges."""
    first, second, third, fourth = (float(length) for length in edge_lengths(corners))
    return max(1.0, min(first + third, second + fourth) / 2)


def ring(corners: NDArray[np.float32], offset: float) -> NDArray[np.float32]:
    """A closed path that runs around a card at a distance, seen in the card's own perspective.

    Args:
        corners: float32 (4, 2), pixels of the picture, convex.
        offset: pixels outside the card's edge, about; inside where negative.

    Returns:
        float32 (n, 2), pixels of the picture, without the starting point repeated.
    """
    lengths = edge_lengths(corners)
    size = np.maximum((lengths[:2] + lengths[2:]) / 2, np.float32(1))
    offset = max(offset, -0.4 * float(size.min()))
    radius = max(CORNER_RADIUS * float(size.min()) + offset, 0.02 * float(size.min()))
    path = rounded(np.asarray(size + 2 * offset, np.float32), radius) - np.float32(offset)
    homography = cv2.getPerspectiveTransform(UNIT_SQUARE * size, np.asarray(corners, np.float32))
    return np.asarray(cv2.perspectiveTransform(path[None], homography)[0], np.float32)


def rounded(size: NDArray[np.float32], radius: float) -> NDArray[np.float32]:
    """The outline of an upright rectangle with round corners, its box starting at 0, 0.

    Args:
        size: float32 (2,), width and height in pixels.
        radius: pixels.

    Returns:
        float32 (n, 2), clockwise from the left end of the top left corner.
    """
    turns = np.linspace(0, np.pi / 2, 7)
    arc = np.stack([np.cos(turns), np.sin(turns)], 1) * radius
    quarter = np.array([[0, -1], [1, 0]], np.float64)
    centers = UNIT_SQUARE * (size - 2 * radius) + radius
    return np.concatenate(
        [
            center + arc @ np.linalg.matrix_power(quarter, 2 + i).T
            for i, center in enumerate(centers)
        ]
    ).astype(np.float32)


def room_outside(quads: Sequence[NDArray[np.float32]], width: int, height: int) -> list[float]:
    """How far lines may run outside each card before they meet a neighbor's or leave the picture.

    Args:
        quads: float32 (4, 2) each, pixels.
        width, height: size of the picture in pixels.

    Returns:
        Pixels, one a card, 0 where a card touches another one or the border.
    """
    if not quads:
        return []
    stacked = np.stack(quads)
    border = np.minimum(stacked, np.array([width - 1, height - 1], np.float32) - stacked).min(
        (1, 2)
    )
    room = np.maximum(border, 0)
    starts, ends = stacked[:, None, None], np.roll(stacked, -1, 1)[:, None, None]
    points = stacked[None, :, :, None]
    along = ends - starts
    reach = ((points - starts) * along).sum(-1) / np.maximum((along * along).sum(-1), 1e-6)
    nearest = starts + np.clip(reach, 0, 1)[..., None] * along
    gaps = np.linalg.norm(points - nearest, axis=-1).min((2, 3))
    gaps = np.minimum(gaps, gaps.T)
    np.fill_diagonal(gaps, np.inf)
    for i, j in zip(*np.triu_indices(len(quads), 1), strict=True):
        if cv2.intersectConvexConvex(stacked[i], stacked[j])[0] > 0:
            gaps[i, j] = gaps[j, i] = 0
    return [float(value) for value in np.minimum(room, gaps.min(1) / 2)]


def from_free_corner(
    place: int, quads: Sequence[NDArray[np.float32]], width: int, height: int
) -> NDArray[np.float32]:
    """The corners of one card, starting from the one that can bear its number.

    That is the one nearest to the picture's top left, unless it lies on another card, where the
    number would seem to belong to that one, or outside the picture.

    Args:
        place: index of the card in `quads`, float32 (4, 2) each, pixels.
        width, height: size of the picture in pixels.
    """
    quad = quads[place]

    def hidden_by(corner: int) -> float:
        x, y = float(quad[corner, 0]), float(quad[corner, 1])
        depths = [-x, x - width, -y, y - height]
        for index, other in enumerate(quads):
            if index != place:
                depths.append(float(cv2.pointPolygonTest(other, (x, y), True)))
        return max(depths)

    best = int(quad.sum(1).argmin())
    if hidden_by(best) > 0.08 * short_side(quad):
        best = min(range(4), key=hidden_by)
    return np.roll(quad, -best, 0)


def stroke(image: NDArray[np.uint8], path: NDArray[np.float32], look: Look, width: int) -> None:
    """Draw a closed path in place, with a dark casing that sets it off from paper and table.

    Args:
        image: uint8 (H, W, 3), BGR.
        path: float32 (n, 2), pixels.
        width: pixels of the colored line; the casing adds to it.
    """
    _polylines(image, [path], CASING, width + 2 * casing_width(width), closed=True)
    paths = _dashes(path, width) if look.dashed else [path]
    _polylines(image, paths, look.color, width, closed=not look.dashed)
    if look.core is not None:
        core_width = max(1, int(CORE * width))
        _polylines(image, paths, look.core, core_width, closed=not look.dashed)


def point_along(path: NDArray[np.float32], distance: float) -> tuple[float, float]:
    """The point (x, y) that lies `distance` pixels from the start of a closed path."""
    closed, travelled = _travelled(path)
    distance %= float(travelled[-1])
    x, y = (float(np.interp(distance, travelled, closed[:, axis])) for axis in (0, 1))
    return x, y


def casing_width(width: int) -> int:
    """Pixels of casing on each side of a line of a width in pixels."""
    return max(1, round(width * 0.2))


def _polylines(
    image: NDArray[np.uint8],
    paths: Sequence[NDArray[np.float32]],
    color: Bgr,
    width: int,
    *,
    closed: bool,
) -> None:
    points = [np.round(path * (1 << _SHIFT)).astype(np.int32) for path in paths]
    cv2.polylines(image, points, closed, color, width, cv2.LINE_AA, _SHIFT)


def _dashes(path: NDArray[np.float32], width: int) -> list[NDArray[np.float32]]:
    """Cut a closed path into dashes; they are stretched so that it closes evenly."""
    closed, travelled = _travelled(path)
    repeats = max(1, round(float(travelled[-1]) / ((DASH + GAP) * width)))
    pitch = float(travelled[-1]) / repeats
    dashes = []
    for repeat in range(repeats):
        start, end = repeat * pitch, (repeat + DASH / (DASH + GAP)) * pitch
        inner = travelled[(travelled > start) & (travelled < end)]
        stops = np.concatenate([[start], inner, [end]])
        dash = np.stack([np.interp(stops, travelled, closed[:, axis]) for axis in (0, 1)], 1)
        dashes.append(dash.astype(np.float32))
    return dashes


def _travelled(
    path: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    closed = np.concatenate([path, path[:1]])
    steps = np.linalg.norm(np.diff(closed, axis=0), axis=1)
    return closed, np.concatenate([[0.0], np.cumsum(steps, dtype=np.float64)])
