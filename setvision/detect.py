"""Find the cards in a table picture: a rough quadrilateral for each."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision.models import run
from setvision.rectify import edge_lengths, mean_sides

CELL = 8
"""Side in pixels of one cell of the finder's output."""

UNIT = 32.0
"""Pixels in one unit of the finder's lengths."""

LONG_SIDE = 768
"""The picture's long side, in pixels, when the finder looks at it first."""

SMALLER, LARGER = 384, 1408
"""The sizes at which it looks again, for very large cards and for very small ones."""

LARGE_CARD, SMALL_CARD = 150.0, 24.0
"""Short sides in pixels, at the first look, that call for another look."""

SCORE = 0.35
"""Cells below this score are no candidates; the reader judges the others. On photos of unseen
sources 99.4 % of the cards score more, and no other thing that the reader takes for a card."""

FEWEST_PIXELS = 16.0
"""A card whose short side has fewer pixels of the picture than this shows nothing to be read."""

_STRIDE = 32


def encode_axes(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """Half axes of a card, each as a vector at twice its angle, in units of `UNIT` pixels.

    A card turned by half a turn is the same card; the doubled angle has no jump there.

    Args:
        corners: float32 (4, 2), pixels, clockwise, a long side first.

    Returns:
        float32 (4,): long axis x, y; short axis x, y.
    """
    axes = []
    for side in mean_sides(corners):
        axis = complex(*(side / (2 * UNIT)))
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


def find(image: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Candidates for cards, best first.

    A card may have several: one of each size at which the picture was looked at.

    Args:
        image: uint8 (H, W, 3), BGR.

    Returns:
        corners float32 (n, 4, 2), pixels of `image`, clockwise, a long side first; and scores
        float32 (n,), 0 to 1.
    """
    looks = [look(image, LONG_SIDE)]
    corners, _ = looks[0]
    scale = LONG_SIDE / max(image.shape[:2])
    sides = [float(edge_lengths(quad).min()) * scale for quad in corners]
    if not sides or max(sides) > LARGE_CARD:
        looks.append(look(image, SMALLER))
    if sides and np.median(sides) < SMALL_CARD and scale < 1:
        looks.append(look(image, LARGER))
    corners = np.concatenate([corners for corners, _ in looks])
    scores = np.concatenate([scores for _, scores in looks])
    short_sides = np.array([edge_lengths(quad).min() for quad in corners])
    order = np.argsort(-scores, kind="stable")
    order = order[short_sides[order] >= FEWEST_PIXELS]
    return corners[order], scores[order]


def look(
    image: NDArray[np.uint8], long_side: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Candidates as `find` gives them, from one look at the picture at one size."""
    height, width = image.shape[:2]
    scale = long_side / max(height, width)
    small = cv2.resize(
        image,
        (max(1, round(width * scale)), max(1, round(height * scale))),
        interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR,
    )
    down, right = -small.shape[0] % _STRIDE, -small.shape[1] % _STRIDE
    padded = cv2.copyMakeBorder(small, 0, down, 0, right, cv2.BORDER_REPLICATE)
    output = run("finder", np.asarray(cv2.dnn.blobFromImage(padded, 1 / 255), np.float32))[0]
    corners, scores = _decode(output)
    stretch = np.asarray([width / small.shape[1], height / small.shape[0]], np.float32)
    return (corners + np.float32(0.5)) * stretch - np.float32(0.5), scores


def _decode(output: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    heat = 1 / (1 + np.exp(-output[0]))
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat == highest) & (heat >= SCORE))
    order = np.argsort(-heat[rows, columns], kind="stable")
    rows, columns = rows[order], columns[order]
    geometry = output[1:7, rows, columns].T
    cells = np.stack([columns, rows], 1) + 0.5
    centers = cells * CELL + geometry[:, :2] * UNIT
    corners = decode_axes(geometry[:, 2:]) + centers[:, None] - 0.5
    return corners.astype(np.float32), heat[rows, columns].astype(np.float32)
