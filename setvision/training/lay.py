"""Cards, drawn ones and real crops, laid on a background in rows or thrown, with shadows."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision.rectify import UNIT_SQUARE, edge_lengths
from setvision.training.backgrounds import background
from setvision.training.stock import (
    NOT_A_CARD,
    NOTHING_ASKED,
    Scene,
    Stock,
    any_angle,
    keep_visible,
)


@dataclass(frozen=True, eq=False)
class Setting:
    """How one scene looks: the table's homography, what lies on it, its light."""

    table: NDArray[np.float64]
    drawn_share: float
    other_share: float
    shadow: float
    paper: NDArray[np.float64]

    @classmethod
    def at_random(cls, rng: np.random.Generator, size: int) -> Setting:
        """Tilt, squeeze and turn the table; choose shares of drawn cards and of other things."""
        tilt = np.eye(3)
        tilt[2, :2] = rng.normal(0, 0.25, 2) / size if rng.random() < 0.6 else 0
        middle = np.array([[1, 0, size / 2], [0, 1, size / 2], [0, 0, 1.0]])
        squeeze = np.diag([1.0, rng.uniform(0.4, 1.0), 1.0]) if rng.random() < 0.5 else np.eye(3)
        spin = np.vstack([cv2.getRotationMatrix2D((0, 0), any_angle(rng), 1.0), [0, 0, 1]])
        return cls(
            table=middle @ spin @ tilt @ squeeze @ np.linalg.inv(middle),
            drawn_share=float(rng.choice([0.0, 0.35, 1.0], p=[0.35, 0.4, 0.25])),
            other_share=float(rng.choice([0.0, 0.15, 0.6], p=[0.4, 0.4, 0.2])),
            shadow=float(rng.uniform(0, 0.5)),
            paper=np.exp(rng.normal(0, 0.05, 3)) * rng.uniform(0.8, 1.0),
        )


def lay_table(stock: Stock, rng: np.random.Generator, size: int, short_side: float) -> Scene:
    """One drawn scene; the short sides of its cards are about `short_side` pixels."""
    image = np.asarray(background(stock, rng, size), np.float32)
    if rng.random() < 0.2:
        white = rng.uniform(180, 255) * np.exp(rng.normal(0, 0.03, 3))
        image = np.asarray(0.15 * image + 0.85 * white, np.float32)
    setting = Setting.at_random(rng, size)
    owner = np.full((size, size), -1, np.int16)
    placed: list[NDArray[np.float32]] = []
    labels: list[int] = []
    for x, y, angle in _places(rng, size, short_side):
        picture, label = _pick(stock, rng, setting)
        height, width = picture.shape[:2]
        ratio = width / height if label == NOT_A_CARD else rng.uniform(1.45, 1.62)
        half = (UNIT_SQUARE - 0.5) * [ratio * short_side, short_side]
        turn = cv2.getRotationMatrix2D((0, 0), angle, 1.0)[:, :2]
        flat = np.asarray(half @ turn.T + (x, y), np.float32)
        quad = np.asarray(cv2.perspectiveTransform(flat[None], setting.table)[0], np.float32)
        if edge_lengths(quad).max() < 6 or np.abs(quad - size / 2).max() > 2 * size:
            continue
        _paste(image, owner, len(placed), *_sized(picture, quad), setting, rng)
        placed.append(quad)
        labels.append(label)
    visible = [
        label if label < 0 or _symbols_in_sight(owner, index, quad) else NOTHING_ASKED
        for index, (quad, label) in enumerate(zip(placed, labels, strict=True))
    ]
    corners = np.asarray(placed, np.float32).reshape(-1, 4, 2)
    kept = keep_visible(corners, np.array(visible, np.int64), size)
    return Scene(np.asarray(np.clip(image, 0, 255), np.uint8), *kept, exact=True)


