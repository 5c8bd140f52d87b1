"""Whole tables with known truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision.cards import Card
from setvision.render.layout import Place, look_at, project, rows_and_columns, scattered
from setvision.render.light import Light, photograph
from setvision.render.style import OFFICIAL, DeckStyle
from setvision.render.surfaces import Surface, draw_surface
from setvision.render.symbols import draw_card, draw_other_card

_SUPERSAMPLE = 2
"""The scene is composed this many times larger than its picture and averaged down."""

_LARGEST_TEXTURE = 3000


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How a table looks and how it is photographed.

    Attributes:
        width, height: of the picture in pixels.
        surface: what the cards lie on.
        style: the deck.
        columns: cards in a row; 0 scatters them at any angle.
        upright: whether the cards of a row stand on their short side.
        gap: between neighbours, in long sides of a card; below 0 they overlap.
        jitter: spread of the cards' centers in long sides.
        turn: spread of the cards' angles in degrees.
        tilt: degrees of the camera from straight above.
        roll: degrees of the camera about its axis.
        fill: share of the picture that the layout spans.
        others: how many things lie among the cards that are not cards of the game.
        light: the light and the camera.
        quality: JPEG quality (1 to 100) that the picture went through; None for none.
    """

    width: int = 1600
    height: int = 1200
    surface: Surface = Surface.WOOD
    style: DeckStyle = OFFICIAL
    columns: int = 4
    upright: bool = False
    gap: float = 0.16
    jitter: float = 0.02
    turn: float = 2.0
    tilt: float = 12.0
    roll: float = 0.0
    fill: float = 0.86
    others: int = 0
    light: Light = field(default_factory=Light)
    quality: int | None = None


@dataclass(frozen=True, eq=False)
class Table:
    """A drawn table and its truth.

    Attributes:
        image: uint8 (H, W, 3), BGR.
        cards: each card with its corners, float32 (4, 2), pixels (x, y), clockwise, a long side
            first. A card's rounded corner lies just inside its corner point.
    """

    image: NDArray[np.uint8]
    cards: tuple[tuple[Card, NDArray[np.float32]], ...]


def draw_table(
    cards: Sequence[Card],
    seed: int | np.random.Generator,
    options: TableOptions | None = None,
) -> Table:
    """Draw cards on a table as a camera would see them.

    Args:
        cards: in the order they are dealt: later ones lie on top where cards overlap.
        seed: the same seed (or a generator in the same state) draws the same picture.
        options: the looks; the default is a wooden table seen almost from above.

    Raises:
        ValueError: nothing at all is to lie on the table, so nothing tells where to look.
    """
    options = options or TableOptions()
    if not cards and not options.others:
        raise ValueError("a table needs at least one card or other thing on it")
    rng = np.random.default_rng(seed)
    places = _deal(rng, len(cards) + options.others, options)
    spots = rng.permutation(len(places)) if options.others else np.arange(len(places))
    taken = sorted(spots[: len(cards)])
    view = _look(places, options)
    larger = np.array([[_SUPERSAMPLE, 0, 0.5], [0, _SUPERSAMPLE, 0.5], [0, 0, 1.0]]) @ view
    scene = _lay_surface(rng, options, larger)
    shadow = rng.uniform(-1, 1, 2) * 0.04
    card_at = dict(zip(taken, cards, strict=True))
    for index, place in enumerate(places):
        width = round(float(np.linalg.norm(np.diff(project(place.corners()[:2], larger), axis=0))))
        if index in card_at:
            drawn = draw_card(card_at[index], width, options.style)
        else:
            drawn = draw_other_card(rng, width)
        _lay_card(rng, scene, _shade(rng, drawn), place, larger, shadow, options.light.shadow)
    size = (options.width, options.height)
    small = np.asarray(cv2.resize(scene, size, interpolation=cv2.INTER_AREA), np.uint8)
    image = _through_jpeg(photograph(small, options.light, rng), options.quality)
    truth = [project(places[index].corners(), view) for index in taken]
    return Table(image, tuple(zip(cards, truth, strict=True)))


def _deal(rng: np.random.Generator, count: int, options: TableOptions) -> tuple[Place, ...]:
    if not options.columns:
        return scattered(rng, count, gap=options.gap)
    return rows_and_columns(
        rng,
        count,
        options.columns,
        upright=options.upright,
        gap=options.gap,
        jitter=options.jitter,
        turn=options.turn,
    )


