"""Pieces of text that stay whole, laid on lines of a width."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.text import Text


def flow(pieces: Sequence[Text], width: int, indent: str) -> Text:
    """Join pieces by spaces, on as many lines as needed, breaking between pieces.

    A piece that no line holds is broken into words, none of them a mere number or dot.

    Args:
        width: characters of a line.
        indent: put before every line but the first.
    """
    room = width - len(indent)
    line, *rest = (
        part for piece in pieces for part in ([piece] if len(piece) <= room else _words(piece))
    )
    lines = [line]
    for piece in rest:
        if len(lines[-1]) + 1 + len(piece) <= width:
            lines[-1] = lines[-1] + Text(" ") + piece
        else:
            lines.append(Text(indent) + piece)
    return Text("\n").join(lines)


def _words(piece: Text) -> list[Text]:
    return [
        piece[found.start() : found.end()]
        for found in re.finditer(r"(?:\d )?\S+(?: ·)?", piece.plain)
    ]
