"""Pictures and text to and from files; what is written is there whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision.decoding import decode, decode_heic, decode_transparent, overhear
from setvision.errors import BadPicture, CannotWrite, FileMissing, SetVisionError
from setvision.headers import START, Kind, check_size, read_header, recognize

PICTURE_SUFFIXES = frozenset(
    {".jpg", ".jpeg", ".jfif", ".png", ".webp", ".bmp", ".tif", ".tiff", ".heic", ".heif"}
)
"""Names, in lower case, by which a folder's pictures are known."""

_WRITABLE = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})


def load(path: Path) -> NDArray[np.uint8]:
    """Read a JPEG, PNG, WebP, BMP, TIFF or HEIC file, whatever its name ends in.

    Returns:
        uint8 (H, W, 3), BGR, a new array, turned upright as the file's EXIF data say. 16-bit
        pictures are scaled to 8, transparent pixels put on gray (`decoding.BACKDROP`). Of
        several frames or pages it is the first, of a HEIC file the main picture.

    Raises:
        FileMissing: the file does not exist or may not be read.
        BadPicture: it is no picture, cut off, damaged, too small or too large.
        NotInstalled: it is HEIC and the optional `pi-heif` is missing.
    """
    try:
        kind, data = _read(path)
        if kind is Kind.HEIC:
            return decode_heic(data)
        header = read_header(kind, data)
        check_size(header.width, header.height)
        encoded = np.frombuffer(data, np.uint8)
        return decode_transparent(kind, encoded) if header.alpha else decode(encoded)
    except SetVisionError as fault:
        raise type(fault)(f"{path} {fault}") from None


def save(path: Path, image: NDArray[np.uint8], quality: int = 92) -> None:
    """Write a picture, whole or not at all, in the format that the name's ending says.

    Args:
        path: ends in .jpg, .jpeg, .png, .webp, .bmp, .tif or .tiff.
        image: uint8 (H, W, 3), BGR.
        quality: 0 to 100, for JPEG and WebP.

    Raises:
        CannotWrite: unknown ending, or the place does not take the file.
    """
    check_picture_place(path)
    suffix = path.suffix.lower()
    options = {
        ".jpg": [cv2.IMWRITE_JPEG_QUALITY, quality],
        ".jpeg": [cv2.IMWRITE_JPEG_QUALITY, quality],
        ".webp": [cv2.IMWRITE_WEBP_QUALITY, quality],
    }
    encoded, _ = overhear(lambda: cv2.imencode(suffix, image, options.get(suffix, [])))
    if not encoded or not encoded[0]:
        height, width = image.shape[:2]
        raise CannotWrite(f"{path} cannot hold a picture of {width} by {height} pixels")
    _write(path, encoded[1].tobytes())


def write_text_atomically(path: Path, text: str) -> None:
    """Write UTF-8 text, whole or not at all.

    Raises:
        CannotWrite: the place does not take the file.
    """
    # File names that are not UTF-8 reach us as lone surrogates; escaped, they are valid JSON.
    _write(path, text.encode("utf-8", "backslashreplace"))


def check_readable(path: Path) -> None:
    """Find out, without reading it, that a file is there and may be a picture.

    Raises:
        FileMissing: the file does not exist or may not be looked at.
        BadPicture: it is a folder, or a pipe or device that might never end.
    """
    try:
        _check_regular(path)
    except SetVisionError as fault:
        raise type(fault)(f"{path} {fault}") from None


def check_picture_place(path: Path) -> None:
    """Find out before the work whether a picture can be written after it.

    Raises:
        CannotWrite: unknown ending, or as `check_place` does.
    """
    if path.suffix.lower() not in _WRITABLE:
        known = ", ".join(sorted(_WRITABLE))
        what = f"must end in one of {known} to be written as a picture"
        raise CannotWrite(f"{path} {what}" if path.suffix else f"{path} is no folder, and {what}")
    check_place(path)


def check_place(path: Path) -> None:
    """Find out before the work whether a file can be written after it.

    Raises:
        CannotWrite: the folder does not exist, takes no file, or `path` is a folder itself.
    """
    try:
        if stat.S_ISDIR(path.stat().st_mode):
            raise CannotWrite(f"{path} is a folder, so no file can be written there")
        if not os.access(path, os.W_OK):
            raise CannotWrite(f"{path} is protected against writing")
    except FileNotFoundError:
        folder = Path(os.path.realpath(path)).parent
        if not folder.is_dir():
            raise CannotWrite(f"{path} cannot be written: its folder does not exist") from None
        if not os.access(folder, os.W_OK | os.X_OK):
            raise CannotWrite(f"{path} cannot be written: permission denied") from None
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written: {reason(error)}") from None


def make_folder(folder: Path) -> None:
    """Make a folder to write into, and those above it, unless it is there already.

    Raises:
        CannotWrite: it cannot be made, or it takes no file.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(f"{folder} cannot be made: {reason(error)}") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise CannotWrite(f"{folder} is protected against writing")


def reason(error: OSError) -> str:
    """Why a file could not be read or written, in the system's words."""
    return (error.strerror or str(error)).lower()


def _read(path: Path) -> tuple[Kind, bytes]:
    """A long film that was picked by mistake is known by its start and not read."""
    _check_regular(path)
    try:
        with path.open("rb") as file:
            start = file.peek(START)[:START]
            if not start:
                raise BadPicture("is empty")
            return recognize(start), file.read()
    except OSError as error:
        raise FileMissing(f"cannot be read: {reason(error)}") from None


def _check_regular(path: Path) -> None:
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise BadPicture("is a folder; use setvision batch")
        if not stat.S_ISREG(mode):
            raise BadPicture("is a pipe or device, not a regular file")
    except FileNotFoundError:
        if path.is_symlink():
            raise FileMissing(f"is a link to {path.readlink()}, which does not exist") from None
        raise FileMissing("does not exist") from None
    except OSError as error:
        raise FileMissing(f"cannot be read: {reason(error)}") from None


def _write(path: Path, data: bytes) -> None:
    """Write beside the place and move there, so that no reader ever meets half a file."""
    try:
        check_place(path)
        if path.exists() and not path.is_file():  # a pipe or /dev/stdout must not be replaced
            path.write_bytes(data)
            return
        target = Path(os.path.realpath(path))
        part = target.with_name(f".setvision-{secrets.token_hex(4)}.part")
        try:
            with part.open("xb") as file:
                file.write(data)
            part.replace(target)
        finally:
            with suppress(OSError):
                part.unlink()
    except FileNotFoundError:
        raise CannotWrite(f"{path} cannot be written: its folder does not exist") from None
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written: {reason(error)}") from None
