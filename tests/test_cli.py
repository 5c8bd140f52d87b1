"""The installed command, run as a user runs it."""

import json
import os
import re
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


posix_only = pytest.mark.skipif(os.name != "posix", reason="pipes, modes and signals of POSIX")


def setvision(*arguments, cwd=None, before=(), stdout=subprocess.PIPE, **variables):
    return subprocess.run(
        [*before, sys.executable, "-m", "setvision", *map(str, arguments)],
        stdout=stdout,
        stderr=subprocess.PIPE,
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
    for code in (*range(9), 130):
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
        (["solve", "a.jpg", "--json", "--one"], "--one"),
        (["solve", "a.jpg", "--json", "--hint"], "--hint"),
        (["solve", ""], "'PHOTO': the name is empty"),
        (["solve", "a.jpg", "-o", ""], "the name is empty"),
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


@posix_only
def test_after_an_interrupt_what_was_read_is_kept(tmp_path):
    for number in range(200):
        shutil.copy(SEVERAL_SETS, tmp_path / f"{number:03}.jpg")
    out, results = tmp_path / "out", tmp_path / "r.json"
    process = subprocess.Popen(
        [sys.executable, "-m", "setvision", "batch", tmp_path, "--json", results, "--out", out],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": _module_path()},
    )
    deadline = time.monotonic() + 30
    while not (out / "001.solved.jpg").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    images = json.loads(results.read_text())["images"]
    assert images[0]["file"] == "000.jpg"
    assert images[0]["sets"]
    assert errors == (
        f"setvision: interrupted after {len(images)} of 200 pictures; "
        f"what was read is in {results}\n"
    )


# Inputs stay as they are


def test_a_batch_never_writes_over_a_photo_it_reads(tmp_path):
    photos, out = tmp_path / "photos", tmp_path / "out"
    photos.mkdir()
    out.mkdir()
    first = Path(shutil.copy(SEVERAL_SETS, photos / "a.jpg"))
    before = first.read_bytes()
    run = setvision("batch", photos, "--json", first, "--out", out)
    assert_one_line(run, 6, str(first), "photo")
    (out / "a.solved.jpg").symlink_to(first)
    assert_one_line(setvision("batch", photos, "--out", out), 6, "a.solved.jpg", "photo")
    assert first.read_bytes() == before
    assert [path.name for path in out.iterdir()] == ["a.solved.jpg"]


def test_photos_that_differ_only_in_their_ending_are_drawn_into_files_of_their_own(tmp_path):
    photos, out = tmp_path / "photos", tmp_path / "out"
    photos.mkdir()
    for name in ("a.jfif", "a.jpg", "a.tif", "a.tif.jpg"):
        shutil.copy(SAMPLES / "three-claimed.jpg", photos / name)
    assert setvision("batch", photos, "--out", out).returncode == 0
    drawn = ["a.jfif.solved.jpg", "a.solved.jpg", "a.tif-2.solved.jpg", "a.tif.solved.jpg"]
    assert sorted(path.name for path in out.iterdir()) == drawn
    assert setvision("solve", photos / "a.jfif").returncode == 0
    assert (photos / "a.jfif.solved.jpg").exists()
    assert not (photos / "a.solved.jpg").exists()


def test_a_batch_leaves_out_folders_and_what_macos_lays_beside_photos(tmp_path):
    shutil.copy(SAMPLES / "three-claimed.jpg", tmp_path / "a.jpg")
    (tmp_path / "._a.jpg").write_bytes(b"\0\5\x16\7")
    (tmp_path / "b.jpg").mkdir()
    run = setvision("batch", tmp_path, "--json", tmp_path / "r.json")
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("1 picture:")


def test_a_picture_that_cannot_be_drawn_does_not_end_the_batch(tmp_path):
    photos = tmp_path / "photos"
    photos.mkdir()
    tall = np.full((16383, 100, 3), 90, np.uint8)
    (photos / "a.webp").write_bytes(cv2.imencode(".webp", tall)[1].tobytes())
    shutil.copy(SEVERAL_SETS, photos / "b.jpg")
    run = setvision("batch", photos, "--json", tmp_path / "r.json", "--out", tmp_path / "out")
    assert_one_line(run, 8, "a.solved.webp cannot hold a picture")
    first, second = json.loads((tmp_path / "r.json").read_text())["images"]
    assert "cannot hold" in first["error"]
    assert second["sets"]


# Names and places that systems refuse


def test_names_that_are_too_long_are_told_in_one_line(photo, tmp_path):
    long = tmp_path / ("x" * 300 + ".jpg")
    nearly = Path(shutil.copy(photo, tmp_path / ("y" * 250 + ".jpg")))
    results = tmp_path / "r.json"
    assert_one_line(setvision("solve", long), 3, "too long")
    assert_one_line(setvision("solve", photo, "-o", long), 6, "too long")
    assert_one_line(setvision("solve", nearly), 6, "y.solved.jpg", "too long")
    assert_one_line(setvision("batch", long, "--json", results), 3, "too long")
    assert_one_line(setvision("batch", tmp_path, "--json", long), 6, "too long")
    assert_one_line(setvision("batch", tmp_path, "--out", long), 6, "too long")
    run = setvision("batch", tmp_path, "--out", tmp_path, "--json", results)
    assert_one_line(run, 8, "too long")
    assert len(json.loads(results.read_text())["images"]) == 2


@posix_only
def test_folders_and_files_that_may_not_be_entered_are_told_in_one_line(photo, tmp_path):
    # Root may enter everything, unless it lays that power down.
    powerless = []
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("root needs setpriv")
        powers = "-dac_override,-dac_read_search"
        powerless = ["setpriv", f"--inh-caps={powers}", f"--bounding-set={powers}"]
    closed, results = tmp_path / "closed", tmp_path / "r.json"
    closed.mkdir()
    shutil.copy(photo, closed / "a.jpg")

    def refused(code, *arguments, why="permission denied"):
        assert_one_line(setvision(*arguments, before=powerless), code, why)

    try:
        closed.chmod(0)
        refused(3, "solve", closed / "a.jpg")
        refused(3, "solve", closed / "folder" / "a.jpg")
        refused(3, "batch", closed, "--json", results)
        refused(3, "batch", closed / "folder", "--json", results)
        refused(6, "solve", photo, "-o", closed / "b.jpg")
        refused(6, "solve", photo, "-o", closed / "folder" / "b.jpg")
        refused(6, "solve", photo, "-o", f"{closed / 'folder'}/", why="no such folder")
        refused(6, "batch", tmp_path, "--json", closed / "r.json")
        refused(6, "batch", tmp_path, "--out", closed / "out")
        closed.chmod(0o400)  # it may be listed, but not entered
        refused(3, "batch", closed, "--json", results)
        closed.chmod(0o500)
        refused(6, "solve", closed / "a.jpg")
        refused(6, "batch", closed, "--out", closed, why="protected against writing")
        photo.chmod(0)
        refused(3, "solve", photo, "--no-picture")
    finally:
        closed.chmod(0o700)


@posix_only
def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.jpg")
    assert_one_line(setvision("solve", tmp_path / "pipe.jpg"), 4, "not a regular file")
    assert_one_line(setvision("solve", os.devnull), 4, "not a regular file")
    run = setvision("batch", tmp_path, "--json", tmp_path / "r.json")
    assert_one_line(run, 8, "pipe.jpg", "not a regular file")


def test_a_place_is_checked_before_the_work(tmp_path):
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"no picture, which only the work finds out")
    no_folder = f"{tmp_path / 'nodir'}/"
    assert_one_line(setvision("solve", broken, "-o", no_folder), 6, f"{no_folder}: no such folder")
    assert_one_line(setvision("solve", broken, "-o", tmp_path / "nodir"), 6, "is no folder")
    assert_one_line(setvision("solve", broken, "-o", tmp_path / "a.xyz"), 6, "must end in one of")
    assert_one_line(setvision("solve", broken, "-o", tmp_path / "no" / "a.jpg"), 6, "not exist")
    assert_one_line(setvision("solve", broken), 4, "is not a picture")


