"""What was read from one picture: the cards, where they lie, what is certain, what is in doubt."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from math import prod

import numpy as np
from numpy.typing import NDArray

from setvision.cards import Card
from setvision.rules import Triple, find_sets

MORE_LIKELY_THAN_NOT = 0.5


class Verdict(StrEnum):
    """The answer to "is there a set?" for one picture."""

    SETS = "sets"
    NO_SET = "no-set"
    UNSURE = "unsure"
    NO_CARDS = "no-cards"


@dataclass(frozen=True, eq=False)
class SeenCard:
    """One card as it was read.

    Attributes:
        card: the most plausible reading.
        corners: float32 (4, 2), pixels (x, y) of the upright picture at full resolution,
            clockwise; the first edge is one of the card's long sides.
        confidence: calibrated probability, 0 to 1, that `card` is right.
        certain: whether the reading is beyond doubt.
        row, column: place in the layout, from 0.
        alternatives: other plausible readings with their probabilities, best first.
    """

    card: Card
    corners: NDArray[np.float32]
    confidence: float
    certain: bool
    row: int = 0
    column: int = 0
    alternatives: tuple[tuple[Card, float], ...] = ()


@dataclass(frozen=True, slots=True)
class PossibleSet:
    """Places in `Reading.cards`, and the cards there that would make a set."""

    places: Triple
    cards: tuple[Card, Card, Card]


@dataclass(frozen=True, eq=False)
class Reading:
    """All that was read from one picture, `width` by `height` pixels; cards in reading order.

    `blocked` holds the corners, float32 (4, 2), of cards that lie there but cannot be read.
    """

    width: int
    height: int
    cards: tuple[SeenCard, ...]
    blocked: tuple[NDArray[np.float32], ...] = field(default=())

    def sets(self) -> list[Triple]:
        """The sets among the most plausible readings, as ascending indices into `cards`.

        A set that rests on doubtful cards is left out when it is more likely wrong than right;
        `set_is_possible` still counts it.
        """
        return [
            triple
            for triple in find_sets([seen.card for seen in self.cards])
            if prod(self.cards[place].confidence for place in triple) >= MORE_LIKELY_THAN_NOT
        ]

    def certain_sets(self) -> list[Triple]:
        """The sets whose three cards are all certain."""
        return [triple for triple in self.sets() if all(self.cards[i].certain for i in triple)]

    def doubtful(self) -> list[int]:
        """Indices of the cards that are not certain."""
        return [index for index, seen in enumerate(self.cards) if not seen.certain]

    def plausible_sets(self) -> list[PossibleSet]:
        """Every set that plausible readings of the cards make, likely or not."""
        readings = [
            (place, card)
            for place, seen in enumerate(self.cards)
            for card in (seen.card, *(() if seen.certain else (c for c, _ in seen.alternatives)))
        ]
        found = []
        for triple in find_sets([card for _, card in readings]):
            (i, first), (j, second), (k, third) = (readings[index] for index in triple)
            if len({i, j, k}) == 3:
                found.append(PossibleSet((i, j, k), (first, second, third)))
        return found

    def set_is_possible(self) -> bool:
        """Whether a plausible reading of the doubtful or blocked cards makes a set.

        A card that is in doubt without any alternative named could be any card.
        """
        if self.blocked or any(not seen.certain and not seen.alternatives for seen in self.cards):
            return True
        return bool(self.plausible_sets())

    @property
    def verdict(self) -> Verdict:
        """`NO_SET` is said only when no plausible reading of a doubtful card would make a set."""
        if not self.cards:
            return Verdict.NO_CARDS
        if self.sets():
            return Verdict.SETS
        return Verdict.UNSURE if self.set_is_possible() else Verdict.NO_SET
