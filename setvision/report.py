"""The reading as the results contract (JSON) and as words for a person."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import cast

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from setvision.answer import (
    LetteredSet,
    Show,
    counted,
    headline,
    hinted_card,
    lettered_sets,
    listed,
    name_cards,
    possible_sets,
)
from setvision.board import PossibleSet, Reading, SeenCard, Verdict
from setvision.cards import Card, Color
from setvision.flow import flow

CONTRACT_VERSION = 1

Entry = dict[str, object]
"""One image of the results contract."""

SUMMARY_WORDS = {
    Verdict.SETS: "with sets",
    Verdict.NO_SET: "without a set",
    Verdict.UNSURE: "unsure",
    Verdict.NO_CARDS: "without cards",
}

INK = {Color.RED: "red", Color.GREEN: "green", Color.PURPLE: "magenta"}

NARROWEST_CELL = 19
"""Characters below which the table of cards would be cut into too many lines."""

NAMED, MOST_ALTERNATIVES = 0.01, 3
"""Other readings of a doubtful card are named from this probability on, and so many at most."""

MOST_POSSIBLE = 5
"""Sets named that only an unlikely reading would make."""


def to_entry(file: str, reading: Reading, seconds: float) -> Entry:
    """One image of the results contract.

    Rows, columns and the indices in "sets" count from 0; corners are pixels.

    Args:
        file: the name under which the image is listed.
        seconds: from decoding to the answer.
    """
    return {
        "file": file,
        "width": reading.width,
        "height": reading.height,
        "seconds": round(seconds, 4),
        "error": None,
        "verdict": str(reading.verdict),
        "cards": [_card_entry(seen) for seen in reading.cards],
        "sets": [list(triple) for triple in reading.sets()],
    }


def failed_entry(file: str, message: str) -> Entry:
    """The entry of a picture that could not be read; nothing is claimed about its cards."""
    return {
        "file": file,
        "width": 0,
        "height": 0,
        "seconds": 0.0,
        "error": message,
        "verdict": str(Verdict.UNSURE),
        "cards": [],
        "sets": [],
    }


def to_json(entries: Iterable[Entry]) -> str:
    """The whole results file, one image a line."""
    images = ",\n".join(json.dumps(entry) for entry in entries)
    return f'{{"version": {CONTRACT_VERSION}, "images": [\n{images}\n]}}\n'


def summary(entries: Sequence[Entry]) -> str:
    """One sentence on a whole folder: how many pictures were answered how."""
    read = [entry for entry in entries if entry["error"] is None]
    verdicts = Counter(entry["verdict"] for entry in read)
    counts = [f"{verdicts[verdict]} {words}" for verdict, words in SUMMARY_WORDS.items()]
    failed = len(entries) - len(read)
    seconds = [cast(float, entry["seconds"]) for entry in read]
    pace = f", {sum(seconds) / len(read):.2f} s a picture" if read else ""
    return f"{counted(len(entries), 'picture')}: {', '.join(counts)}, {failed} failed{pace}"


def describe(
    reading: Reading, show: Show = Show.ALL, *, stock_empty: bool = False, width: int = 80
) -> RenderableType:
    """The answer in words, for a rich console of a width in characters.

    How many cards lie where, the answer, each shown set with its cards, and what is in doubt.
    """
    answer = Text(headline(reading, show, stock_empty=stock_empty), "bold")
    if not reading.cards:
        return answer
    parts: list[RenderableType] = [Text(_layout(reading)), "", _cards(reading, width), "", answer]
    if show is Show.HINT:
        place = hinted_card(reading)
        if place is not None:
            seen = reading.cards[place]
            where = f"row {seen.row + 1}, column {seen.column + 1}"
            parts.append(Text(f"Card {place + 1} ({where}): {seen.card.describe()}"))
    else:
        parts += _set_lines(reading, show, width)
    return Group(*parts, *_doubt_lines(reading, width))


def _card_entry(seen: SeenCard) -> Entry:
    return {
        "card": str(seen.card),
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in seen.corners],
        "confidence": round(float(seen.confidence), 4),
        "certain": bool(seen.certain),
        "row": int(seen.row),
        "column": int(seen.column),
        "alternatives": [[str(card), round(float(p), 4)] for card, p in seen.alternatives],
    }


def _layout(reading: Reading) -> str:
    rows: dict[int, int] = {}
    for seen in reading.cards:
        rows[seen.row] = rows.get(seen.row, 0) + 1
    lengths = [rows[row] for row in sorted(rows)]
    cards = counted(len(reading.cards), "card")
    if len(lengths) == 1:
        return f"{cards} in 1 row"
    if len(set(lengths)) == 1:
        return f"{cards} in {len(lengths)} rows of {lengths[0]}"
    return f"{cards} in rows of {listed(str(length) for length in lengths)}"


def _cards(reading: Reading, width: int) -> RenderableType:
    """The cards as they lie, numbered as on the picture; one a line where it is too narrow."""
    columns = 1 + max(seen.column for seen in reading.cards)
    labels = [_label(place, seen) for place, seen in enumerate(reading.cards)]
    if columns * NARROWEST_CELL > width:
        return Group(*(Text("  ").join(label) for label in labels))
    cells: dict[int, list[Text]] = {}
    for seen, label in zip(reading.cards, labels, strict=True):
        row = cells.setdefault(seen.row, [Text()] * (2 * columns))
        row[2 * seen.column : 2 * seen.column + 2] = label
    table = Table.grid(padding=(0, 2, 0, 0))
    for place in sorted(cells):
        table.add_row(*cells[place])
    return table


def _label(place: int, seen: SeenCard) -> tuple[Text, Text]:
    number = f"{place + 1}{'' if seen.certain else '?'}:"
    return Text(f"{number:>4}", "bold"), _named(seen.card)


def _named(card: Card) -> Text:
    return Text(card.describe(), INK[card.color])


def _set_lines(reading: Reading, show: Show, width: int) -> list[RenderableType]:
    shown = lettered_sets(reading, show)
    lines: list[RenderableType] = []
    for lettered in shown:
        pieces = [Text(f"  {lettered.letter}:", "bold"), *_set_pieces(reading, lettered)]
        lines.append(flow(pieces, width, indent="     "))
    left = len(reading.sets()) - len(shown)
    if show is Show.ALL and left:
        lines.append(Text(f"  and {left} more, all of them in the output of --json"))
    return lines


def _set_pieces(reading: Reading, lettered: LetteredSet) -> list[Text]:
    seen = [reading.cards[place] for place in lettered.places]
    *first, last = (_named(one.card) for one in seen)
    pieces = [Text(f"{name_cards(lettered.places)}:"), *(name + Text(" ·") for name in first), last]
    unsure = [place for place in lettered.places if not reading.cards[place].certain]
    if unsure:
        condition = _conditions(unsure, [reading.cards[place].card for place in unsure])
        pieces += map(Text, f"(possible, if {condition})".split())
    return pieces


def _doubt_lines(reading: Reading, width: int) -> list[RenderableType]:
    lines: list[str] = []
    if reading.verdict is Verdict.UNSURE:
        possible = possible_sets(reading)
        lines += [_possible_line(reading, one) for one in possible[:MOST_POSSIBLE]]
        if len(possible) > MOST_POSSIBLE:
            lines.append(f"and {counted(len(possible) - MOST_POSSIBLE, 'more possible set')}")
    lines += [_doubt_line(place, reading.cards[place]) for place in reading.doubtful()]
    if reading.blocked:
        count = len(reading.blocked)
        lines.append(f"{counted(count, 'more card')} cannot be read, marked ? on the picture")
    flowing = [flow([*map(Text, line.split())], width, indent="  ") for line in lines]
    return ["", *flowing] if lines else []


def _possible_line(reading: Reading, possible: PossibleSet) -> str:
    doubted = [
        (place, card)
        for place, card in zip(possible.places, possible.cards, strict=True)
        if not reading.cards[place].certain
    ]
    condition = _conditions([place for place, _ in doubted], [card for _, card in doubted])
    return f"{name_cards(possible.places).capitalize()} would be a set if {condition}"


def _doubt_line(place: int, seen: SeenCard) -> str:
    named = [(card, chance) for card, chance in seen.alternatives if chance >= NAMED]
    readings = [(seen.card, seen.confidence), *named[:MOST_ALTERNATIVES]]
    if len(readings) == 1:
        return f"Card {place + 1} is in doubt: perhaps {_likely(*readings[0])}"
    return f"Card {place + 1} is in doubt: {listed((_likely(*one) for one in readings), 'or')}"


def _likely(card: Card, probability: float) -> str:
    return f"{card.describe()} ({min(float(probability), 0.99) * 100:.0f}%)"


def _conditions(places: Sequence[int], cards: Sequence[Card]) -> str:
    return listed(
        f"card {place + 1} is {card.describe()}" for place, card in zip(places, cards, strict=True)
    )
