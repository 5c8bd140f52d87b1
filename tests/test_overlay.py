"""What the drawn picture shows, measured in its pixels."""

from itertools import pairwise

import cv2
import numpy as np
import pytest
from readings import SAMPLES, from_truth, grid

from setvision import outline
from setvision.answer import Show, lettered_sets
from setvision.cards import deck
from setvision.overlay import appearance, draw, nest

TABLE = (60, 70, 90)
PAPER = (235, 238, 240)

# Four cards that hold no set, two that complete it in three ways through the first card.
STAR = [
    "1-red-solid-oval",
    "2-red-solid-oval",
    "3-red-solid-oval",
    "1-green-solid-oval",
    "1-purple-solid-oval",
    "1-red-striped-oval",
    "1-red-open-oval",
]


def table(reading):
    """A picture of blank cards on a plain table, symbols replaced by noise."""
    image = np.full((reading.height, reading.width, 3), TABLE, np.uint8)
    random = np.random.default_rng(3)
    for quad in [*(seen.corners for seen in reading.cards), *reading.blocked]:
        cv2.fillConvexPoly(image, quad.astype(np.int32), PAPER)
        left, top, right, bottom = symbols(quad)
        noise = random.integers(0, 255, (bottom - top, right - left, 3))
        image[top:bottom, left:right] = noise
    return image


def symbols(quad):
    """The box that the symbols of an upright card may fill: all but 12 % of its short side."""
    left, top = quad.min(0)
    right, bottom = quad.max(0)
    inset = 0.14 * min(right - left, bottom - top)
    return tuple(
        round(float(v)) for v in (left + inset, top + inset, right - inset, bottom - inset)
    )


def below_strip(drawn, reading):
    """The picture without the strip above it, at the scale of the reading."""
    scale = drawn.shape[1] / reading.width
    picture = drawn[drawn.shape[0] - round(reading.height * scale) :]
    return picture, scale


def has_color(pixels, color):
    near = np.abs(pixels.astype(int) - np.array(color)).max(-1) < 12
    return int(np.count_nonzero(near))


def around(picture, quad, scale, margin=22):
    left, top = (quad.min(0) * scale).astype(int) - margin
    right, bottom = (quad.max(0) * scale).astype(int) + margin
    return picture[max(0, top) : bottom, max(0, left) : right]


def test_every_set_shows_its_color_around_each_of_its_cards_and_no_other_card():
    reading = from_truth("twelve-several-sets")
    image = cv2.imread(str(SAMPLES / "twelve-several-sets.jpg"))
    picture, scale = below_strip(draw(image, reading), reading)
    assert scale == 1
    shown = lettered_sets(reading)
    assert len(shown) > 1
    for index, lettered in enumerate(shown):
        color = appearance(index).color
        for place in range(len(reading.cards)):
            quad = outline.ring(reading.cards[place].corners, 0)
            mask = np.zeros(picture.shape[:2], np.uint8)
            cv2.polylines(mask, [quad.astype(np.int32)], True, 255, 30)
            changed = (mask > 0) & (picture != image).any(-1)
            count = has_color(picture[changed], color)
            perimeter = cv2.arcLength(quad, True)
            assert (count > perimeter) == (place in lettered.places)


def test_a_card_in_three_sets_has_three_lines_of_three_colors_on_each_side():
    reading = grid(STAR)
    assert [0 in triple for triple in reading.sets()] == [True, True, True]
    picture, scale = below_strip(draw(table(reading), reading), reading)
    quad = reading.cards[0].corners * scale
    middle = quad.mean(0).astype(int)
    across = [
        picture[middle[1], : middle[0]],
        picture[middle[1], middle[0] : int(quad[1, 0]) + 30],
        picture[middle[1] :, middle[0]][: int(quad[2, 1]) - middle[1] + 30],
    ]
    for line in across:
        places = [
            np.flatnonzero(np.abs(line.astype(int) - appearance(index).color).max(-1) < 12)
            for index in range(3)
        ]
        assert all(len(place) >= 2 for place in places)
        spans = sorted((int(place.min()), int(place.max())) for place in places)
        assert all(end < start for (_, end), (start, _) in pairwise(spans))


@pytest.mark.parametrize("gap", [2, 12, 60])
def test_the_symbols_stay_untouched_whatever_the_gaps_between_cards(gap):
    reading = grid(STAR, gap=gap, doubts={0: [("2-green-open-diamond", 0.1)]})
    image = table(reading)
    picture, scale = below_strip(draw(image, reading), reading)
    assert scale == 1
    for seen in reading.cards:
        left, top, right, bottom = symbols(seen.corners)
        before, after = image[top:bottom, left:right], picture[top:bottom, left:right]
        touched = (before != after).any(-1).mean()
        # Plates moved inside the picture reach the corner of the box, where symbols are round.
        assert touched < 0.05


def test_lines_of_one_card_never_overlap_and_keep_their_width_where_there_is_room():
    width, offsets = nest(3, room=60, side=200, line=7)
    assert width == 7
    assert all(first - second > width for first, second in pairwise(offsets))
    crowded, offsets = nest(6, room=0, side=200, line=7)
    assert 1 <= crowded < 7
    assert all(first - second >= crowded + 1 for first, second in pairwise(offsets))
    assert max(offsets) <= 0


def test_sets_beyond_the_palette_still_look_different():
    looks = [appearance(place) for place in range(26)]
    assert len(set(looks)) == 26


