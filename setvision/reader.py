"""From a picture to a reading: find, judge, keep what is a card, decide what is in doubt."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision.board import Reading, SeenCard
from setvision.cards import Card
from setvision.classify import Beliefs, judge
from setvision.detect import find
from setvision.layout import rows_and_columns
from setvision.rectify import iou
from setvision.scale import far_too_small

WHOLE = 0.7
"""A candidate less likely than this to be a whole card is left out (on photos of unseen sources,
0.5 and 0.8 find the same cards)."""

SEEN, HALF_SEEN = 0.7, 0.2
"""Where the finder is this sure of a card and the reader not wholly against it, something lies
that cannot be read."""

SAME_PLACE = 0.4
"""Two candidates whose IoU is above this are one card, the likelier one."""

READABLE = 0.5
"""Where no card is likelier than not, there is a card, but it cannot be read."""

APART = 0.2
"""A hidden card whose IoU with a card that was read is higher is that card, badly seen."""

CERTAIN = 0.95
"""A reading this probable, of a card this probably whole, is given as certain. Of 620 cards on
photos of unseen sources 98.4 % were, none of them wrong (models/README.md)."""

GRAY_SPREAD, COLORED_SHARE = 10, 0.001
"""A picture is gray when its channels differ by more than the first (of 255) in no more than the
second share of its pixels."""

IMPLAUSIBLE = 0.01
"""The least likely readings of a card, this probable all together, are not considered."""


def read(image: NDArray[np.uint8]) -> Reading:
    """Read all cards of a picture.

    Args:
        image: uint8 (H, W, 3), BGR, upright.
    """
    height, width = image.shape[:2]
    corners, scores = find(image)
    judged = judge(image, corners)
    found = _one_each(judged, judged.whole >= WHOLE)
    found = found.keep(np.flatnonzero(~far_too_small(found.corners)))
    hidden = _one_each(judged, (scores >= SEEN) & (judged.whole >= HALF_SEEN))
    readable = found.cards().max(1, initial=0) >= READABLE
    beliefs = found.keep(np.flatnonzero(readable))
    if _is_gray(image):
        beliefs = beliefs.without_color()
    blocked = [*found.corners[np.flatnonzero(~readable)], *_apart_from(hidden, found)]
    return Reading(width, height, _decide(beliefs), tuple(blocked))


def _is_gray(image: NDArray[np.uint8]) -> bool:
    """Whether the picture has no color at all, so that no card's color can be told."""
    blue, green, red = (image[::4, ::4, channel] for channel in range(3))
    spread = np.maximum(np.maximum(blue, green), red) - np.minimum(np.minimum(blue, green), red)
    return bool(np.count_nonzero(spread > GRAY_SPREAD) <= COLORED_SHARE * spread.size)


def _one_each(beliefs: Beliefs, wanted: NDArray[np.bool_]) -> Beliefs:
    """Of the wanted ones on one place keep the likeliest to be a whole card."""
    kept: list[int] = []
    for index in np.argsort(-beliefs.whole, kind="stable"):
        quad = beliefs.corners[index]
        if not wanted[index] or not cv2.isContourConvex(quad):
            continue
        if all(iou(quad, beliefs.corners[other]) < SAME_PLACE for other in kept):
            kept.append(int(index))
    return beliefs.keep(np.array(kept, np.intp))


def _apart_from(hidden: Beliefs, found: Beliefs) -> list[NDArray[np.float32]]:
    """The places of hidden cards that no found card shares."""
    return [
        quad for quad in hidden.corners if all(iou(quad, other) < APART for other in found.corners)
    ]


def _count_plausible(chances: NDArray[np.float32]) -> int:
    """How many readings, of chances in falling order, leave only `IMPLAUSIBLE` to the others."""
    return 1 + int(np.count_nonzero(1 - np.cumsum(chances, dtype=np.float64) >= IMPLAUSIBLE))


def _decide(beliefs: Beliefs) -> tuple[SeenCard, ...]:
    chances = beliefs.cards()
    best = chances.argmax(1)
    repeated = {int(card) for card in best if np.count_nonzero(best == card) > 1}
    cards = []
    for row, places in enumerate(rows_and_columns(beliefs.corners)):
        for column, place in enumerate(places):
            order = np.argsort(-chances[place], kind="stable")
            confidence = float(chances[place, order[0]])
            sure = min(confidence, float(beliefs.whole[place])) >= CERTAIN
            plausible = order[1 : _count_plausible(chances[place, order])]
            others = tuple(
                (Card.from_index(int(index)), float(chances[place, index])) for index in plausible
            )
            cards.append(
                SeenCard(
                    card=Card.from_index(int(order[0])),
                    corners=beliefs.corners[place],
                    confidence=confidence * float(beliefs.whole[place]),
                    certain=sure and int(order[0]) not in repeated,
                    row=row,
                    column=column,
                    alternatives=others,
                )
            )
    return tuple(cards)
