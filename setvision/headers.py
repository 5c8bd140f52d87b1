"""What a picture file says about itself before it is decoded: kind, size, whether it is whole.

OpenCV decodes first and is asked later, and a picture of a billion pixels would fill the memory.
The layouts are those of ITU T.81 (JPEG), the PNG specification, Google's WebP container,
Microsoft's BITMAPINFOHEADER and TIFF 6.0.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from enum import StrEnum
from zlib import crc32

from setvision.errors import BadPicture

START = 64
"""How many bytes of a file `recognize` wants to see."""

SMALLEST_SIDE = 32
"""Pixels; in less there is no room for a card that could be read."""

LARGEST_SIDE = 65_000
MOST_PIXELS = 200_000_000
"""What the largest phone sensors give; decoded it takes 0.6 GB."""

CUT_OFF = "is cut off: the end of the picture is missing"
DAMAGED = "is damaged, or a kind of picture that is not supported"


class Kind(StrEnum):
    """The kinds of picture file that can be read."""

    JPEG = "JPEG"
    PNG = "PNG"
    WEBP = "WebP"
    BMP = "BMP"
    TIFF = "TIFF"
    HEIC = "HEIC"


@dataclass(frozen=True, slots=True)
class Header:
    """Size in pixels as stored, before turning upright; `alpha` where pixels may be transparent."""

    width: int
    height: int
    alpha: bool = False


_SIGNATURES = {
    b"\xff\xd8\xff": Kind.JPEG,
    b"\x89PNG\r\n\x1a\n": Kind.PNG,
    b"BM": Kind.BMP,
    b"II*\0": Kind.TIFF,
    b"MM\0*": Kind.TIFF,
}
_OTHERS = {
    b"GIF8": "a GIF",
    b"%PDF": "a PDF",
    b"\x1aE\xdf\xa3": "a video",
    b"\0\0\1\xba": "a video",
}
_HEIC_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")


def recognize(start: bytes) -> Kind:
    """The kind of picture a file is, from its first `START` bytes; its name does not matter.

    Raises:
        BadPicture: it is none that can be read; the message lacks the file's name.
    """
    for signature, kind in _SIGNATURES.items():
        if start.startswith(signature):
            return kind
    if start[:4] == b"RIFF" and start[8:12] == b"WEBP":
        return Kind.WEBP
    if start[4:8] == b"ftyp" and start[8:12] in _HEIC_BRANDS and b"avif" not in start:
        return Kind.HEIC
    *most, last = Kind
    raise BadPicture(f"is {_other(start)}; {', '.join(most)} and {last} pictures can be read")


def _other(start: bytes) -> str:
    for signature, name in _OTHERS.items():
        if start.startswith(signature):
            return name
    if start[4:8] == b"ftyp" and b"avif" in start:
        return "an AVIF"
    if start[4:8] in (b"ftyp", b"moov", b"mdat") or (start[:4], start[8:11]) == (b"RIFF", b"AVI"):
        return "a video"
    return "not a picture"


def read_header(kind: Kind, data: bytes) -> Header:
    """Size and transparency of a picture file's bytes, all kinds but HEIC.

    Raises:
        BadPicture: the file is cut off or damaged; the message lacks the file's name.
    """
    readers = {
        Kind.JPEG: _jpeg,
        Kind.PNG: _png,
        Kind.WEBP: _webp,
        Kind.BMP: _bmp,
        Kind.TIFF: _tiff,
    }
    try:
        return readers[kind](data)
    except (struct.error, IndexError, KeyError):
        raise BadPicture(CUT_OFF) from None


def check_size(width: int, height: int) -> None:
    """Refuse what is too small to hold a card and what would fill the memory.

    Raises:
        BadPicture: the message lacks the file's name.
    """
    size = f"is {width} by {height} pixels"
    if min(width, height) < SMALLEST_SIDE:
        raise BadPicture(f"{size}, too small to hold a card")
    if max(width, height) > LARGEST_SIDE or width * height > MOST_PIXELS:
        most = f"{MOST_PIXELS // 1_000_000} megapixels or {LARGEST_SIDE} on a side"
        raise BadPicture(f"{size}, more than {most}")


# After FF, a zero and D0 to D7 (restarts) belong to the picture's own data; FF is filling.
_JPEG_MARKER = re.compile(rb"\xff[^\0\xff\xd0-\xd7]", re.DOTALL)
_START_OF_IMAGE, _END_OF_IMAGE, _TEMPORARY = 0xD8, 0xD9, 0x01
_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def _jpeg(data: bytes) -> Header:
    """Walk from marker to marker to the end of the first picture.

    The end marker must be met on the walk: the small preview inside the EXIF data has one of its
    own, and phones append films and second pictures after it.
    """
    header, place = None, 2
    while found := _JPEG_MARKER.search(data, place):
        marker, place = data[found.end() - 1], found.end()
        if marker == _END_OF_IMAGE and header is not None:
            return header
        if marker in (_START_OF_IMAGE, _END_OF_IMAGE):
            break
        if marker != _TEMPORARY:
            if marker in _START_OF_FRAME and header is None:
                height, width = struct.unpack_from(">HH", data, place + 3)
                header = Header(width, height)
            place += struct.unpack_from(">H", data, place)[0]
    raise BadPicture(CUT_OFF)


def _png(data: bytes) -> Header:
    """Walk over the chunks; those that carry the picture must have the right checksum."""
    view, place = memoryview(data), 8
    header, transparent = None, False
    while place < len(data):
        length, name = struct.unpack_from(">I4s", data, place)
        end = place + 8 + length
        checksum = struct.unpack_from(">I", data, end)[0]
        if name[:1].isupper() and crc32(view[place + 4 : end]) != checksum:
            raise BadPicture(DAMAGED)
        if name == b"IHDR":
            width, height, _, color_type = struct.unpack_from(">IIBB", data, place + 8)
            header = Header(width, height, alpha=bool(color_type & 4))
        transparent = transparent or name == b"tRNS"
        if name == b"IEND" and header is not None:
            return Header(header.width, header.height, header.alpha or transparent)
        place = end + 4
    raise BadPicture(CUT_OFF)


def _webp(data: bytes) -> Header:
    if struct.unpack_from("<I", data, 4)[0] + 8 > len(data):
        raise BadPicture(CUT_OFF)
    layout = data[12:16]
    if layout == b"VP8X":
        width = int.from_bytes(data[24:27], "little") + 1
        height = int.from_bytes(data[27:30], "little") + 1
        return Header(width, height, alpha=bool(data[20] & 0x10))
    if layout == b"VP8L":
        bits = struct.unpack_from("<I", data, 21)[0]
        return Header((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, alpha=bool(bits >> 28 & 1))
    width, height = struct.unpack_from("<HH", data, 26)
    return Header(width & 0x3FFF, height & 0x3FFF)


def _bmp(data: bytes) -> Header:
    if struct.unpack_from("<I", data, 14)[0] == 12:
        return Header(*struct.unpack_from("<HH", data, 18))
    # The height is negative where the rows run from top to bottom. A fourth channel is padding
    # in most files, so it is not taken for transparency.
    width, height = struct.unpack_from("<ii", data, 18)
    return Header(abs(width), abs(height))


_IS_PREVIEW, _WIDTH, _HEIGHT, _EXTRA_SAMPLES = 254, 256, 257, 338
ORIENTATION = 274
"""TIFF and EXIF tag that tells how the stored rows lie, 1 to 8."""


def _tiff(data: bytes) -> Header:
    tags = tiff_tags(data)
    if tags.get(_IS_PREVIEW, 0) & 1:
        raise BadPicture("is a camera's raw file; export it as JPEG or TIFF")
    return Header(tags[_WIDTH], tags[_HEIGHT], alpha=tags.get(_EXTRA_SAMPLES, 0) in (1, 2))


def tiff_tags(data: bytes) -> dict[int, int]:
    """The tags of a TIFF file's first directory that hold a single number; EXIF data is the same.

    Raises:
        struct.error: the data ends inside the directory.
    """
    order = "<" if data[:2] == b"II" else ">"
    (place,) = struct.unpack_from(f"{order}I", data, 4)
    (count,) = struct.unpack_from(f"{order}H", data, place)
    tags = {}
    for entry in range(place + 2, place + 2 + 12 * count, 12):
        tag, number_type, values = struct.unpack_from(f"{order}HHI", data, entry)
        if values == 1 and number_type in (3, 4):
            layout = "H" if number_type == 3 else "I"
            tags[tag] = struct.unpack_from(order + layout, data, entry + 8)[0]
    return tags
