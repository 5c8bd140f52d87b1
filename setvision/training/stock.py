"""What scenes are made from, and what a scene is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision.cards import deck
from setvision.rectify import area
from setvision.render.surfaces import Surface, draw_surface
from setvision.render.symbols import draw_card, draw_other_card, random_style
from setvision.training.sources import CardCrop, LabelledPhoto

NOTHING_ASKED = -1
"""Label of a card that is hidden, cut off or doubtful: neither found nor missed."""

NOT_A_CARD = -2
"""Label of a card-like thing that is no SET card."""


DRAWN_PER_CARD = 30
OTHER_CARDS = 1200
TABLETOPS_PER_SURFACE = 8
"""How many drawn pictures a stock holds; each card and each tabletop has a look of its own."""

TABLETOP_SIZE = 800


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
    tabletops: list[NDArray[np.uint8]]

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
        tabletops = [
            draw_surface(surface, rng, TABLETOP_SIZE, TABLETOP_SIZE, float(rng.uniform(120, 300)))
            for surface in Surface
            for _ in range(TABLETOPS_PER_SURFACE)
        ]
        return cls(by_source, crops_by_source, drawn, others, tabletops)

    def pick_photo(self, rng: np.random.Generator) -> LabelledPhoto:
        """Any source, larger ones somewhat more often; then any of its photos."""
        sources = list(self.photos)
        weights = np.sqrt([len(self.photos[source]) for source in sources])
        source = sources[int(rng.choice(len(sources), p=weights / weights.sum()))]
        return self.photos[source][int(rng.integers(len(self.photos[source])))]

    def pick_card(
        self, rng: np.random.Generator, drawn_share: float
    ) -> tuple[NDArray[np.uint8], int]:
        """A card lying on its long side, uint8 (H, W, 4) BGRA, and its index in the deck."""
        if rng.random() < drawn_share or not self.crops:
            return self.drawn[int(rng.integers(len(self.drawn)))]
        sources = list(self.crops)
        crops = self.crops[sources[int(rng.integers(len(sources)))]]
        crop = crops[int(rng.integers(len(crops)))]
        return _with_round_corners(crop.image, float(rng.uniform(0.03, 0.1))), crop.label


def _with_round_corners(image: NDArray[np.uint8], share: float) -> NDArray[np.uint8]:
    height, width = image.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    radius = max(2, int(height * share))
    cv2.rectangle(mask, (radius, 0), (width - radius - 1, height - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (width - 1, height - radius - 1), 255, -1)
    for x in (radius, width - radius - 1):
        for y in (radius, height - radius - 1):
            cv2.circle(mask, (x, y), radius, 255, -1)
    return np.dstack([image, mask])


def keep_visible(
    corners: NDArray[np.float32], labels: NDArray[np.int64], size: int
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Drop cards outside the picture, turn mirrored corners clockwise, ignore those cut off."""
    frame = np.asarray([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    kept, kept_labels = [], []
    for quad, label in zip(corners, labels, strict=True):
        if area(quad) < 0:
            quad = quad[[1, 0, 3, 2]]
        inside = cv2.intersectConvexConvex(quad, frame)[0] / max(1.0, abs(area(quad)))
        if inside < 0.05:
            continue
        kept.append(quad)
        kept_labels.append(label if inside > 0.93 or label < 0 else NOTHING_ASKED)
    return np.asarray(kept, np.float32).reshape(-1, 4, 2), np.array(kept_labels, np.int64)


def any_angle(rng: np.random.Generator) -> float:
    """Degrees: half the time any, else near a multiple of a right angle."""
    if rng.random() < 0.5:
        return float(rng.uniform(0, 360))
    return float(rng.integers(4) * 90 + rng.normal(0, 8))
