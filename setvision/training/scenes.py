"""Table scenes with known truth: labelled photos bent at random, and cards laid on backgrounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision.cards import deck
from setvision.rectify import area, edge_lengths
from setvision.render.symbols import draw_card, draw_other_card, random_style
from setvision.training.sources import CardCrop, LabelledPhoto

NOTHING_ASKED = -1
"""Label of a card that is hidden, cut off or doubtful: neither found nor missed."""

NOT_A_CARD = -2
"""Label of a card-like thing that is no SET card."""


DRAWN_PER_CARD = 30
OTHER_CARDS = 1200
"""How many pictures of drawn cards a stock holds; each drawn card has a style of its own."""


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture and the truth about it.

    Attributes:
        image: uint8 (H, W, 3), BGR.
        corners: float32 (n, 4, 2), pixels, clockwise, a long side first.
        labels: int (n,), index in the deck, or `NOTHING_ASKED` or `NOT_A_CARD`.
        exact: whether the corners are known to the pixel, not marked by hand.
    """

    image: NDArray[np.uint8]
    corners: NDArray[np.float32]
    labels: NDArray[np.int64]
    exact: bool


@dataclass(frozen=True, eq=False)
class Stock:
    """What scenes are made from: photos by source, single cards, and backgrounds."""

    photos: dict[str, list[LabelledPhoto]]
    crops: dict[str, list[CardCrop]]
    drawn: list[tuple[NDArray[np.uint8], int]]
    others: list[NDArray[np.uint8]]

    @classmethod
    def of(cls, photos: Sequence[LabelledPhoto], crops: Sequence[CardCrop], seed: int) -> Stock:
        """Sort by source, so that each source can be drawn equally often, and draw cards."""
        rng = np.random.default_rng(seed)
        by_source: dict[str, list[LabelledPhoto]] = {}
        for photo in photos:
            by_source.setdefault(photo.source, []).append(photo)
        crops_by_source: dict[str, list[CardCrop]] = {}
        for crop in crops:
            crops_by_source.setdefault(crop.source, []).append(crop)
        drawn = [
            (draw_card(card, 220, random_style(rng)), card.index)
            for card in deck()
            for _ in range(DRAWN_PER_CARD)
        ]
        others = [draw_other_card(rng, 220) for _ in range(OTHER_CARDS)]
        return cls(by_source, crops_by_source, drawn, others)


def draw_scene(
    stock: Stock,
    rng: np.random.Generator,
    size: int,
    card_sizes: tuple[float, float],
    photo_share: float = 0.55,
) -> Scene:
    """One square scene of `size` pixels, its cards' short sides about `card_sizes` pixels."""
    low, high = np.log(card_sizes)
    short_side = float(np.exp(rng.uniform(low, high)))
    if rng.random() < photo_share:
        return _bend_photo(stock, rng, size, short_side)
    return _lay_table(stock, rng, size, short_side)


def _pick_photo(stock: Stock, rng: np.random.Generator) -> LabelledPhoto:
    sources = list(stock.photos)
    weights = np.sqrt([len(stock.photos[source]) for source in sources])
    source = sources[int(rng.choice(len(sources), p=weights / weights.sum()))]
    return stock.photos[source][int(rng.integers(len(stock.photos[source])))]


def _angle(rng: np.random.Generator) -> float:
    if rng.random() < 0.5:
        return float(rng.uniform(0, 360))
    return float(rng.integers(4) * 90 + rng.normal(0, 8))


