"""What the networks are asked: targets made from scenes."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision.cards import Card
from setvision.detect import CELL, UNIT, encode_axes, look
from setvision.rectify import UNIT_SQUARE, edge_lengths, iou, mean_sides, rectify
from setvision.training.stock import NOT_A_CARD, NOTHING_ASKED, Scene

FOUND, MISPLACED = 0.75, 0.5
"""A crop is a whole card above the first IoU with the truth, none below the second."""

READABLE, REACHABLE = 0.65, 0.4
"""Above these IoU a crop's features and its corner offsets are asked for."""

HAND_MARKED = 0.25
"""Weight of corners marked by hand, which are some percent of a card off, beside exact ones."""

CROSSWISE_SHARE = 0.04
"""Share of cards cut with the long and the short side exchanged; those are no whole cards."""

STRAY_CROPS = 5
"""Crops a scene of any places where no card lies."""

CARD_FREE = 0.15
"""A place whose IoU with every card is below this shows no card."""


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


class CropTarget(NamedTuple):
    """One crop for the reader with what is asked of it.

    Attributes:
        crop: uint8 (80, 120, 3), BGR.
        corners: float32 (4, 2), where in the scene it was cut.
        features: the card's values, or -1 four times where not asked.
        whole: 1 for a whole card, 0 for none, -1 where not asked.
        offsets: float32 (8,), corner offsets as `move_corners` takes them.
        offset_weight: how much they count.
    """

    crop: NDArray[np.uint8]
    corners: NDArray[np.float32]
    features: tuple[int, int, int, int]
    whole: float
    offsets: NDArray[np.float32]
    offset_weight: float


_NO_FEATURES = (-1, -1, -1, -1)


def reader_crops(scene: Scene, rng: np.random.Generator) -> list[CropTarget]:
    """Cut every card of a scene, more or less well aligned, and some places that are none."""
    crops = []
    for truth, label in zip(scene.corners, scene.labels, strict=True):
        if label == NOTHING_ASKED:
            continue
        if rng.random() < 0.5:
            truth = np.roll(truth, 2, 0)
        if label == NOT_A_CARD:
            crops.append(_cut_nothing(scene, _misplace(truth, rng)))
        elif rng.random() < CROSSWISE_SHARE:
            crops.append(_cut_nothing(scene, np.roll(truth, 1, 0)))
        else:
            crops.append(_cut_card(scene, truth, int(label), _misplace(truth, rng)))
    stray = [_stray_quad(scene, rng) for _ in range(STRAY_CROPS)]
    return crops + [_cut_nothing(scene, quad) for quad in stray if _is_card_free(scene, quad)]


def misled_crops(scene: Scene) -> list[CropTarget]:
    """Cut the places where the finder sees a card and there is none: the hardest negatives."""
    corners, _ = look(scene.image, max(scene.image.shape[:2]))
    return [_cut_nothing(scene, quad) for quad in corners if _is_card_free(scene, quad)]


def _cut_nothing(scene: Scene, quad: NDArray[np.float32]) -> CropTarget:
    offsets = np.zeros(8, np.float32)
    return CropTarget(rectify(scene.image, quad), quad, _NO_FEATURES, 0.0, offsets, 0.0)


def _cut_card(
    scene: Scene, truth: NDArray[np.float32], label: int, guess: NDArray[np.float32]
) -> CropTarget:
    overlap = iou(guess, truth)
    homography = cv2.getPerspectiveTransform(guess, UNIT_SQUARE)
    moved = cv2.perspectiveTransform(truth[None], homography)[0] - UNIT_SQUARE
    trust = 1.0 if scene.exact else HAND_MARKED
    return CropTarget(
        crop=rectify(scene.image, guess),
        corners=guess,
        features=Card.from_index(label).features if overlap > READABLE else _NO_FEATURES,
        whole=1.0 if overlap > FOUND else 0.0 if overlap < MISPLACED else -1.0,
        offsets=np.asarray(np.clip(moved, -0.5, 0.5).reshape(8), np.float32),
        offset_weight=trust if overlap > REACHABLE else 0.0,
    )


def _misplace(truth: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Shift, scale, shear, turn and bend the corners: mostly a little, sometimes a lot."""
    strength = float(rng.choice([0.012, 0.035, 0.09, 0.25], p=[0.3, 0.45, 0.15, 0.1]))
    center = truth.mean(0)
    basis = mean_sides(truth)
    local = UNIT_SQUARE - 0.5 + rng.normal(0, strength * 0.5, (4, 2))
    local = local * np.exp(rng.normal(0, strength, 2)) + rng.normal(0, strength, 2)
    local = local + local[:, ::-1] * rng.normal(0, 1.5 * strength, 2)
    turn = cv2.getRotationMatrix2D((0, 0), rng.normal(0, 60 * strength), 1.0)[:, :2]
    moved = (truth - center) @ turn.T
    exact_shape = moved - ((UNIT_SQUARE - 0.5) @ basis)
    return np.asarray(local @ basis + exact_shape + center, np.float32)


def _stray_quad(scene: Scene, rng: np.random.Generator) -> NDArray[np.float32]:
    size = scene.image.shape[0]
    short = float(np.exp(rng.uniform(np.log(20), np.log(150))))
    half = np.asarray([[-1.5, -1], [1.5, -1], [1.5, 1], [-1.5, 1]], np.float32) * short / 2
    turn = cv2.getRotationMatrix2D((0, 0), float(rng.uniform(0, 360)), 1.0)[:, :2]
    return np.asarray(half @ turn.T + rng.uniform(0, size, 2), np.float32)


def _is_card_free(scene: Scene, quad: NDArray[np.float32]) -> bool:
    """Whether a place touches no card, not even one about which nothing is asked."""
    return not any(
        label != NOT_A_CARD and iou(quad, truth) > CARD_FREE
        for truth, label in zip(scene.corners, scene.labels, strict=True)
    )