def _places(
    rng: np.random.Generator, size: int, short_side: float
) -> list[tuple[float, float, float]]:
    """Centers and angles (degrees) of cards: rows and columns, or thrown at random."""
    long_side = short_side * 1.55
    if rng.random() < 0.55:
        upright = rng.random() < 0.5
        step_x = (short_side if upright else long_side) * rng.uniform(1.0, 1.5)
        step_y = (long_side if upright else short_side) * rng.uniform(1.0, 1.5)
        columns, rows = max(1, int(size / step_x)), max(1, int(size / step_y))
        columns, rows = min(columns, int(rng.integers(1, 10))), min(rows, int(rng.integers(1, 10)))
        left, top = (size - columns * step_x) / 2, (size - rows * step_y) / 2
        wobble = rng.uniform(0, 6)
        return [
            (
                left + (column + 0.5) * step_x + rng.normal(0, 0.03) * short_side,
                top + (row + 0.5) * step_y + rng.normal(0, 0.03) * short_side,
                (90 if upright else 0) + rng.normal(0, wobble),
            )
            for row in range(rows)
            for column in range(columns)
        ]
    crowd = rng.uniform(0.2, 0.8) * size**2 / (short_side * long_side)
    return [
        (*rng.uniform(0.05, 0.95, 2) * size, rng.uniform(0, 360))
        for _ in range(int(np.clip(crowd, 1, 40)))
    ]


def _pick(
    stock: Stock, rng: np.random.Generator, setting: Setting
) -> tuple[NDArray[np.uint8], int]:
    if rng.random() < setting.other_share:
        return stock.others[int(rng.integers(len(stock.others)))], NOT_A_CARD
    return stock.pick_card(rng, setting.drawn_share)


def _sized(
    picture: NDArray[np.uint8], quad: NDArray[np.float32]
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The card's picture, averaged down if it will be small, and its homography to the scene."""
    longest, width = float(edge_lengths(quad).max()), picture.shape[1]
    if longest < 0.6 * width:
        factor = max(longest * 1.3 / width, 0.05)
        small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        picture = np.asarray(small, np.uint8)
    edges = UNIT_SQUARE * np.asarray(picture.shape[1::-1], np.float32) - np.float32(0.5)
    return picture, np.asarray(cv2.getPerspectiveTransform(edges, quad), np.float64)


def _paste(
    image: NDArray[np.float32],
    owner: NDArray[np.int16],
    index: int,
    picture: NDArray[np.uint8],
    homography: NDArray[np.float64],
    setting: Setting,
    rng: np.random.Generator,
) -> None:
    """Lay one card on the scene, its shadow under it; note whose pixels they are now."""
    size = image.shape[0]
    outline = UNIT_SQUARE * np.asarray(picture.shape[1::-1], np.float32)
    reach = cv2.perspectiveTransform(outline[None], homography)[0]
    left, top = np.clip(np.floor(reach.min(0)).astype(int) - 8, 0, size)
    right, bottom = np.clip(np.ceil(reach.max(0)).astype(int) + 8, 0, size)
    if right - left < 2 or bottom - top < 2:
        return
    move = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]])
    layer = cv2.warpPerspective(picture, move @ homography, (int(right - left), int(bottom - top)))
    alpha = np.asarray(layer[..., 3:] / 255, np.float32)
    region = image[top:bottom, left:right]
    if setting.shadow > 0.05:
        dark = cv2.GaussianBlur(alpha[..., 0], (0, 0), 3)
        dark = np.roll(dark, rng.integers(-3, 4, 2).tolist(), (0, 1))
        region *= 1 - setting.shadow * dark[..., None]
    light = np.asarray(setting.paper * np.exp(rng.normal(0, 0.03)), np.float32)
    region *= 1 - alpha
    region += alpha * layer[..., :3] * light
    owner[top:bottom, left:right][alpha[..., 0] > 0.5] = index


def _symbols_in_sight(owner: NDArray[np.int16], index: int, quad: NDArray[np.float32]) -> bool:
    """Whether nothing lies on the middle of a card, where its symbols are."""
    middle = quad.mean(0) + (quad - quad.mean(0)) * np.float32(0.78)
    mask = np.zeros(owner.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(middle).astype(np.int32), 1)
    covered = np.count_nonzero((owner != index) & (mask > 0))
    return bool(covered <= 0.015 * np.count_nonzero(mask))