def _bend_photo(stock: Stock, rng: np.random.Generator, size: int, short_side: float) -> Scene:
    photo = _pick_photo(stock, rng)
    height, width = photo.image.shape[:2]
    if len(photo.corners):
        sides = [float(edge_lengths(quad).min()) for quad in photo.corners]
        focus = photo.corners[int(rng.integers(len(photo.corners)))].mean(0)
        scale = short_side / float(np.median(sides))
        scale = min(scale, 2.0)
        focus = focus + rng.normal(0, 0.15, 2) * size / scale
    else:
        focus = rng.uniform(0.2, 0.8, 2) * (width, height)
        scale = size / min(width, height) * float(rng.uniform(0.5, 2))
    turn = cv2.getRotationMatrix2D((0, 0), _angle(rng), scale)[:, :2]
    if rng.random() < 0.5:
        turn = turn @ np.diag([-1, 1])
    squeeze = np.diag([1.0, float(rng.uniform(0.6, 1.0))]) if rng.random() < 0.4 else np.eye(2)
    direction = float(rng.uniform(0, np.pi))
    spin = np.array(
        [[np.cos(direction), -np.sin(direction)], [np.sin(direction), np.cos(direction)]]
    )
    linear = spin @ squeeze @ spin.T @ turn
    homography = np.eye(3)
    homography[:2, :2] = linear
    homography[:2, 2] = -linear @ focus
    tilt = np.eye(3)
    tilt[2, :2] = rng.normal(0, 0.22, 2) / size if rng.random() < 0.6 else 0
    shift = np.eye(3)
    shift[:2, 2] = size / 2
    homography = shift @ tilt @ homography
    source = photo.image
    if scale < 0.7:
        factor = max(scale * 1.4, 0.1)
        source = cv2.resize(source, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        back = np.diag([width / source.shape[1], height / source.shape[0], 1.0])
        pixels = homography @ back
    else:
        pixels = homography
    image = cv2.warpPerspective(source, pixels, (size, size), flags=cv2.INTER_LINEAR)
    covered = cv2.warpPerspective(
        np.full(source.shape[:2], 255, np.uint8), pixels, (size, size), flags=cv2.INTER_NEAREST
    )
    if not covered.all():
        around = _background(stock, rng, size)
        image = np.where(covered[..., None] > 0, image, around)
    if len(photo.corners):
        corners = cv2.perspectiveTransform(photo.corners.reshape(1, -1, 2), homography)
        corners = np.float32(corners.reshape(-1, 4, 2))
        corners, labels = _keep_visible(corners, photo.labels, size)
    else:
        corners, labels = np.zeros((0, 4, 2), np.float32), np.zeros(0, np.int64)
    return Scene(np.asarray(image, np.uint8), corners, labels, exact=False)


def _keep_visible(
    corners: NDArray[np.float32], labels: NDArray[np.int64], size: int
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Drop cards outside the picture, turn mirrored corners clockwise, ignore those cut off."""
    frame = np.float32([[0, 0], [size, 0], [size, size], [0, size]])
    kept, kept_labels = [], []
    for quad, label in zip(corners, labels, strict=True):
        if area(quad) < 0:
            quad = quad[[1, 0, 3, 2]]
        inside = cv2.intersectConvexConvex(quad, frame)[0] / max(1.0, abs(area(quad)))
        if inside < 0.05:
            continue
        kept.append(quad)
        kept_labels.append(label if inside > 0.93 or label < 0 else NOTHING_ASKED)
    return np.float32(kept).reshape(-1, 4, 2), np.array(kept_labels, np.int64)


def _background(stock: Stock, rng: np.random.Generator, size: int) -> NDArray[np.uint8]:
    """A card-free piece of a photo, or a plain or textured surface."""
    if rng.random() < 0.6:
        for _ in range(12):
            photo = _pick_photo(stock, rng)
            height, width = photo.image.shape[:2]
            side = int(min(height, width) * rng.uniform(0.12, 0.6))
            x, y = int(rng.integers(width - side + 1)), int(rng.integers(height - side + 1))
            box = np.float32([[x, y], [x + side, y], [x + side, y + side], [x, y + side]])
            if not any(cv2.intersectConvexConvex(quad, box)[0] > 0 for quad in photo.corners):
                patch = photo.image[y : y + side, x : x + side]
                patch = np.rot90(patch, int(rng.integers(4)))
                return np.asarray(
                    cv2.resize(patch, (size, size), interpolation=cv2.INTER_LINEAR), np.uint8
                )
    base = rng.uniform(10, 250) * np.exp(rng.normal(0, rng.choice([0.04, 0.15, 0.5]), 3))
    surface = np.full((size, size, 3), base, np.float32)
    for _ in range(int(rng.integers(1, 4))):
        cells = np.array(rng.integers(2, 160, 2))
        if rng.random() < 0.3:
            cells[int(rng.integers(2))] = 2
        channels = 1 if rng.random() < 0.6 else 3
        noise = rng.normal(0, rng.uniform(3, 30), (*cells, channels)).astype(np.float32)
        pattern = cv2.resize(noise, (size, size), interpolation=cv2.INTER_CUBIC)
        surface += pattern.reshape(size, size, channels)
    if rng.random() < 0.3:
        step, angle = rng.uniform(8, 80), rng.uniform(0, np.pi)
        x, y = np.meshgrid(np.arange(size), np.arange(size))
        wave = np.sin((np.cos(angle) * x + np.sin(angle) * y) * 2 * np.pi / step)
        surface += (np.sign(wave) if rng.random() < 0.5 else wave)[..., None] * rng.uniform(5, 50)
    return np.asarray(np.clip(surface, 0, 255), np.uint8)


def _card_picture(
    stock: Stock, rng: np.random.Generator, drawn_share: float
) -> tuple[NDArray[np.uint8], int]:
    """A card lying on its long side, uint8 (H, W, 4) BGRA, and its index in the deck."""
    if rng.random() < drawn_share or not stock.crops:
        return stock.drawn[int(rng.integers(len(stock.drawn)))]
    sources = list(stock.crops)
    crops = stock.crops[sources[int(rng.integers(len(sources)))]]
    crop = crops[int(rng.integers(len(crops)))]
    height, width = crop.image.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    radius = max(2, int(height * rng.uniform(0.03, 0.1)))
    cv2.rectangle(mask, (radius, 0), (width - radius - 1, height - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (width - 1, height - radius - 1), 255, -1)
    for x in (radius, width - radius - 1):
        for y in (radius, height - radius - 1):
            cv2.circle(mask, (x, y), radius, 255, -1)
    return np.dstack([crop.image, mask]), crop.label


def _layout(
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


def _lay_table(stock: Stock, rng: np.random.Generator, size: int, short_side: float) -> Scene:
    image = _background(stock, rng, size).astype(np.float32)
    if rng.random() < 0.2:
        image = 0.15 * image + 0.85 * rng.uniform(180, 255) * np.exp(rng.normal(0, 0.03, 3))
        image = np.asarray(image, np.float32)
    placed: list[NDArray[np.float32]] = []
    labels: list[int] = []
    owner = np.full((size, size), -1, np.int16)
    tilt = np.eye(3)
    tilt[2, :2] = rng.normal(0, 0.25, 2) / size if rng.random() < 0.6 else 0
    middle = np.array([[1, 0, size / 2], [0, 1, size / 2], [0, 0, 1.0]])
    squeeze = np.diag([1.0, rng.uniform(0.6, 1.0), 1.0]) if rng.random() < 0.4 else np.eye(3)
    spin = np.vstack([cv2.getRotationMatrix2D((0, 0), _angle(rng), 1.0), [0, 0, 1]])
    table = middle @ spin @ tilt @ squeeze @ np.linalg.inv(middle)
    drawn_share = float(rng.choice([0.0, 0.35, 1.0], p=[0.35, 0.4, 0.25]))
    other_share = float(rng.choice([0.0, 0.15, 0.6], p=[0.4, 0.4, 0.2]))
    shadow = float(rng.uniform(0, 0.5))
    paper = np.exp(rng.normal(0, 0.05, 3)) * rng.uniform(0.8, 1.0)
    for x, y, angle in _layout(rng, size, short_side):
        if rng.random() < other_share:
            picture = stock.others[int(rng.integers(len(stock.others)))]
            label = NOT_A_CARD
        else:
            picture, label = _card_picture(stock, rng, drawn_share)
        height, width = picture.shape[:2]
        ratio = width / height if label == NOT_A_CARD else rng.uniform(1.45, 1.62)
        half = np.float32([[-ratio, -1], [ratio, -1], [ratio, 1], [-ratio, 1]]) * short_side / 2
        turn = cv2.getRotationMatrix2D((0, 0), angle, 1.0)[:, :2]
        quad = cv2.perspectiveTransform(np.float32(half @ turn.T + (x, y))[None], table)[0]
        corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5
        longest = float(edge_lengths(quad).max())
        if longest < 6 or not np.all(np.abs(quad - size / 2) < 2 * size):
            continue
        if longest < 0.6 * width:
            factor = max(longest * 1.3 / width, 0.05)
            picture = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
            corners = (corners + 0.5) * np.float32(
                [picture.shape[1] / width, picture.shape[0] / height]
            ) - np.float32(0.5)
        homography = cv2.getPerspectiveTransform(np.float32(corners), np.float32(quad))
        _paste(image, owner, len(placed), picture, homography, shadow, rng, paper)
        placed.append(np.float32(quad))
        labels.append(label)
    visible = [
        label if label < 0 or _symbols_in_sight(owner, index, quad) else NOTHING_ASKED
        for index, (quad, label) in enumerate(zip(placed, labels, strict=True))
    ]
    corners = np.float32(placed).reshape(-1, 4, 2)
    corners, kept = _keep_visible(corners, np.array(visible, np.int64), size)
    return Scene(np.asarray(np.clip(image, 0, 255), np.uint8), corners, kept, exact=True)


def _paste(
    image: NDArray[np.float32],
    owner: NDArray[np.int16],
    index: int,
    picture: NDArray[np.uint8],
    homography: NDArray[np.float64],
    shadow: float,
    rng: np.random.Generator,
    paper: NDArray[np.float64],
) -> None:
    size = image.shape[0]
    height, width = picture.shape[:2]
    outline = np.float32([[[0, 0], [width, 0], [width, height], [0, height]]])
    reach = cv2.perspectiveTransform(outline, homography)[0]
    left, top = np.clip(np.floor(reach.min(0)).astype(int) - 8, 0, size)
    right, bottom = np.clip(np.ceil(reach.max(0)).astype(int) + 8, 0, size)
    if right - left < 2 or bottom - top < 2:
        return
    move = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]])
    layer = cv2.warpPerspective(picture, move @ homography, (int(right - left), int(bottom - top)))
    alpha = layer[..., 3:].astype(np.float32) / 255
    region = image[top:bottom, left:right]
    if shadow > 0.05:
        dark = cv2.GaussianBlur(alpha[..., 0], (0, 0), 3)
        dark = np.roll(dark, (int(rng.integers(-3, 4)), int(rng.integers(-3, 4))), (0, 1))
        region *= 1 - shadow * dark[..., None]
    light = np.float32(paper * np.exp(rng.normal(0, 0.03)))
    region *= 1 - alpha
    region += alpha * layer[..., :3] * light
    owner[top:bottom, left:right][alpha[..., 0] > 0.5] = index


def _symbols_in_sight(owner: NDArray[np.int16], index: int, quad: NDArray[np.float32]) -> bool:
    """Whether nothing lies on the middle of a card, where its symbols are."""
    size = owner.shape[0]
    middle = quad.mean(0) + (quad - quad.mean(0)) * np.float32(0.78)
    mask = np.zeros((size, size), np.uint8)
    cv2.fillConvexPoly(mask, np.round(middle).astype(np.int32), 1)
    covered = np.count_nonzero((owner != index) & (mask > 0))
    return bool(covered <= 0.015 * np.count_nonzero(mask))
