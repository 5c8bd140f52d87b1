"""The installed command, run as a user runs it."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from readings import SAMPLES

SEVERAL_SETS = SAMPLES / "twelve-several-sets.jpg"


def setvision(*arguments, cwd=None, **variables):
    return subprocess.run(
        [sys.executable, "-m", "setvision", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": _module_path(), **variables},
    )


def _module_path(*before):
    here = str(SAMPLES.parent)
    return os.pathsep.join([*map(str, before), here])


def assert_one_line(run, code, *parts):
    assert run.returncode == code, run.stderr
    lines = run.stderr.splitlines()
    assert len(lines) == 1, run.stderr
    assert lines[0].startswith("setvision: ")
    for part in parts:
        assert part in lines[0]


@pytest.fixture
def photo(tmp_path):
    return Path(shutil.copy(SEVERAL_SETS, tmp_path / "mesa à três.jpg"))


def test_help_names_the_commands_and_every_exit_code():
    run = setvision("--help", COLUMNS="100")
    assert run.returncode == 0
    assert "solve" in run.stdout
    assert "batch" in run.stdout
    for code in range(9):
        assert f"{code} " in run.stdout[run.stdout.index("Exit codes") :]
    for command in ("solve", "batch"):
        assert "Exit codes" in setvision(command, "--help").stdout


def test_help_needs_neither_opencv_nor_numpy(tmp_path):
    for name in ("cv2", "numpy"):
        (tmp_path / f"{name}.py").write_text("raise ImportError('imported too early')")
    assert setvision("--help", PYTHONPATH=_module_path(tmp_path)).returncode == 0


def test_version():
    run = setvision("--version")
    assert run.returncode == 0
    assert run.stdout.startswith("setvision ")


def test_without_a_command_it_shows_help():
    run = setvision()
    assert run.returncode == 2
    assert "solve" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--unknown"], "--unknown"),
        (["solv"], "solve"),
        (["solve"], "PHOTO"),
        (["solve", "a.jpg", "--one", "--hint"], "--one"),
        (["solve", "a.jpg", "-o", "b.jpg", "--no-picture"], "--no-picture"),
        (["batch", "folder"], "--json"),
    ],
)
def test_bad_arguments_are_answered_in_one_line(arguments, part):
    assert_one_line(setvision(*arguments), 2, part)


def test_the_answer_names_every_set_and_a_picture_is_drawn_beside_the_photo(photo):
    before = photo.read_bytes()
    run = setvision("solve", photo)
    assert run.returncode == 0, run.stderr
    truth = json.loads(SEVERAL_SETS.with_suffix(".json").read_text())
    assert run.stdout.startswith(f"{len(truth['cards'])} cards in ")
    assert "  A: cards " in run.stdout
    assert "\x1b" not in run.stdout
    drawn = photo.with_name("mesa à três.solved.jpg")
    assert str(drawn) in run.stdout
    image = cv2.imdecode(np.fromfile(drawn, np.uint8), cv2.IMREAD_COLOR)
    assert image.shape[1] >= truth["width"]
    assert photo.read_bytes() == before


def test_the_text_fits_a_narrow_terminal(photo):
    run = setvision("solve", photo, "--no-picture", COLUMNS="44")
    assert max(len(line.rstrip()) for line in run.stdout.splitlines()) <= 44


def test_json_is_the_contract_and_draws_only_where_it_is_told_to(photo, tmp_path):
    run = setvision("solve", photo, "--json")
    results = json.loads(run.stdout)
    assert results["version"] == 1
    (image,) = results["images"]
    assert image["file"] == photo.name
    assert image["verdict"] == "sets"
    assert image["sets"]
    assert 0 < image["seconds"] < 30
    assert [path.name for path in tmp_path.iterdir()] == [photo.name]
    run = setvision("solve", photo, "--json", "-o", tmp_path / "drawn.png")
    assert json.loads(run.stdout)["images"][0]["sets"] == image["sets"]
    assert (tmp_path / "drawn.png").read_bytes().startswith(b"\x89PNG")


def test_the_picture_goes_into_a_folder_that_is_named(photo, tmp_path):
    (tmp_path / "out").mkdir()
    assert setvision("solve", photo, "-o", tmp_path / "out").returncode == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mesa à três.solved.jpg"]


def test_a_hint_does_not_give_the_set_away(photo):
    run = setvision("solve", photo, "--hint", "--no-picture")
    assert "is in one of them" in run.stdout
    assert "A:" not in run.stdout


def test_no_picture_leaves_the_folder_as_it_was(photo, tmp_path):
    assert setvision("solve", photo, "--no-picture").returncode == 0
    assert len(list(tmp_path.iterdir())) == 1


def test_a_table_without_cards_is_said_to_have_none():
    photo = SAMPLES / "no-cards.jpg"
    assert_one_line(setvision("solve", photo), 5, "no-cards.jpg", "no card found")
    run = setvision("solve", photo, "--json")
    assert run.returncode == 5
    assert json.loads(run.stdout)["images"][0]["verdict"] == "no-cards"
    assert not photo.with_name("no-cards.solved.jpg").exists()


def test_a_missing_file_is_named(tmp_path):
    assert_one_line(setvision("solve", tmp_path / "nope.jpg"), 3, "nope.jpg")


def test_files_that_are_no_pictures_are_refused(tmp_path):
    whole = SEVERAL_SETS.read_bytes()
    for name, content in {
        "empty.jpg": b"",
        "text.jpg": b"this is a letter\n" * 20,
        "cut.jpg": whole[: len(whole) // 3],
    }.items():
        (tmp_path / name).write_bytes(content)
        assert_one_line(setvision("solve", tmp_path / name), 4, name)
    assert_one_line(setvision("solve", tmp_path), 4, "folder")


def test_places_that_take_no_picture_are_named(photo, tmp_path):
    (tmp_path / "file").write_text("in the way")
    for place in ("nowhere/a.jpg", "file/a.jpg", "a.unknown"):
        assert_one_line(setvision("solve", photo, "--json", "-o", tmp_path / place), 6, place)


def test_the_photo_is_never_overwritten(photo, tmp_path):
    before = photo.read_bytes()
    (tmp_path / "link.jpg").symlink_to(photo)
    for place in (photo, tmp_path / "link.jpg"):
        assert_one_line(setvision("solve", photo, "-o", place), 6, "the photo itself")
    assert photo.read_bytes() == before


def test_a_batch_goes_on_past_bad_files_and_names_them_at_the_end(tmp_path):
    photos = tmp_path / "photos"
    photos.mkdir()
    shutil.copy(SEVERAL_SETS, photos / "b.jpg")
    shutil.copy(SAMPLES / "no-cards.jpg", photos / "c.JPG")
    (photos / "a.jpg").write_bytes(b"")
    (photos / "notes.txt").write_text("not a picture")
    arguments = ("batch", photos, "--json", tmp_path / "r.json", "--out", tmp_path / "out")
    run = setvision(*arguments)
    assert_one_line(run, 8, "a.jpg")
    assert run.stdout.startswith("3 pictures: 1 with sets")
    first, second, third = json.loads((tmp_path / "r.json").read_text())["images"]
    assert [first["file"], second["file"], third["file"]] == ["a.jpg", "b.jpg", "c.JPG"]
    assert first["error"]
    assert second["error"] is None
    assert third["verdict"] == "no-cards"
    assert (tmp_path / "out" / "b.solved.jpg").exists()


def test_a_batch_does_not_read_the_pictures_it_drew(tmp_path):
    shutil.copy(SAMPLES / "three-claimed.jpg", tmp_path / "a.jpg")
    for _ in range(2):
        run = setvision("batch", tmp_path, "--json", tmp_path / "r.json", "--out", tmp_path)
        assert run.stdout.startswith("1 picture:")


def test_a_batch_of_nothing_is_refused(tmp_path):
    results = tmp_path / "r.json"
    assert_one_line(setvision("batch", tmp_path / "no", "--json", results), 3, "no such folder")
    assert_one_line(setvision("batch", SEVERAL_SETS, "--json", results), 3, "not a folder")
    assert_one_line(setvision("batch", tmp_path, "--json", results), 3, "holds no picture")
    nowhere = tmp_path / "nowhere" / "r.json"
    assert_one_line(setvision("batch", SAMPLES, "--json", nowhere), 6, "nowhere")


def test_a_system_library_that_opencv_misses_is_answered_with_what_to_install(tmp_path):
    (tmp_path / "cv2").mkdir()
    (tmp_path / "cv2" / "__init__.py").write_text(
        "raise ImportError('libGL.so.1: cannot open shared object file: "
        "No such file or directory')\n"
    )
    run = setvision("solve", SEVERAL_SETS, PYTHONPATH=_module_path(tmp_path))
    assert_one_line(run, 7, "libGL.so.1", "apt-get install libgl1 libglib2.0-0")


def test_a_reader_of_the_output_who_leaves_early_causes_no_complaint():
    command = f"{sys.executable} -m setvision solve --help | head -n 1"
    environment = {**os.environ, "PYTHONPATH": _module_path()}
    run = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment)
    assert run.stderr == ""


@pytest.mark.skipif(os.name == "nt", reason="signals differ on Windows")
def test_an_interrupt_ends_it_quietly(tmp_path):
    for number in range(40):
        shutil.copy(SEVERAL_SETS, tmp_path / f"{number}.jpg")
    process = subprocess.Popen(
        [sys.executable, "-m", "setvision", "batch", tmp_path, "--json", tmp_path / "r.json"],
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": _module_path()},
    )
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert errors == b""
    assert not (tmp_path / "r.json").exists()