def _look(places: tuple[Place, ...], options: TableOptions) -> NDArray[np.float64]:
    return look_at(
        np.concatenate([place.corners() for place in places]),
        options.width,
        options.height,
        tilt=options.tilt,
        roll=options.roll,
        fill=options.fill,
    )


def _lay_surface(
    rng: np.random.Generator, options: TableOptions, view: NDArray[np.float64]
) -> NDArray[np.uint8]:
    """The tabletop as the camera sees it, supersampled."""
    wide, high = options.width * _SUPERSAMPLE, options.height * _SUPERSAMPLE
    frame = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    onto_table = np.asarray(np.linalg.inv(view), np.float64)
    seen = project(frame, onto_table)
    start, extent = seen.min(0), np.ptp(seen, 0)
    middle = project(np.asarray(frame.mean(0, keepdims=True), np.float32), onto_table)
    step = project(np.concatenate([middle, middle + np.array([[1, 0]], np.float32)]), view)
    density = min(
        0.7 * float(np.linalg.norm(step[1] - step[0])), _LARGEST_TEXTURE / float(extent.max())
    )
    columns, rows = (int(side) + 2 for side in np.ceil(extent * density))
    texture = draw_surface(options.surface, rng, columns, rows, density)
    onto_plane = np.array([[1 / density, 0, start[0]], [0, 1 / density, start[1]], [0, 0, 1]])
    return np.asarray(
        cv2.warpPerspective(
            texture, view @ onto_plane, (wide, high), borderMode=cv2.BORDER_REFLECT
        ),
        np.uint8,
    )


def _shade(rng: np.random.Generator, card: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """No card lies quite flat, and none is quite as clean as the next: a slight gradient."""
    high, wide = card.shape[:2]
    y, x = np.ogrid[-1 : 1 : complex(0, high), -1 : 1 : complex(0, wide)]
    slope_x, slope_y = rng.normal(0, 0.018, 2)
    bend = rng.normal(0, 0.012)
    shade = rng.uniform(0.93, 0.98) + slope_x * x + slope_y * y + bend * x**2
    shaded = card.copy()
    shaded[..., :3] = np.clip(card[..., :3] * shade[..., None], 0, 255)
    return shaded


def _lay_card(
    rng: np.random.Generator,
    scene: NDArray[np.uint8],
    card: NDArray[np.uint8],
    place: Place,
    view: NDArray[np.float64],
    shadow: NDArray[np.float64],
    strength: float,
) -> None:
    """Lay one drawn card, BGRA, on the scene, in place: its shadow, its edge, its face."""
    corners = project(place.corners(), view)
    length = float(np.linalg.norm(corners[1] - corners[0]))
    reach = 0.12 * length + 8
    left, top = np.maximum(np.floor(corners.min(0) - reach), 0).astype(int)
    right, bottom = np.ceil(corners.max(0) + reach).astype(int)
    under = scene[top:bottom, left:right]
    size = (under.shape[1], under.shape[0])
    high, wide = card.shape[:2]
    source = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - np.float32(0.5)
    target = corners - np.array([left, top], np.float32)
    face = cv2.getPerspectiveTransform(source, target)
    outline = cv2.warpPerspective(card[..., 3], face, size)
    lifted = rng.uniform(0.4, 1.0) * length
    around = np.zeros(under.shape[:2], np.float32)
    for offset, softness, share in ((0.25, 0.006, 0.5), (1.0, 0.02, 0.5)):
        move = np.array([[1, 0, 0], [0, 1, 0]], np.float32)
        move[:, 2] = shadow * offset * lifted
        moved = cv2.warpAffine(outline, move, size)
        around += share * cv2.GaussianBlur(moved, (0, 0), softness * length + 0.5) / 255
    painted = under * (1 - strength * around[..., None])
    # The cut edge that faces the player, a hair thick and darker than the face.
    down = np.array([[1, 0, 0], [0, 1, 0.004 * length]], np.float32)
    edge = np.asarray(cv2.warpAffine(outline, down, size), np.float32)[..., None] / 255
    painted += edge * (0.62 * np.array(card[0, wide // 2, :3], np.float32) - painted)
    alpha = np.asarray(outline, np.float32)[..., None] / 255
    printed = cv2.warpPerspective(card[..., :3], face, size, borderMode=cv2.BORDER_REPLICATE)
    under[:] = np.clip(painted + alpha * (printed - painted) + 0.5, 0, 255)


def _through_jpeg(image: NDArray[np.uint8], quality: int | None) -> NDArray[np.uint8]:
    if quality is None:
        return image
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
