"""How well single cards are read, by source and feature, with calibration; for the model card."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from setvision.cards import FEATURES, Card
from setvision.classify import judge
from setvision.models import prefer
from setvision.rectify import UNIT_SQUARE
from setvision.training.sources import CardCrop, LabelledPhoto, load_crops, load_photos


@dataclass(frozen=True, eq=False)
class Judged:
    """Cards of known label with the network's beliefs.

    Attributes:
        source: who took each, (n,).
        truth: int (n, 4), the features' values.
        features: float32 (n, 4, 3), probabilities.
        whole: float32 (n,), probability of being a whole card.
    """

    source: NDArray[np.str_]
    truth: NDArray[np.int64]
    features: NDArray[np.float32]
    whole: NDArray[np.float32]

    def right(self) -> NDArray[np.bool_]:
        """Whether each feature of each card is right, bool (n, 4)."""
        return np.asarray(self.features.argmax(2) == self.truth, np.bool_)


def judge_labelled(photos: Sequence[LabelledPhoto], crops: Sequence[CardCrop]) -> Judged:
    """Read every labelled card of the photos at its labelled corners, and every crop."""
    sources, truth, features, whole = [], [], [], []
    for photo in photos:
        asked = photo.labels >= 0
        beliefs = judge(photo.image, photo.corners[asked])
        sources += [photo.source] * int(asked.sum())
        truth += [Card.from_index(int(label)).features for label in photo.labels[asked]]
        features.append(beliefs.features)
        whole.append(beliefs.whole)
    for crop in crops:
        height, width = crop.image.shape[:2]
        pad_x, pad_y = round(0.12 * width), round(0.12 * height)
        padded = np.pad(crop.image, ((pad_y, pad_y), (pad_x, pad_x), (0, 0)), "edge")
        quad = UNIT_SQUARE * np.asarray([width, height]) + np.asarray([pad_x, pad_y]) - 0.5
        beliefs = judge(padded, np.asarray(quad, np.float32)[None], looks=1)
        sources.append(crop.source)
        truth.append(Card.from_index(crop.label).features)
        features.append(beliefs.features)
        whole.append(beliefs.whole)
    return Judged(
        np.array(sources), np.array(truth), np.concatenate(features), np.concatenate(whole)
    )


def table(judged: Judged) -> list[str]:
    """Markdown lines: cards, whole cards right and each feature right, a line a source."""
    names = [feature.__name__.lower() for feature in FEATURES]
    lines = [f"| source | cards | whole card | {' | '.join(names)} |", "|---" * 7 + "|"]
    right = judged.right()
    for source in (*sorted(set(judged.source.tolist())), "all"):
        rows = right if source == "all" else right[judged.source == source]
        shares = [rows.all(1).mean(), *rows.mean(0)]
        lines.append(f"| {source} | {len(rows)} | {' | '.join(f'{x:.1%}' for x in shares)} |")
    return lines


def calibration_error(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Expected calibration error over 15 bins of equal width (Guo et al., 2017)."""
    bins = np.minimum((confidence * 15).astype(int), 14)
    return float(
        sum(
            np.mean(bins == b) * abs(confidence[bins == b].mean() - right[bins == b].mean())
            for b in np.unique(bins)
        )
    )


def fit_temperature(judged: Judged) -> float:
    """The temperature that makes the features' probabilities most likely (Guo et al., 2017)."""
    logits = np.log(np.maximum(judged.features.astype(np.float64), 1e-30))
    scores = {}
    for temperature in np.geomspace(0.5, 4, 85):
        scaled = logits / temperature
        scaled -= np.log(np.exp(scaled).sum(2, keepdims=True))
        chosen = np.take_along_axis(scaled, judged.truth[..., None], 2)
        scores[float(temperature)] = float(chosen.mean())
    return max(scores, key=scores.__getitem__)


def main() -> None:
    """Print the table and the calibration for the sources named, or for all."""
    parser = argparse.ArgumentParser(prog="python -m setvision.training.measure")
    parser.add_argument("data", type=Path, help="folder with photos/ and crops/")
    parser.add_argument("sources", nargs="*", help="only these; all if none is named")
    parser.add_argument("--models", type=Path, help="folder of a training run")
    args = parser.parse_args()
    if args.models:
        prefer(args.models)

    def wanted(source: str) -> bool:
        return not args.sources or source in args.sources

    photos = [photo for photo in load_photos(args.data / "photos") if wanted(photo.source)]
    crops = load_crops(args.data / "crops", most_per_source=100_000)
    judged = judge_labelled(photos, [crop for crop in crops if wanted(crop.source)])
    confidence = judged.features.astype(np.float64).max(2).prod(1)
    right = np.asarray(judged.right().all(1), np.bool_)
    print("\n".join(table(judged)))
    figures = {
        "cards": len(right),
        "expected calibration error": calibration_error(confidence, right),
        "temperature": fit_temperature(judged),
        "mean chance of being whole": float(judged.whole.mean()),
    }
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
