"""A labelled photo seen from elsewhere: turned, scaled, mirrored, tilted at random."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision.rectify import edge_lengths
from setvision.training.backgrounds import background
from setvision.training.sources import LabelledPhoto
from setvision.training.stock import Scene, Stock, any_angle, keep_visible


def bend_photo(stock: Stock, rng: np.random.Generator, size: int, short_side: float) -> Scene:
    """One photo bent at random; the short sides of its cards are about `short_side` pixels."""
    photo = stock.pick_photo(rng)
    focus, scale = _aim(photo, rng, size, short_side)
    homography = _view(rng, size, focus, scale)
    image, covered = _warp(photo.image, homography, size, scale)
    if not covered.all():
        image = np.where(covered[..., None], image, background(stock, rng, size))
    if not len(photo.corners):
        return Scene(image, np.zeros((0, 4, 2), np.float32), np.zeros(0, np.int64), exact=False)
    corners = cv2.perspectiveTransform(photo.corners.reshape(1, -1, 2), homography)
    moved = np.asarray(corners.reshape(-1, 4, 2), np.float32)
    return Scene(image, *keep_visible(moved, photo.labels, size), exact=False)


def _aim(
    photo: LabelledPhoto, rng: np.random.Generator, size: int, short_side: float
) -> tuple[NDArray[np.float64], float]:
    """Which pixel of the photo comes to the middle, and at what scale."""
    height, width = photo.image.shape[:2]
    if not len(photo.corners):
        scale = size / min(width, height) * float(rng.uniform(0.5, 2))
        return rng.uniform(0.2, 0.8, 2) * (width, height), scale
    sides = [float(edge_lengths(quad).min()) for quad in photo.corners]
    scale = min(short_side / float(np.median(sides)), 2.0)
    focus = photo.corners[int(rng.integers(len(photo.corners)))].mean(0)
    return focus + rng.normal(0, 0.15, 2) * size / scale, scale


def _view(
    rng: np.random.Generator, size: int, focus: NDArray[np.float64], scale: float
) -> NDArray[np.float64]:
    turn = cv2.getRotationMatrix2D((0, 0), any_angle(rng), scale)[:, :2]
    if rng.random() < 0.5:
        turn = turn @ np.diag([-1, 1])
    squeeze = np.diag([1.0, float(rng.uniform(0.4, 1.0))]) if rng.random() < 0.5 else np.eye(2)
    spin = cv2.getRotationMatrix2D((0, 0), float(rng.uniform(0, 180)), 1.0)[:, :2]
    linear = spin @ squeeze @ spin.T @ turn
    homography = np.eye(3)
    homography[:2, :2] = linear
    homography[:2, 2] = -linear @ focus
    tilt, shift = np.eye(3), np.eye(3)
    tilt[2, :2] = rng.normal(0, 0.22, 2) / size if rng.random() < 0.6 else 0
    shift[:2, 2] = size / 2
    return np.asarray(shift @ tilt @ homography, np.float64)


def _warp(
    image: NDArray[np.uint8], homography: NDArray[np.float64], size: int, scale: float
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """The bent picture, averaged where it shrinks, and where the photo covers it."""
    if scale < 0.7:
        height, width = image.shape[:2]
        factor = max(scale * 1.4, 0.1)
        small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        homography = homography @ np.diag([width / small.shape[1], height / small.shape[0], 1.0])
        image = np.asarray(small, np.uint8)
    bent = cv2.warpPerspective(image, homography, (size, size), flags=cv2.INTER_LINEAR)
    everywhere = np.full(image.shape[:2], 255, np.uint8)
    covered = cv2.warpPerspective(everywhere, homography, (size, size), flags=cv2.INTER_NEAREST)
    return np.asarray(bent, np.uint8), np.asarray(covered > 0, np.bool_)
