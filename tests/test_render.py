"""Drawn cards and tables: what they show is what their truth says."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from setvision.cards import Card, Color, Shading, deck
from setvision.render.layout import rows_and_columns, scattered
from setvision.render.samples import SAMPLES
from setvision.render.scene import TableOptions, draw_table
from setvision.render.style import OFFICIAL, DeckStyle, Outline, Striping, random_style
from setvision.render.surfaces import Surface, draw_surface
from setvision.render.symbols import draw_card, draw_other_card
from setvision.rules import find_sets

SAMPLE_FOLDER = Path(__file__).parent.parent / "sample_images"
SMALL = TableOptions(width=640, height=480, surface=Surface.DARK, columns=3)


def ink_mask(card, style=OFFICIAL):
    drawn = draw_card(card, 200, style)
    return np.ptp(drawn[..., :3], axis=2) > 40


def some_cards(count):
    return [Card.from_index(index * 7 % 81) for index in range(count)]


def test_all_81_cards_look_different_even_when_small():
    drawn = [draw_card(card, 60).astype(np.int16) for card in deck()]
    assert min(np.abs(a - b).mean() for a, b in combinations(drawn, 2)) > 0.5


def test_a_card_is_opaque_but_for_its_rounded_corners():
    alpha = draw_card(Card.parse("1-red-open-oval"), 200)[..., 3]
    assert alpha.shape == (129, 200)
    assert alpha[0, 0] == alpha[-1, -1] == 0
    assert alpha[64].min() == alpha[:, 100].min() == 255


@pytest.mark.parametrize("count", ["1", "2", "3"])
@pytest.mark.parametrize("shape", ["oval", "diamond", "squiggle"])
def test_a_card_shows_as_many_symbols_as_its_number_says(count, shape):
    ink = ink_mask(Card.parse(f"{count}-purple-solid-{shape}")).astype(np.uint8)
    pieces, _, stats, _ = cv2.connectedComponentsWithStats(ink)
    assert pieces - 1 == int(count)
    assert np.ptp(stats[1:, cv2.CC_STAT_AREA]) <= 0.02 * stats[1:, cv2.CC_STAT_AREA].max()


def test_striped_ink_lies_between_open_and_solid():
    inks = [ink_mask(Card.parse(f"2-green-{shading}-oval")).mean() for shading in ("open", "solid")]
    striped = draw_card(Card.parse("2-green-striped-oval"), 600)
    share = (np.ptp(striped[..., :3], axis=2) > 60).mean()
    assert 1.3 * inks[0] < share < 0.75 * inks[1]


def test_squiggles_lean_to_the_left_at_their_top_as_on_the_official_deck():
    columns = [np.flatnonzero(row) for row in ink_mask(Card.parse("1-red-solid-squiggle"))]
    rows = [row.mean() for row in columns if row.size]
    assert np.mean(rows[:8]) < 100 - 3
    assert np.mean(rows[-8:]) > 100 + 3


def test_the_inks_are_those_of_the_style():
    style = DeckStyle(purple=(200, 60, 10))
    drawn = draw_card(Card.parse("1-purple-solid-oval"), 200, style)
    assert tuple(drawn[64, 100, :3]) == (200, 60, 10)


def test_other_decks_draw_other_outlines_and_shadings():
    diamond, oval = Card.parse("1-red-solid-diamond"), Card.parse("1-red-solid-oval")
    rectangles = DeckStyle(diamond=Outline.RECTANGLE)
    ellipses = DeckStyle(oval=Outline.ELLIPSE)
    assert ink_mask(diamond, rectangles).sum() > 1.8 * ink_mask(diamond).sum()
    assert ink_mask(oval, ellipses).sum() < 0.95 * ink_mask(oval).sum()
    striped = Card.parse("1-red-striped-oval")
    looks = {draw_card(striped, 200, DeckStyle(striping=kind)).tobytes() for kind in Striping}
    assert len(looks) == len(Striping)


def test_random_styles_repeat_with_their_seed_and_cover_other_decks():
    styles = [random_style(np.random.default_rng(seed)) for seed in range(60)]
    assert styles == [random_style(np.random.default_rng(seed)) for seed in range(60)]
    assert len(set(styles)) == 60
    assert {style.diamond for style in styles} == {Outline.RHOMBUS, Outline.RECTANGLE}
    assert sum(style.oval is Outline.STADIUM for style in styles) > 30
    assert all(len({style.ink(color) for color in Color}) == 3 for style in styles)


def test_things_that_are_no_cards_are_drawn_in_the_same_form():
    rng = np.random.default_rng(4)
    drawn = [draw_other_card(rng, 120) for _ in range(30)]
    assert {picture.shape for picture in drawn} == {(77, 120, 4)}
    assert len({picture.tobytes() for picture in drawn}) == 30
    assert all(picture[0, 0, 3] < picture[38, 60, 3] == 255 for picture in drawn)


@pytest.mark.parametrize("surface", Surface)
def test_a_tabletop_fills_its_picture_and_repeats_with_its_seed(surface):
    first, again, other = (
        draw_surface(surface, np.random.default_rng(seed), 300, 200, 90) for seed in (5, 5, 6)
    )
    assert first.shape == (200, 300, 3)
    assert first.std() > 0.5
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("tilt", [0, 25, 45])
@pytest.mark.parametrize("upright", [False, True])
def test_the_true_corners_enclose_the_paper_and_nothing_else(tilt, upright):
    options = TableOptions(
        width=640, height=480, surface=Surface.DARK, columns=3, tilt=tilt, roll=8, upright=upright
    )
    table = draw_table(some_cards(6), 2, options)
    gray = table.image.max(2)
    for _, corners in table.cards:
        middle = corners.mean(0)
        for share, paper in ((0.9, True), (1.07, False)):
            for x, y in np.round(middle + (corners - middle) * share).astype(int):
                assert (gray[y, x] > 130) == paper


@pytest.mark.parametrize("columns", [0, 3])
def test_corners_run_clockwise_from_a_long_side_inside_the_picture(columns):
    options = TableOptions(width=640, height=480, surface=Surface.DARK, columns=columns, tilt=0)
    for _, corners in draw_table(some_cards(7), 3, options).cards:
        assert corners.dtype == np.float32
        assert cv2.contourArea(corners, oriented=True) > 0
        long, short = (
            np.linalg.norm(corners[1] - corners[0]),
            np.linalg.norm(corners[2] - corners[1]),
        )
        assert long == pytest.approx(1.55 * short, rel=0.02)
        assert (corners > 0).all()
        assert (corners < [640, 480]).all()


def test_the_same_seed_draws_the_same_picture():
    first, again, other = (draw_table(some_cards(5), seed, SMALL) for seed in (8, 8, 9))
    assert np.array_equal(first.image, again.image)
    assert not np.array_equal(first.image, other.image)


def test_jpeg_quality_costs_detail_but_moves_nothing():
    sharp = draw_table(some_cards(3), 1, SMALL)
    coarse = draw_table(some_cards(3), 1, replace(SMALL, quality=20))
    assert 0.5 < cv2.absdiff(sharp.image, coarse.image).mean() < 8
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(sharp.cards, coarse.cards, strict=True))


def test_the_truth_keeps_the_cards_in_order_among_other_things():
    options = TableOptions(width=640, height=480, surface=Surface.DARK, columns=4, others=4)
    cards = [Card.parse(f"{n}-red-solid-oval") for n in (1, 2, 3)]
    table = draw_table(cards, 1, options)
    assert [card for card, _ in table.cards] == cards
    for card, corners in table.cards:
        upright = np.array([[0, 0], [155, 0], [155, 100], [0, 100]], np.float32)
        crop = cv2.warpPerspective(
            table.image, cv2.getPerspectiveTransform(corners, upright), (155, 100)
        )
        red = (np.ptp(crop[8:-8, 8:-8], axis=2) > 90).astype(np.uint8)
        assert cv2.connectedComponents(red)[0] - 1 == int(str(card.number))


def test_a_table_with_nothing_on_it_cannot_be_framed():
    with pytest.raises(ValueError, match="at least one"):
        draw_table([], 0, SMALL)


def test_dealt_rows_are_apart_and_scattered_cards_never_hide_each_other_middle():
    rng = np.random.default_rng(0)
    rows = rows_and_columns(rng, 12, 4, jitter=0, turn=0)
    assert len({round(place.y, 6) for place in rows}) == 3
    places = scattered(rng, 15)
    distances = [np.hypot(a.x - b.x, a.y - b.y) for a, b in combinations(places, 2)]
    assert min(distances) > 0.85


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_each_sample_picture_has_the_truth_it_promises(sample):
    truth = json.loads((SAMPLE_FOLDER / f"{sample.name}.json").read_text(encoding="utf-8"))
    cards = [Card.parse(seen["card"]) for seen in truth["cards"]]
    assert len(set(cards)) == len(cards) == sample.cards
    assert truth["sets"] == [list(triple) for triple in find_sets(cards)]
    assert sample.sets[0] <= len(truth["sets"]) <= sample.sets[1]
    if sample.solid_only:
        assert {card.shading for card in cards} == {Shading.SOLID}
    picture = SAMPLE_FOLDER / truth["file"]
    assert picture.stat().st_size < 500_000
    assert cv2.imread(str(picture)).shape == (truth["height"], truth["width"], 3)


def draw(*arguments):
    command = [sys.executable, "-m", "setvision.render", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_draws_the_committed_sample_again(tmp_path):
    done = draw(tmp_path / "out", "--only", "three-claimed")
    assert done.returncode == 0, done.stderr
    drawn, kept = tmp_path / "out" / "three-claimed.jpg", SAMPLE_FOLDER / "three-claimed.jpg"
    assert done.stdout.split() == [str(drawn)]
    assert drawn.with_suffix(".json").read_text() == kept.with_suffix(".json").read_text()
    difference = cv2.absdiff(cv2.imread(str(drawn)), cv2.imread(str(kept)))
    # Another processor may round a few pixels otherwise.
    assert difference.mean() < 0.5


def test_the_command_says_why_it_cannot_write(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    done = draw(tmp_path / "file", "--only", "three-claimed")
    assert done.returncode == 6
    assert "cannot write" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_command_knows_its_samples_by_name(tmp_path):
    done = draw(tmp_path, "--only", "nothing-like-it")
    assert done.returncode == 2
    assert "twelve-no-set" in " ".join(done.stderr.split())
