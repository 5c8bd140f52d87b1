"""Draw the answer on the picture: sets outlined and lettered, cards numbered, doubts marked."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision import lettering, outline
from setvision.answer import LetteredSet, Show, headline, hinted_card, lettered_sets
from setvision.board import Reading, Verdict
from setvision.outline import Bgr, Look

PALETTE: tuple[Bgr, ...] = (
    (0, 94, 213),
    (233, 180, 86),
    (115, 158, 0),
    (66, 228, 240),
    (178, 114, 0),
    (167, 121, 204),
    (0, 159, 230),
)
"""Colors that people with any color vision tell apart (Okabe and Ito 2008): vermilion, sky blue,
green, yellow, blue, pink, orange; BGR."""

CORES: tuple[Bgr | None, ...] = (None, (255, 255, 255), (20, 20, 20), (140, 140, 140))
"""Lines inside the lines, one after the other each time the colors run out."""

DOUBT: Bgr = (255, 255, 255)
DOUBT_INK: Bgr = (90, 205, 255)
NEUTRAL: Bgr = (185, 185, 185)
NUMBER_FILL: Bgr = (48, 42, 38)

LEGIBLE_SIDE = 130
"""Short side in pixels of a card that holds numbers and letters; smaller pictures are enlarged."""

LARGEST_SIDE = 2600
"""Pixels beyond which no picture is enlarged."""

LINE, NUMBER, TAG = 0.035, 0.2, 0.165
"""Width of lines, height of numbers and of letters, in units of a card's short side."""

INWARD = 0.085
"""How far lines may come inside a card, in units of its short side: symbols start at 0.12."""


def draw(
    image: NDArray[np.uint8], reading: Reading, show: Show = Show.ALL, *, stock_empty: bool = False
) -> NDArray[np.uint8]:
    """The picture with the answer drawn on it, under a strip that says it in words.

    Args:
        image: uint8 (H, W, 3), BGR, the picture that was read.
        show: all sets, one of them, or only one card of one.
        stock_empty: whether no card is left to deal.

    Returns:
        uint8 (H', W', 3), BGR; higher by the strip, and enlarged where the cards are too small
        for what is written on them.
    """
    factor = _enlargement(reading)
    if factor > 1:
        size = (round(reading.width * factor), round(reading.height * factor))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    quads = [_scaled(seen.corners, factor) for seen in reading.cards]
    blocked = [_scaled(corners, factor) for corners in reading.blocked]
    height, width = image.shape[:2]
    shown = lettered_sets(reading, show)
    text = headline(reading, show, stock_empty=stock_empty)
    if show is Show.ALL and len(shown) < len(reading.sets()):
        text += f", {len(shown)} of them drawn"
    strip_height = round(np.clip(0.075 * min(width, height), 36, 260))
    strip = lettering.strip(width, strip_height, text, _accent(reading))
    canvas = np.concatenate([strip, image])
    picture = canvas[strip_height:]
    if show is Show.HINT:
        _draw_hint(picture, reading, quads)
    else:
        _draw_cards(picture, reading, quads, blocked, shown)
    return canvas


def appearance(place: int, *, certain: bool = True) -> Look:
    """The lines of the set that is shown at a place, from 0; broken where it is only possible."""
    round_number, index = divmod(place, len(PALETTE))
    return Look(PALETTE[index], CORES[round_number % len(CORES)], dashed=not certain)


def nest(count: int, room: float, side: float, line: int) -> tuple[int, list[float]]:
    """Where lines around one card run so that none hides another.

    Args:
        count: number of lines.
        room: pixels free outside the card.
        side: pixels of the card's short side.
        line: wanted width in pixels; thinner where it is crowded.

    Returns:
        Width in pixels, and the offset of each line from the card's edge, outermost first.
    """
    casing = outline.casing_width(line)
    pitch = line + 2.0 * casing
    available = room + INWARD * side
    if count * pitch > available:
        pitch = max(3.0, available / count)
        line = max(1, min(line, int(0.7 * pitch)))
    outermost = min(room, count * pitch)
    return line, [outermost - pitch * (index + 0.5) for index in range(count)]


