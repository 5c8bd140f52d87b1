"""How a deck is printed: the official one, and plausible others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np

from setvision.cards import Color

Bgr = tuple[int, int, int]


class Outline(StrEnum):
    """What a deck draws for an oval, a diamond or a squiggle."""

    STADIUM = "stadium"
    ELLIPSE = "ellipse"
    RHOMBUS = "rhombus"
    RECTANGLE = "rectangle"
    WAVE = "wave"


class Striping(StrEnum):
    """What a deck draws for the striped shading."""

    LINES = "lines"
    DOTS = "dots"
    GRID = "grid"
    TINT = "tint"


@dataclass(frozen=True, slots=True)
class DeckStyle:
    """The looks of one deck; two equal styles draw equal cards.

    Attributes:
        red, green, purple: inks, BGR.
        paper: BGR.
        symbol_height: of the card's short side.
        symbol_width: of the symbol's height.
        symbol_pitch: distance of neighbouring symbols' centers, of the card's long side.
        outline_width: of the symbol's height.
        oval, diamond: the outlines that stand for these shapes; a squiggle is always a wave.
        striping: what stands for the striped shading.
        stripe_pitch: distance from line to line, of the symbol's height.
        stripe_width: width of a line, of the pitch; for a tint, how strong it is.
        stripe_angle: degrees; 0 draws the lines across the symbol, 90 along it.
        corner_radius: of the card's short side.
        border: width of a gray frame line near the card's edge, of its short side; 0 for none.
    """

    red: Bgr = (48, 46, 218)
    green: Bgr = (72, 142, 12)
    purple: Bgr = (128, 34, 98)
    paper: Bgr = (246, 249, 250)
    symbol_height: float = 0.66
    symbol_width: float = 0.47
    symbol_pitch: float = 0.275
    outline_width: float = 0.024
    oval: Outline = Outline.STADIUM
    diamond: Outline = Outline.RHOMBUS
    striping: Striping = Striping.LINES
    stripe_pitch: float = 0.0295
    stripe_width: float = 0.26
    stripe_angle: float = 0.0
    corner_radius: float = 0.065
    border: float = 0.0

    def ink(self, color: Color) -> Bgr:
        """The ink, BGR, that stands for a color."""
        return (self.red, self.green, self.purple)[color]


OFFICIAL = DeckStyle()
"""Measured on photos of the common edition."""


def random_style(rng: np.random.Generator) -> DeckStyle:
    """A plausible deck: seven in ten are the official one as different printers make it."""
    style = _printed_by_another_printer(rng)
    return style if rng.random() < 0.7 else _another_deck(rng, style)


def _printed_by_another_printer(rng: np.random.Generator) -> DeckStyle:
    wide_lines = rng.random() < 0.3
    return DeckStyle(
        red=_vary(rng, OFFICIAL.red),
        green=_vary(rng, OFFICIAL.green),
        # Cameras see the official purple anywhere from indigo to plum.
        purple=_vary(rng, OFFICIAL.purple, hue_spread=7),
        paper=_near_white(rng),
        symbol_height=float(rng.uniform(0.58, 0.71)),
        symbol_width=float(rng.uniform(0.43, 0.51)),
        symbol_pitch=float(rng.uniform(0.255, 0.295)),
        outline_width=float(rng.uniform(0.016, 0.036)),
        stripe_pitch=float(rng.uniform(0.04, 0.065) if wide_lines else rng.uniform(0.024, 0.04)),
        stripe_width=float(rng.uniform(0.15, 0.42)),
        stripe_angle=float(rng.normal(0, 1.5)),
        corner_radius=float(rng.uniform(0.04, 0.1)),
    )


def _another_deck(rng: np.random.Generator, style: DeckStyle) -> DeckStyle:
    """Change some habits of the official deck, at least those that the draw hits."""
    if rng.random() < 0.4:
        style = replace(style, diamond=Outline.RECTANGLE)
    if rng.random() < 0.4:
        style = replace(style, oval=Outline.ELLIPSE)
    if rng.random() < 0.5:
        style = replace(style, striping=Striping(rng.choice(list(Striping))))
    if style.striping in (Striping.DOTS, Striping.GRID):
        pitch, width = rng.uniform(0.05, 0.11), rng.uniform(0.25, 0.55)
        style = replace(style, stripe_pitch=float(pitch), stripe_width=float(width))
    if rng.random() < 0.4:
        style = replace(style, stripe_angle=float(rng.choice([90.0, 90.0, 45.0, -45.0])))
    if rng.random() < 0.3:
        ink = ((190, 70, 20), (40, 36, 34), (160, 30, 40))[rng.integers(3)]
        style = replace(style, purple=_vary(rng, ink))
    if rng.random() < 0.3:
        ink = ((20, 110, 240), (120, 60, 230))[rng.integers(2)]
        style = replace(style, red=_vary(rng, ink))
    if rng.random() < 0.25:
        style = replace(style, border=float(rng.uniform(0.008, 0.02)))
    return replace(
        style,
        symbol_height=float(rng.uniform(0.48, 0.72)),
        symbol_width=float(rng.uniform(0.42, 0.56)),
        outline_width=float(rng.uniform(0.018, 0.05)),
    )


def _vary(rng: np.random.Generator, ink: Bgr, hue_spread: float = 3) -> Bgr:
    hue, saturation, value = cv2.cvtColor(np.array([[ink]], np.uint8), cv2.COLOR_BGR2HSV)[0, 0]
    varied = [
        round(int(hue) + rng.normal(0, hue_spread)) % 180,
        int(np.clip(int(saturation) * rng.uniform(0.8, 1.1), 0, 255)),
        int(np.clip(int(value) * rng.uniform(0.75, 1.15), 0, 255)),
    ]
    blue, green, red = cv2.cvtColor(np.array([[varied]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    return int(blue), int(green), int(red)


def _near_white(rng: np.random.Generator) -> Bgr:
    white = rng.uniform(232, 252)
    yellowing = rng.uniform(0, 14)
    return int(white - yellowing), int(white - yellowing * 0.2), int(white)
