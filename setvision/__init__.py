"""Read a real SET table with a camera: find the cards, name them, show the sets.

>>> import setvision
>>> reading = setvision.read("table.jpg")  # doctest: +SKIP
>>> reading.verdict, reading.sets()  # doctest: +SKIP
(<Verdict.SETS: 'sets'>, [(0, 4, 8), (1, 5, 6)])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from os import PathLike

    from setvision.board import Reading

__version__ = "0.1.0"


def read(path: str | PathLike[str]) -> Reading:
    """Read the cards of one picture file.

    Raises:
        SetVisionError: the file is missing or is no picture that can be read.
    """
    from pathlib import Path

    from setvision import images, reader

    return reader.read(images.load(Path(path)))