def _draw_cards(
    picture: NDArray[np.uint8],
    reading: Reading,
    quads: list[NDArray[np.float32]],
    blocked: list[NDArray[np.float32]],
    shown: list[LetteredSet],
) -> None:
    height, width = picture.shape[:2]
    every = quads + blocked
    side = _typical_side(every)
    rooms = outline.room_outside(every, width, height)
    every = [outline.from_free_corner(i, every, width, height) for i in range(len(every))]
    names, numbers = [], []
    for place, seen in enumerate(reading.cards):
        own = [index for index, lettered in enumerate(shown) if place in lettered.places]
        looks = [appearance(index, certain=shown[index].certain) for index in own]
        looks += [Look(DOUBT, dashed=True)] * (not seen.certain)
        middle = _draw_rings(picture, every[place], rooms[place], looks, side)
        ink = lettering.WHITE if seen.certain else DOUBT_INK
        numbers.append((every[place], f"{place + 1}{'' if seen.certain else '?'}", ink))
        names.append((middle, own))
    for quad, room in zip(every[len(quads) :], rooms[len(quads) :], strict=True):
        _draw_rings(picture, quad, room, [Look(NEUTRAL, dashed=True)], side)
        numbers.append((quad, "?", NEUTRAL))
    for (quad, text, _), (middle, own) in zip(numbers, names, strict=False):
        _draw_tags(picture, quad, middle, own, text, side)
    for quad, text, ink in numbers:
        _draw_number(picture, quad, text, ink, side)


def _draw_hint(
    picture: NDArray[np.uint8], reading: Reading, quads: list[NDArray[np.float32]]
) -> None:
    place = hinted_card(reading)
    if place is None:
        return
    height, width = picture.shape[:2]
    side = _typical_side(quads)
    room = outline.room_outside(quads, width, height)[place]
    certain = bool(reading.certain_sets())
    _draw_rings(picture, quads[place], room, [appearance(0, certain=certain)], side)
    quad = outline.from_free_corner(place, quads, width, height)
    _draw_number(picture, quad, str(place + 1), lettering.WHITE, side)


def _draw_rings(
    picture: NDArray[np.uint8],
    quad: NDArray[np.float32],
    room: float,
    looks: list[Look],
    side: float,
) -> float:
    """Draw the lines around one card; returns the offset of their middle."""
    line, offsets = nest(len(looks), room, outline.short_side(quad), max(2, round(LINE * side)))
    for look, offset in zip(looks, offsets, strict=True):
        outline.stroke(picture, outline.ring(quad, offset), look, line)
    return float(np.mean(offsets)) if offsets else 0.0


def _draw_tags(
    picture: NDArray[np.uint8],
    quad: NDArray[np.float32],
    offset: float,
    own: list[int],
    number: str,
    side: float,
) -> None:
    """Letters of a card's sets along its edge, clockwise from its number."""
    path, height = outline.ring(quad, max(offset, -0.02 * side)), TAG * side
    wanted, number_height = _number_place(quad, side), NUMBER * side
    number_x, number_y = lettering.plate_center(picture, number, wanted, number_height)
    apart_x = (lettering.plate_width(number, number_height) + 1.2 * height) / 2
    apart_y = (number_height + 1.2 * height) / 2
    distance = 0.0
    for index in own:
        x, y = outline.point_along(path, distance)
        while abs(x - number_x) < apart_x and abs(y - number_y) < apart_y:
            distance += 0.1 * height
            x, y = outline.point_along(path, distance)
        fill = appearance(index).color
        letter = chr(ord("A") + index)
        lettering.draw_plate(picture, letter, (x, y), height, fill, lettering.ink_on(fill))
        distance += 1.22 * height


def _draw_number(
    picture: NDArray[np.uint8], quad: NDArray[np.float32], text: str, ink: Bgr, side: float
) -> None:
    wanted = _number_place(quad, side)
    lettering.draw_plate(picture, text, wanted, NUMBER * side, NUMBER_FILL, ink)


def _number_place(quad: NDArray[np.float32], side: float) -> tuple[float, float]:
    toward_middle = quad.mean(0) - quad[0]
    toward_middle /= max(1.0, float(np.linalg.norm(toward_middle)))
    x, y = quad[0] + toward_middle * np.float32(0.03 * side)
    return float(x), float(y)


def _typical_side(quads: list[NDArray[np.float32]]) -> float:
    return float(np.median([outline.short_side(quad) for quad in quads])) if quads else 0.0


def _enlargement(reading: Reading) -> float:
    side = _typical_side([*(seen.corners for seen in reading.cards), *reading.blocked])
    if not side:
        return 1.0
    return max(1.0, min(LEGIBLE_SIDE / side, LARGEST_SIDE / max(reading.width, reading.height)))


def _scaled(corners: NDArray[np.float32], factor: float) -> NDArray[np.float32]:
    half = np.float32(0.5)
    return outline.convex((corners + half) * np.float32(factor) - half)


def _accent(reading: Reading) -> Bgr:
    if reading.verdict is Verdict.SETS:
        return PALETTE[2] if reading.certain_sets() else PALETTE[6]
    return PALETTE[6] if reading.verdict is Verdict.UNSURE else NEUTRAL
