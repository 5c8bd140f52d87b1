"""The answer in a player's words and letters, the same in the text and on the picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from string import ascii_uppercase
from typing import TYPE_CHECKING

from setvision.rules import Triple, no_set_advice

if TYPE_CHECKING:
    from setvision.board import PossibleSet, Reading

MOST_LETTERED = len(ascii_uppercase)
"""Sets that get a letter; more could neither be drawn nor read."""

MOST_LISTED = 4
"""Cards that one line names before it says how many more there are."""


class Show(StrEnum):
    """How much of the answer a player wants to see."""

    ALL = "all"
    ONE = "one"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class LetteredSet:
    """A set as it is shown: its letter, its places in `Reading.cards`, whether all are certain."""

    letter: str
    places: Triple
    certain: bool


def lettered_sets(reading: Reading, show: Show = Show.ALL) -> list[LetteredSet]:
    """The sets to show, certain ones first, at most `MOST_LETTERED`; none for a hint.

    Where there are more, those are chosen that spread over the cards.
    """
    if show is Show.HINT:
        return []
    certain = reading.certain_sets()
    ordered = certain + [triple for triple in reading.sets() if triple not in certain]
    if len(ordered) > MOST_LETTERED:
        ordered = _spread(ordered, MOST_LETTERED)
    if show is Show.ONE:
        ordered = ordered[:1]
    return [
        LetteredSet(letter, triple, all(reading.cards[place].certain for place in triple))
        for letter, triple in zip(ascii_uppercase, ordered, strict=False)
    ]


def hinted_card(reading: Reading) -> int | None:
    """Place in `Reading.cards` of one card of a set, a certain set if there is one."""
    shown = lettered_sets(reading, Show.ONE)
    return shown[0].places[0] if shown else None


def possible_sets(reading: Reading) -> list[PossibleSet]:
    """The sets of plausible readings that are likelier not there than there."""
    shown = {
        (triple, tuple(reading.cards[place].card for place in triple)) for triple in reading.sets()
    }
    return [
        possible
        for possible in reading.plausible_sets()
        if (possible.places, possible.cards) not in shown
    ]


def doubts_that_matter(reading: Reading) -> list[int]:
    """Places of the doubtful cards on which a set hangs, in ascending order."""
    triples = reading.sets() or [possible.places for possible in possible_sets(reading)]
    return sorted({i for triple in triples for i in triple if not reading.cards[i].certain})


def headline(reading: Reading, show: Show = Show.ALL, *, stock_empty: bool = False) -> str:
    """The whole answer in one short line, such as ``3 sets`` or ``No set: deal three more``."""
    if reading.sets():
        return _sets_headline(reading, show)
    if not reading.cards:
        return "No cards found"
    if not reading.set_is_possible():
        return no_set_advice(len(reading.cards), stock_empty=stock_empty)
    doubts = doubts_that_matter(reading) or reading.doubtful()
    if doubts:
        return f"Not sure: look at {name_cards(doubts)}"
    return f"Not sure: {counted(len(reading.blocked), 'card')} cannot be read"


def _sets_headline(reading: Reading, show: Show) -> str:
    total, certain = len(reading.sets()), len(reading.certain_sets())
    if show is Show.HINT:
        hint = name_cards([hinted_card(reading) or 0])
        return (
            f"{_count_sets(total, certain)}: {hint} is in {'it' if total == 1 else 'one of them'}"
        )
    if show is Show.ONE and total > 1:
        return f"One of {_count_sets(total, certain)}"
    if not certain:
        return f"Perhaps {counted(total, 'set')}: look at {name_cards(doubts_that_matter(reading))}"
    return _count_sets(total, certain)


def _count_sets(total: int, certain: int) -> str:
    if certain == total:
        return counted(total, "set")
    if not certain:
        return f"perhaps {counted(total, 'set')}"
    return f"{counted(certain, 'set')} and perhaps {total - certain} more"


def name_cards(places: Sequence[int]) -> str:
    """Cards by the numbers on the picture, which count from 1: ``cards 1, 5 and 9``."""
    numbers = [str(place + 1) for place in places]
    if len(numbers) > MOST_LISTED:
        numbers = [*numbers[: MOST_LISTED - 1], f"{len(numbers) - MOST_LISTED + 1} more"]
    return f"card{'s' if len(numbers) > 1 else ''} {listed(numbers)}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *head, tail = words
    return f"{', '.join(head)} {last} {tail}" if head else tail


def counted(count: int, noun: str) -> str:
    """``1 set``, ``3 sets``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _spread(triples: Sequence[Triple], count: int) -> list[Triple]:
    used: dict[int, int] = {}
    left, chosen = list(triples), []
    for _ in range(count):
        best = min(left, key=lambda triple: max(used.get(i, 0) for i in triple))
        left.remove(best)
        chosen.append(best)
        for i in best:
            used[i] = used.get(i, 0) + 1
    return chosen
