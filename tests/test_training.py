"""The truth that training is given is the truth that the finder and reader are asked for."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from setvision.cards import Card, deck
from setvision.detect import CELL, UNIT, decode_axes
from setvision.rectify import edge_lengths, iou, move_corners
from setvision.render import draw_table
from setvision.training.camera import photograph
from setvision.training.lay import lay_table
from setvision.training.sources import CardCrop, LabelledPhoto, load_photos
from setvision.training.stock import NOTHING_ASKED, Scene, Stock, keep_visible
from setvision.training.targets import finder_target, reader_crops


@pytest.fixture(scope="module")
def stock() -> Stock:
    plain = np.full((140, 220, 3), 240, np.uint8)
    table = np.full((400, 400, 3), (60, 80, 110), np.uint8)
    no_cards = np.zeros((0, 4, 2), np.float32)
    photo = LabelledPhoto(table, no_cards, np.zeros(0, np.int64), "nobody")
    return Stock.of([photo], [CardCrop(plain, 0, "nobody")], seed=1)


def drawn_scene() -> Scene:
    table = draw_table(deck()[::9], 5)
    side = min(table.image.shape[:2]) // CELL * CELL
    corners = np.float32([corners for _, corners in table.cards])
    labels = np.array([card.index for card, _ in table.cards])
    return Scene(table.image[:side, :side].copy(), *keep_visible(corners, labels, side), exact=True)


def test_the_finders_target_holds_every_card_where_it_lies() -> None:
    scene = drawn_scene()
    target = finder_target(scene)
    rows, columns = np.nonzero(target[0] == 1)
    cells = np.stack([columns, rows], 1) + 0.5
    centers = cells * CELL + target[1:3, rows, columns].T * UNIT
    found = decode_axes(target[3:7, rows, columns].T) + centers[:, None].astype(np.float32)
    asked = scene.corners[scene.labels >= 0]
    assert len(found) == len(asked) > 5
    for truth in asked:
        assert max(iou(truth, quad) for quad in found) > 0.9


def test_moving_a_misplaced_crop_by_its_target_lands_on_the_card() -> None:
    scene = drawn_scene()
    crops = reader_crops(scene, np.random.default_rng(2))
    asked = [crop for crop in crops if crop.offset_weight and np.abs(crop.offsets).max() < 0.45]
    assert len(asked) > 3
    for crop in asked:
        moved = move_corners(crop.corners, crop.offsets.reshape(4, 2))
        assert max(iou(moved, truth) for truth in scene.corners) > 0.99


def test_readable_crops_carry_the_features_of_a_card_of_the_scene() -> None:
    scene = drawn_scene()
    there = {Card.from_index(int(label)).features for label in scene.labels if label >= 0}
    crops = reader_crops(scene, np.random.default_rng(3))
    asked = {crop.features for crop in crops if crop.features[0] >= 0}
    assert asked
    assert asked <= there


def test_a_covered_card_is_neither_asked_for_nor_held_against(stock: Stock) -> None:
    labels = [
        label
        for seed in range(12)
        for label in lay_table(stock, np.random.default_rng(seed), 384, 60).labels
    ]
    assert NOTHING_ASKED in labels
    assert max(labels) >= 0


def test_a_scene_of_one_seed_is_always_the_same(stock: Stock) -> None:
    first, second = (
        photograph(lay_table(stock, rng, 256, 50).image, rng)
        for rng in (np.random.default_rng(4), np.random.default_rng(4))
    )
    assert np.array_equal(first, second)


def test_labelled_photos_are_loaded_with_the_long_side_first_and_held_out_by_source(
    tmp_path: Path,
) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((300, 600, 3), 90, np.uint8))
    upright = [[0.1, 0.1], [0.2, 0.1], [0.2, 0.41], [0.1, 0.41]]
    entry = {
        "file": "a.png",
        "source": "ann",
        "tags": [],
        "cards": [
            {"card": "1-red-open-oval", "optional": False, "quad": upright},
            {"card": "?", "optional": True, "quad": upright},
        ],
    }
    entries = [entry, {**entry, "source": "bob"}]
    (tmp_path / "labels.json").write_text(json.dumps({"photos": entries}))
    photos = load_photos(tmp_path, without=("bob",))
    assert [photo.source for photo in photos] == ["ann"]
    lengths = edge_lengths(photos[0].corners[0])
    assert lengths[0] > lengths[1]
    assert photos[0].labels.tolist() == [Card.parse("1-red-open-oval").index, NOTHING_ASKED]