# Outputs that take little or nothing


@pytest.mark.parametrize("encoding", ["ascii", "utf-8:strict"])
@posix_only
def test_any_name_is_told_in_any_encoding(encoding, photo, tmp_path):
    name = os.fsdecode(b"caf\xe9.jpg")
    shutil.copy(photo, tmp_path / name)
    run = setvision("solve", tmp_path / name, PYTHONIOENCODING=encoding)
    assert run.returncode == 0, run.stderr
    assert re.search(r"caf(\?|\\udce9)\.solved\.jpg", run.stdout)
    missing = setvision("solve", name, PYTHONIOENCODING=encoding)
    assert_one_line(missing, 3, "caf\\udce9.jpg does not exist")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_an_answer_that_cannot_be_printed_is_a_fault(more, photo):
    with Path("/dev/full").open("w") as full:
        run = setvision("solve", photo, "--no-picture", *more, stdout=full)
    assert_one_line(run, 6, "the output cannot be written: no space left on device")


@posix_only
@pytest.mark.parametrize(("closed", "code", "lines"), [(">&-", 6, 1), ("2>&-", 3, 0)])
def test_closed_streams_cause_no_traceback(closed, code, lines, tmp_path):
    command = f'"{sys.executable}" -m setvision solve "{tmp_path}/nope.jpg" {closed}'
    environment = {**os.environ, "PYTHONPATH": _module_path()}
    run = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment)
    assert run.returncode == code
    assert run.stdout == ""
    assert len(run.stderr.splitlines()) == lines


def test_the_answer_is_given_although_the_picture_beside_the_photo_cannot_be_written(tmp_path):
    photo = tmp_path / ("x" * 248 + ".jpg")
    shutil.copy(SEVERAL_SETS, photo)
    run = setvision("solve", photo)
    assert_one_line(run, 6, "too long")
    assert "12 cards" in run.stdout
    assert [path.name for path in tmp_path.iterdir()] == [photo.name]


def test_a_batch_keeps_what_was_read_of_a_photo_that_could_not_be_drawn(tmp_path):
    photos = tmp_path / "photos"
    photos.mkdir()
    shutil.copy(SEVERAL_SETS, photos / ("x" * 248 + ".jpg"))
    run = setvision("batch", photos, "--json", tmp_path / "r.json", "--out", tmp_path / "out")
    assert run.returncode == 8
    entry = json.loads((tmp_path / "r.json").read_text())["images"][0]
    assert "too long" in entry["error"]
    assert len(entry["cards"]) == 12
