"""What is far smaller than the cards around it is no card; perspective alone makes none small."""

import cv2
import numpy as np
import pytest

from setvision.scale import far_too_small

CARD = np.float32([[-46, -30], [46, -30], [46, 30], [-46, 30]])


def table(tilt: float, rows: int = 4, columns: int = 3) -> np.ndarray:
    """Equal cards in rows and columns, seen by a camera that is tilted more or less."""
    flat = np.float32(
        [CARD + np.float32([110 * x, 80 * y]) for y in range(rows) for x in range(columns)]
    )
    homography = np.array([[1, 0.1, 0], [0, 1, 0], [0, tilt, 1]])
    return cv2.perspectiveTransform(flat.reshape(1, -1, 2), homography).reshape(-1, 4, 2)


def shrunk(quad: np.ndarray, factor: float) -> np.ndarray:
    return (quad - quad.mean(0)) * factor + quad.mean(0)


@pytest.mark.parametrize("tilt", [0, 0.002, 0.005, -0.0015])
def test_perspective_makes_no_card_too_small(tilt: float) -> None:
    assert not far_too_small(table(tilt)).any()


@pytest.mark.parametrize("tilt", [0, 0.002])
def test_letters_and_pattern_among_the_cards_are_too_small(tilt: float) -> None:
    corners = table(tilt)
    odd = [1, 5, 10]
    corners[odd] = [shrunk(corners[place], 0.3) for place in odd]
    assert np.flatnonzero(far_too_small(corners)).tolist() == odd


def test_a_card_much_larger_than_the_others_stays() -> None:
    corners = table(0.001)
    corners[4] = shrunk(corners[4], 2.2)
    assert not far_too_small(corners).any()


def test_a_few_cards_say_nothing_about_their_size() -> None:
    corners = table(0)[:3]
    corners[0] = shrunk(corners[0], 0.2)
    assert not far_too_small(corners).any()


def test_no_cards_are_no_fault() -> None:
    assert far_too_small(np.zeros((0, 4, 2), np.float32)).tolist() == []
