"""From card corners to upright crops and back."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

CROP_WIDTH, CROP_HEIGHT = 120, 80
"""Size in pixels of the crop that the reader network sees; the card lies on its long side."""

CROP_MARGIN = 0.09
"""Share of the crop on each side that shows what is around the card."""

UNIT_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


def crop_frame(width: int = CROP_WIDTH, height: int = CROP_HEIGHT) -> NDArray[np.float32]:
    """Where a card's corners come to lie in its crop: float32 (4, 2), pixels, clockwise."""
    inset = np.array([CROP_MARGIN, CROP_MARGIN], np.float32)
    return np.asarray(
        (UNIT_SQUARE * (1 - 2 * inset) + inset) * np.asarray([width, height], np.float32)
        - np.float32(0.5),
        np.float32,
    )


def rectify(
    image: NDArray[np.uint8],
    corners: NDArray[np.float32],
    width: int = CROP_WIDTH,
    height: int = CROP_HEIGHT,
) -> NDArray[np.uint8]:
    """Cut one card out by its homography, with a margin around it.

    Args:
        image: uint8 (H, W, 3), BGR.
        corners: float32 (4, 2), pixels of `image`, clockwise, the first edge a long side.

    Returns:
        uint8 (height, width, 3), BGR. Cards much larger than the crop are averaged, not sampled.
    """
    corners = np.asarray(corners, np.float32)
    left, top = np.floor(corners.min(0)).astype(int)
    right, bottom = np.ceil(corners.max(0)).astype(int) + 1
    pad_x, pad_y = ((right - left) // 4 + 2, (bottom - top) // 4 + 2)
    left, top = max(left - pad_x, 0), max(top - pad_y, 0)
    right, bottom = min(right + pad_x, image.shape[1]), min(bottom + pad_y, image.shape[0])
    if right - left < 2 or bottom - top < 2:
        return np.zeros((height, width, 3), np.uint8)
    patch = image[top:bottom, left:right]
    corners = corners - np.asarray([left, top], np.float32)
    shrink = min(1.0, 1.5 * width * (1 - 2 * CROP_MARGIN) / max(1.0, edge_lengths(corners).max()))
    if shrink < 0.75:
        size = (max(1, round(patch.shape[1] * shrink)), max(1, round(patch.shape[0] * shrink)))
        scale = np.asarray([size[0] / patch.shape[1], size[1] / patch.shape[0]], np.float32)
        patch = np.asarray(cv2.resize(patch, size, interpolation=cv2.INTER_AREA), np.uint8)
        corners = (corners + np.float32(0.5)) * scale - np.float32(0.5)
    homography = cv2.getPerspectiveTransform(corners, crop_frame(width, height))
    return np.asarray(
        cv2.warpPerspective(
            patch,
            homography,
            (width, height),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )


def edge_lengths(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """Lengths in pixels of the four edges, the first from corner 0 to corner 1; float32 (4,)."""
    return np.asarray(np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1), np.float32)


def mean_sides(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean of each two opposite sides as vectors, float32 (2, 2), pixels: the one that runs
    with the first edge, then the one across it."""
    first, second, third, fourth = corners
    along = (second - first + third - fourth) / 2
    across = (third - second + fourth - first) / 2
    return np.asarray([along, across], np.float32)


def area(corners: NDArray[np.float32]) -> float:
    """Signed area in square pixels of a quadrilateral; positive when clockwise on the picture."""
    x, y = corners[:, 0], corners[:, 1]
    return 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


def iou(first: NDArray[np.float32], second: NDArray[np.float32]) -> float:
    """Intersection over union of two convex quadrilaterals, float32 (4, 2) each."""
    shared = cv2.intersectConvexConvex(
        np.asarray(first, np.float32), np.asarray(second, np.float32)
    )[0]
    union = abs(area(first)) + abs(area(second)) - shared
    return float(shared / union) if union > 0 else 0.0


def move_corners(corners: NDArray[np.float32], offsets: NDArray[np.float32]) -> NDArray[np.float32]:
    """Correct corners by what the reader network saw in their crop.

    Args:
        corners: float32 (4, 2), pixels of the picture, clockwise.
        offsets: float32 (4, 2), how far each true corner lies from `corners` in the card's own
            plane, in units of the card's long (x) and short (y) side.

    Returns:
        float32 (4, 2), pixels of the picture.
    """
    homography = cv2.getPerspectiveTransform(UNIT_SQUARE, np.asarray(corners, np.float32))
    moved = (UNIT_SQUARE + np.asarray(offsets, np.float32))[None]
    return np.asarray(cv2.perspectiveTransform(moved, homography)[0], np.float32)


def balance(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Divide each crop by the color of its own paper, so that paper is white under any lamp.

    Args:
        crops: uint8 (n, height, width, 3), BGR.

    Returns:
        float32 (n, height, width, 3), BGR; paper is about 1, values are cut at 1.5. The paper is
        the mean of the brighter pixels inside the card, without the very brightest (glare).
    """
    count, height, width = crops.shape[:3]
    inset_y, inset_x = round(CROP_MARGIN * height), round(CROP_MARGIN * width)
    inner = crops[:, inset_y : height - inset_y : 2, inset_x : width - inset_x : 2]
    inner = inner.reshape(count, -1, 3).astype(np.float32)
    order = np.argsort(inner.sum(2), axis=1)
    total = order.shape[1]
    bright = order[:, int(total * 0.6) : int(total * 0.97)]
    paper = np.take_along_axis(inner, bright[..., None], 1).mean(1)
    balanced = crops / np.maximum(paper, 8)[:, None, None]
    return np.asarray(np.minimum(balanced, 1.5), np.float32)
