"""The sample pictures of the project: what each shows, and writing them with their truth."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

import cv2
import numpy as np

from setvision.cards import Card, Shading, deck
from setvision.errors import CannotWrite
from setvision.render.light import Light
from setvision.render.scene import Table, TableOptions, draw_table
from setvision.render.surfaces import Surface
from setvision.rules import find_sets

_QUALITY = 88


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample picture: so many cards holding so many sets, on such a table.

    Attributes:
        name: of its files, without an ending.
        cards: how many lie there.
        sets: the least and the largest number of sets among them.
        options: how the table looks.
        solid_only: whether all are solid, as in the beginners' game.
    """

    name: str
    cards: int
    sets: tuple[int, int]
    options: TableOptions = field(default_factory=TableOptions)
    solid_only: bool = False


SAMPLES = (
    Sample(
        "twelve-several-sets",
        12,
        (3, 6),
        TableOptions(columns=3, light=Light(falloff=0.4, shadow=0.6)),
    ),
    Sample(
        "twelve-no-set",
        12,
        (0, 0),
        TableOptions(surface=Surface.DARK, columns=4, upright=True, tilt=18, turn=3, roll=-3),
    ),
    Sample(
        "fifteen",
        15,
        (2, 8),
        TableOptions(surface=Surface.CLOTH, columns=5, upright=True, gap=0.1, roll=4),
    ),
    Sample(
        "nine-solid",
        9,
        (1, 3),
        TableOptions(surface=Surface.TERRAZZO, columns=3, turn=5, roll=-6, jitter=0.035),
        solid_only=True,
    ),
    Sample(
        "tilted",
        12,
        (1, 4),
        TableOptions(surface=Surface.CARPET, columns=3, tilt=44, roll=7, light=Light(blur=0.9)),
    ),
    Sample(
        "white-table",
        12,
        (1, 4),
        TableOptions(
            surface=Surface.WHITE,
            columns=3,
            roll=2,
            light=Light(exposure=0.85, falloff=0.45, shadow=0.55),
        ),
    ),
    Sample(
        "warm-light",
        12,
        (1, 4),
        TableOptions(
            columns=4,
            upright=True,
            roll=-5,
            tilt=22,
            light=Light(exposure=0.7, warmth=0.85, falloff=0.6, noise=4.5, blur=0.9),
        ),
    ),
    Sample(
        "glare",
        12,
        (1, 4),
        TableOptions(
            surface=Surface.DARK, columns=3, turn=3, light=Light(exposure=0.8, glare=0.42)
        ),
    ),
    Sample(
        "scattered",
        12,
        (1, 4),
        TableOptions(surface=Surface.FLORAL, columns=0, gap=0.02, tilt=20, fill=0.92),
    ),
    Sample(
        "three-claimed",
        3,
        (1, 1),
        TableOptions(
            surface=Surface.CHECKS,
            columns=3,
            upright=True,
            gap=0.1,
            turn=9,
            jitter=0.05,
            tilt=25,
            fill=0.62,
        ),
    ),
    Sample(
        "no-cards",
        0,
        (0, 0),
        TableOptions(surface=Surface.WOOD, columns=0, others=9, tilt=16, fill=0.9),
    ),
)


def draw_sample(sample: Sample, seed: int = 0) -> Table:
    """Draw one sample; its picture does not depend on which other samples there are."""
    rng = np.random.default_rng([seed, crc32(sample.name.encode())])
    return draw_table(_deal(sample, rng), rng, sample.options)


def write_samples(
    folder: Path, seed: int = 0, samples: Iterable[Sample] = SAMPLES
) -> Iterator[Path]:
    """Write samples as NAME.jpg with the truth in NAME.json, giving each picture's path.

    Raises:
        CannotWrite: the folder or a file in it cannot be written.
    """
    for sample in samples:
        table = draw_sample(sample, seed)
        picture = folder / f"{sample.name}.jpg"
        quality = [cv2.IMWRITE_JPEG_QUALITY, _QUALITY]
        _, data = cv2.imencode(".jpg", table.image, quality)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            picture.write_bytes(data.tobytes())
            picture.with_suffix(".json").write_text(_truth(table, picture.name), encoding="utf-8")
        except OSError as error:
            raise CannotWrite(f"cannot write {picture}: {error.strerror}") from error
        yield picture


def _deal(sample: Sample, rng: np.random.Generator) -> list[Card]:
    """Shuffle until the wanted number of sets lies there; one deal in 30 of twelve has none."""
    stock = [card for card in deck() if not sample.solid_only or card.shading is Shading.SOLID]
    least, most = sample.sets
    while True:
        dealt = [stock[place] for place in rng.permutation(len(stock))[: sample.cards]]
        if least <= len(find_sets(dealt)) <= most:
            return dealt


def _truth(table: Table, file: str) -> str:
    """One card a line, so that a person can read and a diff can show it."""
    height, width = table.image.shape[:2]
    cards = [
        {"card": str(card), "corners": [[round(float(v), 1) for v in point] for point in corners]}
        for card, corners in table.cards
    ]
    head = {"file": file, "width": width, "height": height}
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    listed = ",\n".join(f"    {json.dumps(card)}" for card in cards)
    lines.append(f'  "cards": [\n{listed}\n  ],' if cards else '  "cards": [],')
    lines.append(f'  "sets": {json.dumps(find_sets([card for card, _ in table.cards]))}')
    return "{\n" + "\n".join(lines) + "\n}\n"
