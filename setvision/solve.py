"""From a picture file to its reading, for one file and for a folder."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from setvision import images, reader
from setvision.board import Reading
from setvision.errors import CannotWrite, FileMissing

SOLVED = ".solved"
"""Marks the pictures that are drawn, which are not read again."""

DRAWN_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")
"""Formats kept for the drawn picture; others become JPEG."""


@dataclass(frozen=True, eq=False)
class Solved:
    """A picture, uint8 (H, W, 3), BGR, what was read on it, and the seconds from file to answer."""

    image: NDArray[np.uint8]
    reading: Reading
    seconds: float


def solve(photo: Path) -> Solved:
    """Load a picture and read its cards.

    Raises:
        FileMissing, BadPicture, NotInstalled: as `images.load` does.
    """
    start = time.perf_counter()
    image = images.load(photo)
    reading = reader.read(image)
    return Solved(image, reading, time.perf_counter() - start)


def drawn_path(photo: Path, place: Path | None) -> Path:
    """Where the drawn picture goes: `place`, into it where it is a folder, or beside the photo.

    Raises:
        CannotWrite: that would overwrite the photo.
    """
    suffix = photo.suffix if photo.suffix.lower() in DRAWN_SUFFIXES else ".jpg"
    place = place or photo.parent
    path = place / f"{photo.stem}{SOLVED}{suffix}" if place.is_dir() else place
    if path.exists() and photo.exists() and path.samefile(photo):
        raise CannotWrite(f"{path} is the photo itself: choose another place for the picture")
    return path


def pictures_in(folder: Path) -> list[Path]:
    """The picture files of a folder by name, without those that were drawn.

    Raises:
        FileMissing: there is no such folder, it may not be read, or it holds no picture.
    """
    if not folder.exists():
        raise FileMissing(f"{folder}: no such folder")
    if not folder.is_dir():
        raise FileMissing(f"{folder} is not a folder: use solve for one picture")
    try:
        found = sorted(
            path
            for path in folder.iterdir()
            if path.suffix.lower() in images.PICTURE_SUFFIXES and not path.stem.endswith(SOLVED)
        )
    except OSError as fault:
        raise FileMissing(f"{folder}: cannot be read ({fault.strerror})") from fault
    if not found:
        raise FileMissing(f"{folder} holds no picture")
    return found
