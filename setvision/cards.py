"""The 81 cards: four features of three values each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Feature(IntEnum):
    """Base of the four features: its values count from 0 and print as their word."""

    def __str__(self) -> str:
        return self.name.lower()


class Number(Feature):
    """How many symbols; prints as a digit."""

    ONE = 0
    TWO = 1
    THREE = 2

    def __str__(self) -> str:
        return str(self.value + 1)


class Color(Feature):
    """Color of the symbols."""

    RED = 0
    GREEN = 1
    PURPLE = 2


class Shading(Feature):
    """How the symbols are filled."""

    SOLID = 0
    STRIPED = 1
    OPEN = 2


class Shape(Feature):
    """Outline of the symbols."""

    OVAL = 0
    DIAMOND = 1
    SQUIGGLE = 2


FEATURES: tuple[type[Feature], ...] = (Number, Color, Shading, Shape)


@dataclass(frozen=True, order=True, slots=True)
class Card:
    """One card of the deck, a value: equal cards are equal, and it orders as the deck does.

    >>> Card.parse("2-red-striped-squiggle").index
    32
    >>> str(Card.from_index(32))
    '2-red-striped-squiggle'
    """

    number: Number
    color: Color
    shading: Shading
    shape: Shape

    @property
    def features(self) -> tuple[Feature, Feature, Feature, Feature]:
        """Number, color, shading and shape, in the order of `FEATURES`."""
        return (self.number, self.color, self.shading, self.shape)

    @property
    def index(self) -> int:
        """Place in the deck, 0 to 80: the features read as digits in base three."""
        return self.number * 27 + self.color * 9 + self.shading * 3 + self.shape

    @classmethod
    def from_index(cls, index: int) -> Card:
        """The card at a place in the deck.

        Raises:
            ValueError: the index is not 0 to 80.
        """
        if not 0 <= index < 81:
            raise ValueError(f"a card's index is 0 to 80, not {index}")
        return cls(
            Number(index // 27), Color(index // 9 % 3), Shading(index // 3 % 3), Shape(index % 3)
        )

    @classmethod
    def parse(cls, name: str) -> Card:
        """Read a name such as ``2-red-striped-squiggle``.

        Raises:
            ValueError: the name is not number-color-shading-shape.
        """
        words = name.strip().lower().split("-")
        if len(words) != len(FEATURES):
            raise ValueError(f"a card's name is number-color-shading-shape, not {name!r}")
        number, color, shading, shape = (
            _value(feature, word) for feature, word in zip(FEATURES, words, strict=True)
        )
        return cls(Number(number), Color(color), Shading(shading), Shape(shape))

    def __str__(self) -> str:
        return "-".join(str(value) for value in self.features)

    def describe(self) -> str:
        """The card in a player's words: ``2 red striped squiggles``."""
        plural = "" if self.number is Number.ONE else "s"
        return f"{self.number} {self.color} {self.shading} {self.shape}{plural}"


def _value(feature: type[Feature], word: str) -> Feature:
    for value in feature:
        if str(value) == word:
            return value
    known = ", ".join(str(value) for value in feature)
    raise ValueError(f"{feature.__name__.lower()} is one of {known}, not {word!r}")


def deck() -> tuple[Card, ...]:
    """All 81 cards, each once, in the order of their index."""
    return tuple(Card.from_index(index) for index in range(81))
