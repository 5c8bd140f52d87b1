"""Crops show the card that the corners name, upright and under white light."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from setvision.cards import Card
from setvision.rectify import (
    CROP_HEIGHT,
    CROP_WIDTH,
    UNIT_SQUARE,
    area,
    balance,
    crop_frame,
    iou,
    move_corners,
    rectify,
)
from setvision.render import draw_card

SQUARE = np.float32([[0, 0], [10, 0], [10, 10], [0, 10]])
TILTED = np.float32([[310, 120], [720, 200], [690, 470], [250, 350]])


def lay(card: Card, corners: np.ndarray, table: tuple[int, int, int]) -> np.ndarray:
    """A picture, 900 by 600, of one drawn card lying at `corners`."""
    drawn = draw_card(card, 620)
    height, width = drawn.shape[:2]
    edges = UNIT_SQUARE * np.float32([width, height]) - np.float32(0.5)
    homography = cv2.getPerspectiveTransform(edges, corners)
    layer = cv2.warpPerspective(drawn, homography, (900, 600), flags=cv2.INTER_AREA)
    alpha = layer[..., 3:] / 255
    return np.uint8(layer[..., :3] * alpha + np.float32(table) * (1 - alpha))


def test_a_tilted_card_comes_out_as_it_was_drawn() -> None:
    card = Card.parse("3-green-solid-squiggle")
    crop = rectify(lay(card, TILTED, (40, 40, 40)), TILTED, 600, 400)
    frame = crop_frame(600, 400)
    width, height = (frame[2] - frame[0]).round().astype(int)
    left, top = frame[0].round().astype(int)
    drawn = cv2.resize(draw_card(card, 620)[..., :3], (width, height), interpolation=cv2.INTER_AREA)
    inside = crop[top : top + height, left : left + width]
    middle = np.s_[30:-30, 30:-30]
    assert np.abs(inside[middle].astype(int) - drawn[middle]).mean() < 8


def test_the_margin_shows_the_table() -> None:
    crop = rectify(lay(Card.parse("1-red-open-oval"), TILTED, (200, 30, 10)), TILTED)
    assert crop.shape == (CROP_HEIGHT, CROP_WIDTH, 3)
    assert np.allclose(crop[CROP_HEIGHT // 2, 2], (200, 30, 10), atol=4)


def test_a_card_at_the_edge_of_the_picture_is_cut_without_a_fault() -> None:
    picture = np.full((100, 100, 3), 200, np.uint8)
    outside = TILTED - np.float32([900, 900])
    assert rectify(picture, TILTED).shape == (CROP_HEIGHT, CROP_WIDTH, 3)
    assert rectify(picture, outside).shape == (CROP_HEIGHT, CROP_WIDTH, 3)


@pytest.mark.parametrize("lamp", [(255, 255, 255), (90, 160, 250), (60, 60, 60), (200, 120, 90)])
def test_paper_is_white_under_any_lamp(lamp: tuple[int, int, int]) -> None:
    picture = lay(Card.parse("3-purple-solid-oval"), TILTED, (30, 30, 30))
    lit = np.uint8(picture * (np.float32(lamp) / 255))
    balanced = balance(rectify(lit, TILTED)[None])[0]
    paper = balanced[CROP_HEIGHT // 2, round(CROP_WIDTH * 0.14)]
    assert np.allclose(paper, 1, atol=0.08)


def test_iou_of_a_square_with_itself_half_of_itself_and_none_of_it() -> None:
    assert iou(SQUARE, SQUARE) == pytest.approx(1)
    assert iou(SQUARE, SQUARE * np.float32([0.5, 1])) == pytest.approx(0.5)
    assert iou(SQUARE, SQUARE + 20) == 0


def test_area_is_positive_when_clockwise_on_the_picture() -> None:
    assert area(SQUARE) == 100
    assert area(SQUARE[::-1]) == -100


def test_corners_stay_where_nothing_is_to_be_moved() -> None:
    assert np.allclose(move_corners(TILTED, np.zeros((4, 2), np.float32)), TILTED, atol=1e-2)


@given(st.lists(st.floats(-0.25, 0.25, width=32), min_size=8, max_size=8))
def test_offsets_in_the_cards_plane_bring_the_true_corners_back(
    values: list[float],
) -> None:
    offsets = np.float32(values).reshape(4, 2)
    plane = cv2.getPerspectiveTransform(UNIT_SQUARE, TILTED)
    truth = cv2.perspectiveTransform((UNIT_SQUARE + offsets)[None], plane)[0]
    assert np.allclose(move_corners(TILTED, offsets), truth, atol=0.05)
