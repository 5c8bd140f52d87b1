"""Where cards lie on a table, and how a tilted camera sees that plane.

The plane's unit is the long side of a card; x runs right and y towards the player.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision.render.shapes import ASPECT

_CARD = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32) * [0.5, 0.5 / ASPECT]


@dataclass(frozen=True, slots=True)
class Place:
    """Where one card lies: its center in the plane and its turn in degrees, clockwise."""

    x: float
    y: float
    turn: float

    def corners(self) -> NDArray[np.float32]:
        """The card's corners in the plane, float32 (4, 2), clockwise, a long side first."""
        angle = np.deg2rad(self.turn)
        across = np.array([np.cos(angle), np.sin(angle)])
        down = np.array([-np.sin(angle), np.cos(angle)])
        corners = _CARD[:, :1] * across + _CARD[:, 1:] * down + [self.x, self.y]
        return np.asarray(corners, np.float32)


def rows_and_columns(
    rng: np.random.Generator,
    count: int,
    columns: int,
    *,
    upright: bool = False,
    gap: float = 0.16,
    jitter: float = 0.02,
    turn: float = 2.0,
) -> tuple[Place, ...]:
    """Deal `count` cards in rows, row by row.

    Args:
        rng: for the small disorder of a real deal.
        count: how many places.
        columns: places in a full row.
        upright: whether the cards stand on their short side.
        gap: space between neighbours in long sides; below 0 they overlap.
        jitter: spread of the centers, in long sides.
        turn: spread of the angles, in degrees; a card is put down either way round.
    """
    wide, high = (1 / ASPECT, 1.0) if upright else (1.0, 1 / ASPECT)
    places = []
    for index in range(count):
        row, column = divmod(index, columns)
        angle = rng.normal(90.0 if upright else 0.0, turn) + rng.choice([0.0, 180.0])
        x, y = np.array([column * (wide + gap), row * (high + gap)]) + rng.normal(0, jitter, 2)
        places.append(Place(float(x), float(y), float(angle)))
    return tuple(places)


def scattered(rng: np.random.Generator, count: int, *, gap: float = 0.05) -> tuple[Place, ...]:
    """Drop `count` cards at any angle; neighbours may touch or overlap by their corners.

    Their centers stay 0.85 long sides plus `gap` apart, so that no symbol is hidden. The table
    grows slowly until all fit.
    """
    places: list[Place] = []
    side = 0.9 * np.sqrt(count)
    while len(places) < count:
        x, y = rng.uniform(0, side * 1.25), rng.uniform(0, side)
        if all(np.hypot(x - other.x, y - other.y) > 0.85 + gap for other in places):
            places.append(Place(float(x), float(y), float(rng.uniform(0, 360))))
        side *= 1.005
    return tuple(places)


def look_at(
    corners: NDArray[np.float32], width: int, height: int, *, tilt: float, roll: float, fill: float
) -> NDArray[np.float64]:
    """A pinhole camera over the table that has all the corners in its picture.

    Args:
        corners: float32 (N, 2) in the plane.
        width, height: of the picture in pixels.
        tilt: degrees from straight above towards the player's view.
        roll: degrees by which the camera is turned about its axis.
        fill: share of the picture that the corners span in its tighter direction, 0 to 1.

    Returns:
        float64 (3, 3): the homography from the plane to pixels, (0, 0) the first pixel's center.
    """
    middle = (corners.min(0) + corners.max(0)) / 2
    near, far = 1.5, 400.0
    for _ in range(40):
        distance = np.sqrt(near * far)
        seen = project(corners, _camera(middle, width, height, tilt, roll, distance))
        span = np.ptp(seen, 0) / [width, height]
        if span.max() > fill or not np.isfinite(span).all():
            near = distance
        else:
            far = distance
    camera = _camera(middle, width, height, tilt, roll, far)
    seen = project(corners, camera)
    offset = np.array([width - 1, height - 1]) / 2 - (seen.min(0) + seen.max(0)) / 2
    return np.array([[1, 0, offset[0]], [0, 1, offset[1]], [0, 0, 1]]) @ camera


def project(points: NDArray[np.float32], homography: NDArray[np.float64]) -> NDArray[np.float32]:
    """Points, float32 (N, 2), through a homography; float32 (N, 2)."""
    mapped = cv2.perspectiveTransform(np.asarray(points, np.float32)[None], homography)
    return np.asarray(mapped[0], np.float32)


def _camera(
    middle: NDArray[np.float32], width: int, height: int, tilt: float, roll: float, distance: float
) -> NDArray[np.float64]:
    lean, turn = np.deg2rad([tilt, roll])
    focal = 1.15 * max(width, height)
    lens = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    # The near edge of the table (y downwards) comes closer to the lens as the camera leans.
    pose = np.array([[1, 0, 0], [0, np.cos(lean), 0], [0, -np.sin(lean), distance]])
    rotation = np.array(
        [[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]]
    )
    center = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]])
    return np.asarray(lens @ pose @ rotation @ center, np.float64)
