"""Batches of random scenes for both networks; item i of a seed is always the same."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from setvision.classify import reader_input
from setvision.training.camera import photograph
from setvision.training.scenes import draw_scene
from setvision.training.stock import Scene, Stock
from setvision.training.targets import finder_target, misled_crops, reader_crops

FINDER_SIZE = 448
FINDER_BATCH = 8
FINDER_CARD_SIZES = (15.0, 170.0)
READER_SIZE = 576
READER_BATCH = 12
READER_CARD_SIZES = (22.0, 150.0)


class FinderScenes(Dataset[tuple[Tensor, Tensor]]):
    """Pictures, float32 (3, 448, 448) BGR 0 to 1, with `finder_target`."""

    def __init__(self, stock: Stock, seed: int, length: int) -> None:
        self.stock, self.seed, self.length = stock, seed, length

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        rng = np.random.default_rng((self.seed, index))
        scene = draw_scene(self.stock, rng, FINDER_SIZE, FINDER_CARD_SIZES)
        picture = photograph(scene.image, rng).transpose(2, 0, 1)
        tensor = torch.from_numpy(np.ascontiguousarray(picture)).float() / 255
        return tensor, torch.from_numpy(finder_target(scene))


class ReaderScenes(Dataset[tuple[Tensor, ...]]):
    """All crops of one scene: inputs, features, whole, offsets, offset weights.

    With `mislead`, the finder in models/ also names the places that it takes for cards.
    """

    def __init__(self, stock: Stock, seed: int, length: int, mislead: bool) -> None:
        self.stock, self.seed, self.length, self.mislead = stock, seed, length, mislead

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> tuple[Tensor, ...]:
        rng = np.random.default_rng((self.seed, index))
        scene = draw_scene(self.stock, rng, READER_SIZE, READER_CARD_SIZES)
        scene = Scene(photograph(scene.image, rng), scene.corners, scene.labels, scene.exact)
        cut = reader_crops(scene, rng) + (misled_crops(scene) if self.mislead else [])
        if not cut:
            return self[index + self.length]
        crops, _, features, whole, offsets, weights = zip(*cut, strict=True)
        return (
            torch.from_numpy(reader_input(np.stack(crops))),
            torch.tensor(features),
            torch.tensor(whole),
            torch.from_numpy(np.stack(offsets)),
            torch.tensor(weights),
        )


def _one_thread(_: int) -> None:
    cv2.setNumThreads(1)
    torch.set_num_threads(1)


def _join(items: list[tuple[Tensor, ...]]) -> tuple[Tensor, ...]:
    return tuple(torch.cat(parts) for parts in zip(*items, strict=True))


def finder_batches(stock: Stock, seed: int, steps: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Batches of `FINDER_BATCH` scenes, made in a process of their own."""
    scenes = FinderScenes(stock, seed, steps * FINDER_BATCH)
    return iter(
        DataLoader(scenes, FINDER_BATCH, num_workers=1, worker_init_fn=_one_thread, drop_last=True)
    )


def reader_batches(
    stock: Stock, seed: int, steps: int, mislead: bool
) -> Iterator[tuple[Tensor, ...]]:
    """Batches of all crops of `READER_BATCH` scenes, made in a process of their own."""
    scenes = ReaderScenes(stock, seed, steps * READER_BATCH, mislead)
    return iter(
        DataLoader(
            scenes, READER_BATCH, num_workers=1, worker_init_fn=_one_thread, collate_fn=_join
        )
    )
