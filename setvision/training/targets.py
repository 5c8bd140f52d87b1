"""What the networks are asked: targets made from scenes."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision.cards import Card
from setvision.detect import CELL, UNIT, encode_axes
from setvision.rectify import UNIT_SQUARE, balance, edge_lengths, iou, rectify
from setvision.training.stock import NOT_A_CARD, NOTHING_ASKED, Scene

FOUND, MISPLACED = 0.75, 0.5
"""A crop is a whole card above the first IoU with the truth, none below the second."""

READABLE = 0.65
"""Above this IoU a crop's features are asked for."""


def finder_target(scene: Scene) -> NDArray[np.float32]:
    """Target of the finder for one scene, float32 (9, H/8, W/8).

    Channels: heat map, offset (2), long axis (2), short axis (2), weight of the six geometry
    channels, and 1 where the heat map counts (0 over cards about which nothing is asked).
    """
    size = scene.image.shape[0] // CELL
    target = np.zeros((9, size, size), np.float32)
    target[8] = 1
    x, y = np.meshgrid(np.arange(size) + 0.5, np.arange(size) + 0.5)
    nearest = np.full((size, size), np.inf)
    for quad, label in zip(scene.corners, scene.labels, strict=True):
        if label == NOT_A_CARD:
            continue
        center = quad.mean(0) / CELL
        if label < 0:
            mask = np.zeros((size, size), np.uint8)
            cv2.fillConvexPoly(mask, np.round(quad / CELL - 0.5).astype(np.int32), 1)
            target[8][mask > 0] = 0
            continue
        sides = edge_lengths(quad) / CELL
        short = float(np.sqrt(sides[1] * sides[3]))
        sigma = max(0.55, 0.11 * short)
        distance = (x - center[0]) ** 2 + (y - center[1]) ** 2
        target[0] = np.maximum(target[0], np.exp(-distance / (2 * sigma**2)))
        column, row = (np.clip(int(value), 0, size - 1) for value in center)
        target[0, row, column] = 1
        near = (distance < max(1.5, (0.22 * short) ** 2)) & (distance < nearest)
        nearest[near] = distance[near]
        target[1:3, near] = np.stack([center[0] - x[near], center[1] - y[near]]) * CELL / UNIT
        target[3:7, near] = encode_axes(quad)[:, None]
        target[7, near] = (1.0 if scene.exact else 0.6) * UNIT / CELL / max(short, 1)
    target[8][target[0] > 0.99] = 1
    return target


@dataclass(frozen=True, eq=False)
class CropTargets:
    """Crops for the reader with what is asked of each.

    Attributes:
        crops: uint8 (n, 80, 120, 3), BGR.
        corners: float32 (n, 4, 2), where in the scene each was cut.
        features: int (n, 4), or -1 where not asked.
        whole: float32 (n,), 1 a whole card, 0 none, -1 not asked.
        offsets: float32 (n, 8), corner offsets.
        offset_weight: float32 (n,).
    """

    crops: NDArray[np.uint8]
    corners: NDArray[np.float32]
    features: NDArray[np.int64]
    whole: NDArray[np.float32]
    offsets: NDArray[np.float32]
    offset_weight: NDArray[np.float32]


def reader_crops(scene: Scene, rng: np.random.Generator) -> CropTargets:
    """Cut every card of a scene, more or less well aligned, and some places that are none."""
    crops, cut_at, features, whole, offsets, weights = [], [], [], [], [], []

    def add(quad: NDArray[np.float32], values: tuple[int, ...], is_card: float) -> None:
        crops.append(rectify(scene.image, quad))
        cut_at.append(quad)
        features.append(values)
        whole.append(is_card)

    nothing = (-1, -1, -1, -1)
    for truth, label in zip(scene.corners, scene.labels, strict=True):
        if label == NOTHING_ASKED:
            continue
        if rng.random() < 0.5:
            truth = np.roll(truth, 2, 0)
        guess = _misplace(truth, rng)
        if label == NOT_A_CARD:
            add(guess, nothing, 0.0)
            offsets.append(np.zeros(8))
            weights.append(0.0)
            continue
        if rng.random() < 0.04:
            add(np.roll(truth, 1, 0), nothing, 0.0)
            offsets.append(np.zeros(8))
            weights.append(0.0)
            continue
        overlap = iou(guess, truth)
        asked = tuple(Card.from_index(int(label)).features) if overlap > READABLE else nothing
        add(guess, asked, 1.0 if overlap > FOUND else 0.0 if overlap < MISPLACED else -1.0)
        homography = cv2.getPerspectiveTransform(guess, UNIT_SQUARE)
        moved = cv2.perspectiveTransform(truth[None], homography)[0] - UNIT_SQUARE
        offsets.append(np.clip(moved, -0.5, 0.5).reshape(8))
        weights.append((1.0 if scene.exact else 0.5) if overlap > 0.4 else 0.0)
    for _ in range(2):
        quad = _stray_quad(scene, rng)
        if quad is not None:
            add(quad, nothing, 0.0)
            offsets.append(np.zeros(8))
            weights.append(0.0)
    count = len(crops)
    return CropTargets(
        np.asarray(crops, np.uint8).reshape(count, 80, 120, 3),
        np.asarray(cut_at, np.float32).reshape(count, 4, 2),
        np.array(features, np.int64).reshape(count, 4),
        np.array(whole, np.float32),
        np.asarray(offsets, np.float32).reshape(count, 8),
        np.array(weights, np.float32),
    )


def _misplace(truth: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Shift, scale, turn and bend the corners: mostly a little, sometimes a lot."""
    strength = float(rng.choice([0.012, 0.035, 0.09, 0.25], p=[0.3, 0.45, 0.15, 0.1]))
    center = truth.mean(0)
    long_axis = (truth[1] - truth[0] + truth[2] - truth[3]) / 2
    short_axis = (truth[2] - truth[1] + truth[3] - truth[0]) / 2
    basis = np.stack([long_axis, short_axis])
    local = UNIT_SQUARE - 0.5 + rng.normal(0, strength * 0.5, (4, 2))
    local = local * np.exp(rng.normal(0, strength, 2)) + rng.normal(0, strength, 2)
    moved = (truth - center) @ cv2.getRotationMatrix2D((0, 0), rng.normal(0, 60 * strength), 1.0)[
        :, :2
    ].T
    exact_shape = moved - ((UNIT_SQUARE - 0.5) @ basis)
    return np.asarray(local @ basis + exact_shape + center, np.float32)


def _stray_quad(scene: Scene, rng: np.random.Generator) -> NDArray[np.float32] | None:
    size = scene.image.shape[0]
    short = float(np.exp(rng.uniform(np.log(20), np.log(150))))
    half = np.asarray([[-1.5, -1], [1.5, -1], [1.5, 1], [-1.5, 1]], np.float32) * short / 2
    turn = cv2.getRotationMatrix2D((0, 0), float(rng.uniform(0, 360)), 1.0)[:, :2]
    quad = np.asarray(half @ turn.T + rng.uniform(0, size, 2), np.float32)
    for truth, label in zip(scene.corners, scene.labels, strict=True):
        if label != NOT_A_CARD and iou(quad, truth) > 0.3:
            return None
    return quad


def reader_input(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Crops as the reader takes them: float32 (n, 3, height, width), paper-balanced BGR."""
    return np.ascontiguousarray(balance(crops).transpose(0, 3, 1, 2))
