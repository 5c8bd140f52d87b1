"""Readings made by hand and from the truth beside a sample picture: no model is needed."""

import json
from pathlib import Path

import numpy as np

from setvision.board import Reading, SeenCard
from setvision.cards import Card

SAMPLES = Path(__file__).parent.parent / "sample_images"


def seen(name, corners, *, row=0, column=0, confidence=0.999, alternatives=()):
    """One card; it is in doubt exactly when alternatives are given."""
    others = tuple((Card.parse(other), chance) for other, chance in alternatives)
    quad = np.array(corners, np.float32)
    return SeenCard(Card.parse(name), quad, confidence, not others, row, column, others)


def grid(names, columns=4, *, width=210, height=140, gap=40, doubts=None, blocked=()):
    """Cards in a grid of upright rectangles, as a reading of a picture that just holds them.

    `doubts` maps a place to the alternatives of the card there; `blocked` lists places after the
    last card where something lies that cannot be read.
    """
    doubts = doubts or {}

    def corners(place):
        left = gap + place % columns * (width + gap)
        top = gap + place // columns * (height + gap)
        right, bottom = left + width, top + height
        return [[left, top], [right, top], [right, bottom], [left, bottom]]

    cards = tuple(
        seen(
            name,
            corners(place),
            row=place // columns,
            column=place % columns,
            confidence=0.81 if place in doubts else 0.999,
            alternatives=doubts.get(place, ()),
        )
        for place, name in enumerate(names)
    )
    rows = -(-(len(names) + len(blocked)) // columns)
    hidden = tuple(np.array(corners(place), np.float32) for place in blocked)
    picture_width = gap + columns * (width + gap)
    return Reading(picture_width, gap + rows * (height + gap), cards, hidden)


def from_truth(stem):
    """The true reading of a sample picture, all of it in one row."""
    truth = json.loads((SAMPLES / f"{stem}.json").read_text())
    cards = tuple(
        seen(card["card"], card["corners"], column=column)
        for column, card in enumerate(truth["cards"])
    )
    return Reading(truth["width"], truth["height"], cards)
