"""What a set is: find them, complete them, explain why three cards are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from setvision.cards import FEATURES, Card, Feature, deck

Triple = tuple[int, int, int]


def third_card(first: Card, second: Card) -> Card:
    """The one card that completes a set with two different cards.

    Raises:
        ValueError: the two cards are the same.
    """
    if first == second:
        raise ValueError(f"two different cards are needed, not {first} twice")
    return Card.from_index(_THIRD[first.index][second.index])


def is_set(first: Card, second: Card, third: Card) -> bool:
    """Whether every feature, taken alone, is the same on all three or different on all three.

    The same card twice (or three times) is never a set: a deck holds each card once.
    """
    return first != second and _THIRD[first.index][second.index] == third.index


@dataclass(frozen=True, slots=True)
class Ruling:
    """How one feature falls over three cards."""

    feature: type[Feature]
    values: tuple[Feature, Feature, Feature]

    @property
    def holds(self) -> bool:
        """All the same or all different."""
        return len(set(self.values)) != 2

    @property
    def odd_one_out(self) -> int | None:
        """Which of the three (0 to 2) differs where the other two agree; None where it holds."""
        if self.holds:
            return None
        return next(i for i in range(3) if self.values.count(self.values[i]) == 1)

    def __str__(self) -> str:
        name = self.feature.__name__.lower()
        odd = self.odd_one_out
        if odd is None:
            same = len(set(self.values)) == 1
            return f"{name}: {'all ' + str(self.values[0]) if same else 'all different'}"
        return f"{name}: two {self.values[odd - 1]}, one {self.values[odd]}"


def explain(first: Card, second: Card, third: Card) -> tuple[Ruling, ...]:
    """One ruling a feature, in the order number, color, shading, shape.

    Three different cards are a set exactly when every ruling holds.
    """
    columns = zip(first.features, second.features, third.features, strict=True)
    return tuple(Ruling(feature, values) for feature, values in zip(FEATURES, columns, strict=True))


def find_sets(cards: Sequence[Card]) -> list[Triple]:
    """All sets among the cards, as ascending index triples in ascending order.

    A pair and the third-card table decide each set, so the work grows with the square of the
    number of cards. A card that lies on the table twice takes part with each of its places.
    """
    places: dict[int, list[int]] = {}
    for place, card in enumerate(cards):
        places.setdefault(card.index, []).append(place)
    indices = [card.index for card in cards]
    found = []
    for i, first in enumerate(indices):
        row = _THIRD[first]
        for j in range(i + 1, len(indices)):
            if indices[j] != first:
                found += [(i, j, k) for k in places.get(row[indices[j]], ()) if k > j]
    return found


def no_set_advice(cards_on_table: int, *, stock_empty: bool = False) -> str:
    """What the rules say to do when the cards on the table hold no set.

    Twelve, fifteen and eighteen cards are answered with three more; 21 always hold a set,
    since no more than 20 cards can be without one.
    """
    if stock_empty:
        return "No set: the game is over"
    if cards_on_table < 12:
        return "No set among these cards"
    return "No set: deal three more"


def _third_index(first: Card, second: Card) -> int:
    digits = [(-a - b) % 3 for a, b in zip(first.features, second.features, strict=True)]
    return digits[0] * 27 + digits[1] * 9 + digits[2] * 3 + digits[3]


_THIRD = [[_third_index(a, b) for b in deck()] for a in deck()]
