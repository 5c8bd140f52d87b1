"""From a picture file to its reading, for one file and for a folder."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Sequence
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
        CannotWrite: that would overwrite the photo, or the place may not be looked at.
    """
    place = place or photo.parent
    try:
        path = _drawn_beside_others(photo, place) if place.is_dir() else place
    except OSError as fault:
        raise CannotWrite(f"{place} cannot be written: {images.reason(fault)}") from None
    refuse_overwriting([photo], [path])
    return path


def drawn_paths(photos: Iterable[Path], folder: Path) -> dict[Path, Path]:
    """Where in a folder the drawn picture of each photo of one other folder goes.

    No two share a name, not even in upper and lower case. PHOTO.solved.jpg belongs first to the
    photo that is a JPEG by its name; another PHOTO.tif gets PHOTO.tif.solved.jpg.
    """
    taken: set[str] = set()
    paths = {}
    for photo in sorted(photos, key=lambda photo: (not _keeps_suffix(photo), photo.name)):
        suffix = photo.suffix if _keeps_suffix(photo) else ".jpg"
        numbered = (f"{photo.name}-{number}" for number in itertools.count(2))
        stems = itertools.chain([photo.stem, photo.name], numbered)
        names = (f"{stem}{SOLVED}{suffix}" for stem in stems)
        name = next(name for name in names if name.casefold() not in taken)
        taken.add(name.casefold())
        paths[photo] = folder / name
    return paths


def refuse_overwriting(photos: Sequence[Path], places: Iterable[Path]) -> None:
    """Find out before the work whether what is written would replace a photo that is read.

    Raises:
        CannotWrite: one of the places is one of the photos, perhaps by way of a link.
    """
    known = {_identity(photo) for photo in photos} - {None}
    for place in places:
        if _identity(place) in known:
            what = "the photo itself" if len(photos) == 1 else "one of the photos"
            raise CannotWrite(f"{place} is {what}: choose another place to write to")


def pictures_in(folder: Path) -> list[Path]:
    """The picture files of a folder by name, without those that were drawn.

    Folders are left out, and the files named ._* that macOS lays beside photos on other disks.

    Raises:
        FileMissing: there is no such folder, it may not be read, or it holds no picture.
    """
    try:
        found = _pictures(folder)
    except FileNotFoundError:
        raise FileMissing(f"{folder}: no such folder") from None
    except NotADirectoryError:
        raise FileMissing(f"{folder} is not a folder: use solve for one picture") from None
    except OSError as fault:
        raise FileMissing(f"{folder} cannot be read: {images.reason(fault)}") from None
    if not found:
        raise FileMissing(f"{folder} holds no picture")
    return found


def _pictures(folder: Path) -> list[Path]:
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix.lower() in images.PICTURE_SUFFIXES
        and not path.stem.endswith(SOLVED)
        and not path.name.startswith("._")
        and not path.is_dir()
    )


def _drawn_beside_others(photo: Path, folder: Path) -> Path:
    """The name that `photo` also gets when its whole folder is drawn."""
    try:
        others = _pictures(photo.parent)
    except OSError:  # a folder that may be entered but not listed
        others = []
    return drawn_paths({photo, *others}, folder)[photo]


def _keeps_suffix(photo: Path) -> bool:
    return photo.suffix.lower() in DRAWN_SUFFIXES


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