def strokes_below(picture, quad, color):
    """How many separate strokes of a color run along the lower edge of an upright card."""
    left, right, bottom = int(quad[3, 0]) + 20, int(quad[2, 0]) - 20, int(quad[2, 1])
    band = picture[bottom - 12 : bottom + 20, left:right]
    colored = (np.abs(band.astype(int) - color).max(-1) < 40).any(0)
    return np.count_nonzero(np.diff(colored.astype(int), prepend=0) == 1)


def test_only_sets_in_doubt_have_broken_lines():
    names = [str(card) for card in deck()][:12]
    reading = grid(names, doubts={0: [("1-green-open-oval", 0.1)]})
    shown = lettered_sets(reading)
    assert len({lettered.certain for lettered in shown}) == 2
    certain = next(lettered for lettered in shown if lettered.certain)
    picture, _ = below_strip(draw(table(reading), reading), reading)
    quad = reading.cards[certain.places[0]].corners
    assert strokes_below(picture, quad, appearance(shown.index(certain)).color) == 1

    reading = grid(STAR[:3], doubts={0: [("1-green-open-oval", 0.1)]})
    picture, _ = below_strip(draw(table(reading), reading), reading)
    for place in (1, 2):
        assert strokes_below(picture, reading.cards[place].corners, appearance(0).color) >= 4


def test_sets_that_repeat_a_color_are_told_apart_by_a_line_within_the_line():
    repeated = [appearance(place) for place in (0, 7, 14, 21)]
    assert not any(look.dashed for look in repeated)
    middles = []
    for look in repeated:
        image = np.full((100, 100, 3), TABLE, np.uint8)
        square = np.array([[20, 20], [80, 20], [80, 80], [20, 80]], np.float32)
        outline.stroke(image, square, look, 8)
        assert has_color(image, look.color) > 400
        middles.append(tuple(image[50, 20].tolist()))
    assert len(set(middles)) == 4


def test_a_doubtful_card_gets_a_broken_line_and_a_certain_one_none():
    reading = grid(STAR[:2], doubts={1: [(STAR[2], 0.15)]})
    picture, scale = below_strip(draw(table(reading), reading), reading)
    white = [
        has_color(around(picture, seen.corners, scale), (255, 255, 255)) for seen in reading.cards
    ]
    assert white[1] > 5 * white[0]
    quad = reading.cards[1].corners * scale
    bottom = picture[int(quad[2, 1]) - 12 : int(quad[2, 1]) + 12, int(quad[3, 0]) : int(quad[2, 0])]
    is_white = (bottom > 245).all(-1).any(0)
    assert np.count_nonzero(np.diff(is_white.astype(int)) == 1) >= 4


def test_a_card_that_cannot_be_read_gets_a_gray_line():
    reading = grid(STAR[:2], blocked=[2])
    image = table(reading)
    picture, scale = below_strip(draw(image, reading), reading)
    gray = (185, 185, 185)
    assert has_color(around(picture, reading.blocked[0], scale), gray) > 200
    assert has_color(around(picture, reading.cards[0].corners, scale), gray) < 50


def test_a_hint_marks_one_card_only():
    reading = grid(STAR)
    image = table(reading)
    picture, scale = below_strip(draw(image, reading, Show.HINT), reading)
    changed = [
        (around(picture, seen.corners, scale) != around(image, seen.corners, scale)).any()
        for seen in reading.cards
    ]
    assert sum(changed) == 1


def test_one_set_is_drawn_when_one_is_asked_for():
    reading = grid(STAR)
    image = table(reading)
    picture, _ = below_strip(draw(image, reading, Show.ONE), reading)
    drawn = picture[(picture != image).any(-1)]
    assert has_color(drawn, appearance(0).color) > 1000
    assert has_color(drawn, appearance(1).color) < 50


def test_the_picture_itself_is_not_changed_and_the_answer_stands_above_it():
    reading = grid(["1-red-solid-oval", "2-green-open-oval"], width=300, height=200)
    image = table(reading)
    before = image.copy()
    drawn = draw(image, reading)
    assert (image == before).all()
    assert drawn.shape[1] == image.shape[1]
    assert drawn.shape[0] > image.shape[0]


@pytest.mark.parametrize(("width", "columns"), [(22, 9), (120, 9), (360, 9)])
def test_a_whole_deck_is_drawn_at_any_size(width, columns):
    names = [str(card) for card in deck()]
    reading = grid(names, columns, width=width, height=width * 2 // 3, gap=max(2, width // 20))
    drawn = draw(table(reading), reading)
    assert max(drawn.shape[:2]) <= max(2800, 1.1 * reading.width)
    assert has_color(drawn, appearance(0).color) > 100


def test_cards_partly_outside_the_picture_and_crossed_corners_are_drawn():
    reading = grid(STAR, gap=-20)
    crossed = reading.cards[0].corners
    crossed[[1, 2]] = crossed[[2, 1]]
    image = np.full((reading.height, reading.width, 3), TABLE, np.uint8)
    assert draw(image, reading).shape[2] == 3


def test_a_picture_without_cards_only_gets_the_strip():
    reading = grid([])
    image = np.full((480, 640, 3), TABLE, np.uint8)
    reading = type(reading)(640, 480, ())
    assert (draw(image, reading)[-480:] == image).all()
