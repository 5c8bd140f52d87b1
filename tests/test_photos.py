"""Real photos, where the environment variable SETVISION_PHOTOS names a folder of labelled ones."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

FOLDER = os.environ.get("SETVISION_PHOTOS")
FLOORS = json.loads((Path(__file__).parent / "floors.json").read_text())

pytestmark = pytest.mark.skipif(not FOLDER, reason="SETVISION_PHOTOS names no folder of photos")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the batch command says of every photo, by file name."""
    target = tmp_path_factory.mktemp("photos") / "results.json"
    command = [sys.executable, "-m", "setvision", "batch", str(FOLDER), "--json", str(target)]
    subprocess.run(command, check=True, capture_output=True)
    return {image["file"]: image for image in json.loads(target.read_text())["images"]}


@pytest.fixture(scope="module")
def photos() -> list[dict[str, Any]]:
    return list(json.loads((Path(str(FOLDER)) / "labels.json").read_text())["photos"])


def read_at(truth: dict[str, Any], result: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    """Each card that was asked for with the name read at its middle, or "" where none was."""
    size = np.float32([result["width"], result["height"]])
    pairs = []
    for card in truth["cards"]:
        if card["optional"]:
            continue
        quad = np.float32(card["quad"]) * size
        middles = [(seen, np.mean(seen["corners"], 0)) for seen in result["cards"]]
        inside = [
            (float(np.linalg.norm(middle - quad.mean(0))), seen["card"])
            for seen, middle in middles
            if cv2.pointPolygonTest(quad, [float(value) for value in middle], False) >= 0
        ]
        pairs.append((card, min(inside)[1] if inside else ""))
    return pairs


def test_no_photo_fails(results: dict[str, Any], photos: list[dict[str, Any]]) -> None:
    assert {photo["file"] for photo in photos} <= set(results)
    assert not [image["error"] for image in results.values() if image["error"]]


def test_cards_are_read_as_often_as_recorded(
    results: dict[str, Any], photos: list[dict[str, Any]]
) -> None:
    pairs = [pair for photo in photos for pair in read_at(photo, results[photo["file"]])]
    right = sum(card["card"] == name for card, name in pairs)
    assert right / len(pairs) >= FLOORS["card_accuracy"] - 0.002


def test_no_set_is_never_said_of_a_table_that_holds_one(
    results: dict[str, Any], photos: list[dict[str, Any]]
) -> None:
    from setvision.cards import Card
    from setvision.rules import find_sets

    for photo in photos:
        if results[photo["file"]]["verdict"] == "no-set":
            cards = [Card.parse(card["card"]) for card in photo["cards"] if not card["optional"]]
            assert not find_sets(cards), photo["file"]
