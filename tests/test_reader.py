"""A picture goes in, the right reading comes out, or a doubtful one: never a wrong certainty."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from setvision.board import Reading, Verdict
from setvision.cards import deck
from setvision.reader import read
from setvision.rectify import iou
from setvision.render import draw_other_card, draw_table

SAMPLES = Path(__file__).parent.parent / "sample_images"
TRUTHS = sorted(SAMPLES.glob("*.json"))


def sample(name: str) -> np.ndarray:
    return np.asarray(cv2.imread(str(SAMPLES / f"{name}.jpg")), np.uint8)


def names(reading: Reading) -> list[str]:
    return sorted(str(seen.card) for seen in reading.cards)


@pytest.mark.parametrize("truth_file", TRUTHS, ids=lambda path: path.stem)
def test_samples_are_read_right_and_their_sets_found(truth_file: Path) -> None:
    truth = json.loads(truth_file.read_text())
    reading = read(sample(truth_file.stem))
    assert names(reading) == sorted(card["card"] for card in truth["cards"])
    found = {frozenset(str(reading.cards[i].card) for i in triple) for triple in reading.sets()}
    wanted = {frozenset(truth["cards"][i]["card"] for i in triple) for triple in truth["sets"]}
    assert found == wanted
    for card in truth["cards"]:
        seen = next(seen for seen in reading.cards if str(seen.card) == card["card"])
        assert iou(seen.corners, np.float32(card["corners"])) > 0.75


def test_a_table_without_a_set_is_said_to_have_none() -> None:
    assert read(sample("twelve-no-set")).verdict is Verdict.NO_SET


def test_a_table_without_set_cards_has_no_cards() -> None:
    assert read(sample("no-cards")).verdict is Verdict.NO_CARDS


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_picture_holds_the_same_cards(turns: int) -> None:
    upright = sample("twelve-several-sets")
    turned = np.ascontiguousarray(np.rot90(upright, turns))
    assert names(read(turned)) == names(read(upright))


def test_cards_are_numbered_in_reading_order_with_rows_and_columns() -> None:
    reading = read(sample("twelve-no-set"))
    places = [(seen.row, seen.column) for seen in reading.cards]
    assert places == sorted(places)
    assert places == [(row, column) for row in range(3) for column in range(4)]


def test_corners_are_clockwise_pixels_of_the_full_picture() -> None:
    picture = sample("twelve-several-sets")
    large = cv2.resize(picture, None, fx=2, fy=2)
    small_reading, large_reading = read(picture), read(large)
    for small, big in zip(small_reading.cards, large_reading.cards, strict=True):
        assert big.card == small.card
        assert iou(big.corners / 2, small.corners) > 0.9


def test_gray_pictures_leave_the_colors_in_doubt() -> None:
    gray = cv2.cvtColor(sample("twelve-no-set"), cv2.COLOR_BGR2GRAY)
    reading = read(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR))
    assert reading.cards
    assert not any(seen.certain for seen in reading.cards)
    assert reading.verdict is not Verdict.NO_SET


@pytest.mark.parametrize("seed", range(6))
def test_other_cards_on_a_table_are_not_read_as_set_cards(seed: int) -> None:
    rng = np.random.default_rng(seed)
    others = [draw_other_card(rng, 300) for _ in range(8)]
    table = np.full((900, 1400, 3), (30, 60, 40), np.uint8)
    for place, other in enumerate(others):
        x, y = 40 + place % 4 * 340, 60 + place // 4 * 420
        height, width = other.shape[:2]
        alpha = other[..., 3:] / 255
        region = table[y : y + height, x : x + width]
        region[:] = np.uint8(other[..., :3] * alpha + region * (1 - alpha))
    assert not any(seen.certain for seen in read(table).cards)


@pytest.mark.parametrize("value", [0, 128, 255])
def test_a_plain_picture_holds_nothing(value: int) -> None:
    assert read(np.full((300, 400, 3), value, np.uint8)).verdict is Verdict.NO_CARDS


def test_the_whole_deck_on_one_table_is_read() -> None:
    cards = [deck()[i] for i in np.random.default_rng(8).permutation(81)]
    table = draw_table(cards, 8)
    reading = read(table.image)
    assert names(reading) == sorted(str(card) for card in cards)


def test_what_is_left_out_of_a_doubtful_reading_is_implausible() -> None:
    reading = read(cv2.GaussianBlur(sample("fifteen"), (0, 0), 9))
    doubtful = [seen for seen in reading.cards if seen.alternatives]
    assert doubtful
    for seen in doubtful:
        chances = [chance for _, chance in seen.alternatives]
        assert chances == sorted(chances, reverse=True)
        assert seen.card not in [card for card, _ in seen.alternatives]
        assert seen.confidence + sum(chances) > 0.6
