"""The finder's way of writing a card, and what it finds on the sample tables."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from setvision.detect import decode_axes, encode_axes, find
from setvision.rectify import iou

SAMPLES = Path(__file__).parent.parent / "sample_images"


def card_at(degrees: float, long_side: float, short_side: float) -> np.ndarray:
    """Corners of a card around the origin, its long side first, turned by some degrees."""
    half = np.float32([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [long_side / 2, short_side / 2]
    turn = np.deg2rad(degrees)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.float32(half @ rotation.T)


@given(st.floats(-180, 180), st.floats(20, 400), st.floats(0.3, 1.0))
def test_a_card_survives_being_encoded_and_decoded(
    degrees: float, long_side: float, ratio: float
) -> None:
    corners = card_at(degrees, long_side, long_side * ratio)
    back = decode_axes(encode_axes(corners)[None])[0]
    same = np.abs(back - corners).max()
    turned = np.abs(np.roll(back, 2, 0) - corners).max()
    assert min(same, turned) < 1e-3 * long_side + 1e-3


@given(st.floats(-180, 180))
def test_half_a_turn_is_the_same_card(degrees: float) -> None:
    first = encode_axes(card_at(degrees, 120, 80))
    second = encode_axes(card_at(degrees + 180, 120, 80))
    assert np.allclose(first, second, atol=1e-4)


@pytest.mark.parametrize("truth_file", sorted(SAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_every_card_of_a_sample_has_a_candidate_that_fits(truth_file: Path) -> None:
    truth = json.loads(truth_file.read_text())
    corners, scores = find(cv2.imread(str(SAMPLES / truth["file"])))
    assert len(corners) == len(scores)
    assert np.all(np.diff(scores) <= 0)
    for card in truth["cards"]:
        fits = [iou(np.float32(card["corners"]), candidate) for candidate in corners]
        assert max(fits) > 0.7, card["card"]
