"""The bytes of a picture file to upright pixels, and what the decoding libraries say about them.

The faults raised here tell what is wrong and leave the file's name to the caller.
"""

from __future__ import annotations

import os
import struct
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import IO, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision.errors import BadPicture, NotInstalled
from setvision.headers import CUT_OFF, DAMAGED, ORIENTATION, Kind, check_size, tiff_tags

BACKDROP = 192
"""Gray level put behind transparent pixels. Black would swallow what viewers show on white;
on white, cards that were cut out of a photo would lose their outline."""

_STDERR = 2
_STDERR_LOCK = Lock()
_Result = TypeVar("_Result")


def decode(encoded: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """uint8 (H, W, 3), BGR, upright, from a file's bytes, all kinds but HEIC.

    Raises:
        BadPicture: cut off or damaged.
    """
    pixels, said = overhear(lambda: cv2.imdecode(encoded, cv2.IMREAD_COLOR))
    _refuse_what_is_not_whole(pixels is not None, said)
    return np.asarray(pixels, np.uint8)


def decode_transparent(kind: Kind, encoded: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The same for a file whose header promises transparency: its pixels over `BACKDROP`.

    OpenCV gives the fourth channel only with the rows as stored, so they are turned here.

    Raises:
        BadPicture: cut off or damaged.
    """
    decoded, said = overhear(lambda: cv2.imdecodeWithMetadata(encoded, flags=cv2.IMREAD_UNCHANGED))
    stored, _, metadata = decoded or (None, (), ())
    _refuse_what_is_not_whole(stored is not None, said)
    pixels = np.asarray(stored)
    if pixels.ndim < 3 or pixels.shape[2] < 4:
        return decode(encoded)
    # TIFF pictures of 8 bits come turned upright and with colors already weighed by their alpha.
    weighed = kind is Kind.TIFF and pixels.dtype == np.uint8
    if pixels.dtype == np.uint16:
        pixels = pixels >> 8
    pixels = pixels.astype(np.uint8, copy=False)
    for exif in metadata:
        with suppress(struct.error):
            pixels = _upright(pixels, tiff_tags(exif.tobytes()).get(ORIENTATION, 1))
    return _on_backdrop(pixels, weighed=weighed)


def decode_heic(data: bytes) -> NDArray[np.uint8]:
    """The same for HEIC, by libheif, which turns upright itself: EXIF must not do it again.

    Raises:
        BadPicture: cut off, damaged, too small or too large.
        NotInstalled: the optional `pi-heif` is missing.
    """
    try:
        import pi_heif
    except ImportError:
        hint = "is a HEIC picture; to read those: pip install 'setvision[heic]'"
        raise NotInstalled(hint) from None
    try:
        picture = pi_heif.open_heif(data, bgr_mode=True)
        check_size(*picture.size)
        pixels = np.array(picture)
    except (ValueError, EOFError, SyntaxError, RuntimeError, OSError):
        raise BadPicture("is cut off or damaged") from None
    if pixels.ndim == 2:
        return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR), np.uint8)
    if pixels.shape[2] == 4:
        return _on_backdrop(pixels, weighed=picture.premultiplied_alpha)
    return pixels


def _refuse_what_is_not_whole(decoded: bool, said: str) -> None:
    """Decoders fill what is missing with gray; that they did is only in what they print.

    Other remarks of libjpeg are about oddities of cameras (a few bytes too many) and harmless.
    """
    if "premature end" in said:
        raise BadPicture(CUT_OFF)
    if not decoded or "bad Huffman code" in said or "[ERROR:" in said:
        raise BadPicture(DAMAGED)


def overhear(work: Callable[[], _Result]) -> tuple[_Result | None, str]:
    """Run a step of OpenCV; its result, None where it raised, and what the libraries printed.

    libjpeg and libpng write to file descriptor 2 and can neither be silenced nor asked. What
    another thread prints there meanwhile is lost, and one picture is decoded at a time.
    """
    with _STDERR_LOCK, _temporary_file() as heard:
        try:
            kept = os.dup(_STDERR)
        except OSError:  # a program without a console has none
            kept = os.open(os.devnull, os.O_WRONLY)
        os.dup2(heard.fileno(), _STDERR)
        try:
            result = work()
        except cv2.error:
            result = None
        finally:
            os.dup2(kept, _STDERR)
            os.close(kept)
        heard.seek(0)
        return result, heard.read().decode(errors="replace")


def _temporary_file() -> IO[bytes]:
    try:
        return tempfile.TemporaryFile()
    except OSError:  # a read-only system hears nothing, but reads
        return Path(os.devnull).open("r+b")


def _upright(pixels: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    if orientation in (5, 6, 7, 8):
        pixels = pixels.transpose(1, 0, 2)
    if orientation in (2, 3, 6, 7):
        pixels = pixels[:, ::-1]
    if orientation in (3, 4, 7, 8):
        pixels = pixels[::-1]
    return pixels


def _on_backdrop(pixels: NDArray[np.uint8], *, weighed: bool) -> NDArray[np.uint8]:
    """BGR from BGRA; `weighed` where the colors are already multiplied by their alpha."""
    alpha = pixels[..., 3:].astype(np.uint16)
    colors = pixels[..., :3] * (np.uint16(255) if weighed else alpha)
    colors += BACKDROP * (255 - alpha) + 127
    colors //= 255
    return colors.astype(np.uint8)
