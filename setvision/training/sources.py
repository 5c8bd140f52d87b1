"""The labelled photos and crops, kept apart by the people who took them."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision.cards import Card
from setvision.rectify import edge_lengths, mean_sides

HELD_OUT = ("dbieber", "gorgeousone", "koff", "olincollege", "rotemabend", "vidagy", "wangtian")
"""Sources left out of the run that the model card reports; photos and crops of seven people."""

LONGEST_SIDE = 1400
"""Photos are kept in memory at this size at most; training never needs more."""

_SQUARE_LOOKING = 1.25
"""Below this ratio of sides, tilt may have turned a card's long side into the shorter one."""


@dataclass(frozen=True, eq=False)
class LabelledPhoto:
    """A photo with its truth.

    Attributes:
        image: uint8 (H, W, 3), BGR.
        corners: float32 (n, 4, 2), pixels, clockwise, the first edge a long side of the card.
        labels: int (n,), index of each card in the deck, or -1 for a place to be ignored.
        source: the person who took it.
    """

    image: NDArray[np.uint8]
    corners: NDArray[np.float32]
    labels: NDArray[np.int64]
    source: str


@dataclass(frozen=True, eq=False)
class CardCrop:
    """A picture of one whole card, uint8 (H, W, 3) BGR, lying on its long side."""

    image: NDArray[np.uint8]
    label: int
    source: str


def load_photos(folder: Path, without: tuple[str, ...] = ()) -> list[LabelledPhoto]:
    """Read ``labels.json`` and its photos, leaving out the named sources."""
    entries = json.loads((folder / "labels.json").read_text())["photos"]
    return [_load_photo(folder, entry) for entry in entries if entry["source"] not in without]


def _load_photo(folder: Path, entry: dict[str, object]) -> LabelledPhoto:
    image = _load(folder / str(entry["file"]))
    scale = min(1.0, LONGEST_SIDE / max(image.shape[:2]))
    if scale < 1:
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        image = np.asarray(small, np.uint8)
    size = np.asarray([image.shape[1], image.shape[0]], np.float32)
    cards = entry["cards"]
    assert isinstance(cards, list)
    corners = np.asarray([np.float32(card["quad"]) * size for card in cards], np.float32).reshape(
        -1, 4, 2
    )
    labels = np.array(
        [-1 if card["optional"] else Card.parse(card["card"]).index for card in cards], np.int64
    )
    corners, sure = _long_side_first(corners)
    labels[~sure] = -1
    return LabelledPhoto(image, corners, labels, str(entry["source"]))


def _load(path: Path) -> NDArray[np.uint8]:
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise FileNotFoundError(path)
    return np.asarray(image, np.uint8)


def _long_side_first(
    corners: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Turn the corner order so that a long side comes first; where tilt makes a card look square,
    its nearest neighbour that lies the same way tells which side is long."""
    turned, sure = [], []
    for quad in corners:
        lengths = edge_lengths(quad)
        ratio = np.sqrt(lengths[0] * lengths[2] / (lengths[1] * lengths[3]))
        turned.append(quad if ratio >= 1 else np.roll(quad, -1, 0))
        sure.append(max(ratio, 1 / ratio) >= _SQUARE_LOOKING)
    for index in np.flatnonzero(~np.array(sure, bool)):
        quad = turned[index]
        neighbours = sorted(
            (i for i in range(len(turned)) if sure[i] and i != index),
            key=lambda i: float(np.linalg.norm(turned[i].mean(0) - quad.mean(0))),
        )
        for other in neighbours:
            alignment = abs(float(_direction(turned[other]) @ _direction(quad)))
            if alignment > 0.94 or alignment < 0.34:
                if alignment < 0.34:
                    turned[index] = np.roll(quad, -1, 0)
                sure[index] = True
                break
    return np.asarray(turned, np.float32).reshape(-1, 4, 2), np.array(sure, bool)


def _direction(quad: NDArray[np.float32]) -> NDArray[np.float32]:
    along = mean_sides(quad)[0]
    return np.asarray(along / np.linalg.norm(along), np.float32)


def load_crops(
    folder: Path, without: tuple[str, ...] = (), most_per_source: int = 700, seed: int = 0
) -> list[CardCrop]:
    """Read ``manifest.csv`` and its crops, at most so many a source, leaving some sources out.

    Crops with black bars, which are not whole cards, and those of ``nicolashahn-game``, which
    stand among the photos too, are passed over.
    """
    with (folder / "manifest.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["source"] not in without]
    order = np.random.default_rng(seed).permutation(len(rows))
    taken: dict[str, int] = {"nicolashahn-game": most_per_source}
    crops = []
    for row in (rows[i] for i in order):
        if taken.get(row["source"], 0) >= most_per_source:
            continue
        image = _load(folder / row["file"])
        if _has_black_bar(image):
            continue
        if image.shape[0] > image.shape[1]:
            image = np.rot90(image, -1)
        taken[row["source"]] = taken.get(row["source"], 0) + 1
        name = "-".join(row[key] for key in ("number", "color", "shading", "shape"))
        crops.append(CardCrop(image, Card.parse(name).index, row["source"]))
    return crops


def _has_black_bar(image: NDArray[np.uint8]) -> bool:
    edges = (image[2], image[-3], image[:, 2], image[:, -3])
    return any(float(edge.mean()) < 12 for edge in edges)
