"""Picture files as cameras, phones and programs write them, and as accidents leave them."""

from __future__ import annotations

import io
import os
import stat
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from setvision.errors import BadPicture, CannotWrite, FileMissing, NotInstalled
from setvision.headers import LARGEST_SIDE, MOST_PIXELS, SMALLEST_SIDE
from setvision.images import PICTURE_SUFFIXES, load, save, write_text_atomically

PICTURES = Path(__file__).parent / "pictures"
LOSSLESS = {"PNG": {}, "WEBP": {"lossless": True}, "BMP": {}, "TIFF": {}}
FORMATS = LOSSLESS | {"JPEG": {"quality": 95}}

posix_only = pytest.mark.skipif(os.name != "posix", reason="modes, links and pipes of POSIX")
not_for_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read and write everything"
)


def quarters(width=96, height=48):
    """BGR: red and green above, blue and white below; no turn or mirror image looks the same."""
    image = np.full((height, width, 3), 255, np.uint8)
    image[: height // 2, : width // 2] = (0, 0, 255)
    image[: height // 2, width // 2 :] = (0, 255, 0)
    image[height // 2 :, : width // 2] = (255, 0, 0)
    return image


def photo(width=400, height=300):
    """Soft colors with some noise: it compresses like a photo."""
    noise = np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8)
    soft = cv2.GaussianBlur(noise, (0, 0), 8)
    return cv2.addWeighted(cv2.normalize(soft, None, 0, 250, cv2.NORM_MINMAX), 1, noise, 0.02, 0)


def encoded(image, kind, **options):
    """The bytes that Pillow writes; `image` is BGR or a Pillow picture."""
    if isinstance(image, np.ndarray):
        image = Image.fromarray(image[..., ::-1])
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def exif(orientation):
    data = Image.Exif()
    data[0x0112] = orientation
    return data.tobytes()


@pytest.fixture
def place(tmp_path):
    """Writes bytes to a file and gives its path."""

    def write(data, name="table.jpg"):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


def assert_close(image, expected, most=6):
    assert image.shape == expected.shape
    assert image.dtype == np.uint8
    assert np.abs(image.astype(int) - expected).mean() < most


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


# What is read


@pytest.mark.parametrize(("kind", "options"), LOSSLESS.items())
def test_lossless_pictures_come_out_as_they_went_in_whatever_their_name(kind, options, place):
    image = photo()
    assert np.array_equal(load(place(encoded(image, kind, **options))), image)


def test_a_jpeg_comes_out_nearly_as_it_went_in(place):
    assert_close(load(place(encoded(photo(), "JPEG", quality=95))), photo())
    assert_close(load(place(encoded(photo(), "JPEG", quality=95, progressive=True))), photo())


def test_a_picture_can_be_drawn_upon(place):
    image = load(place(encoded(photo(), "PNG")))
    cv2.circle(image, (50, 50), 9, (0, 0, 0), -1)
    assert image[50, 50].tolist() == [0, 0, 0]


def test_a_name_outside_ascii_with_spaces_is_read(place):
    assert_close(load(place(encoded(photo(), "JPEG"), "mesa do João ♠ 3.JPG")), photo(), 10)


TURNED = {
    1: lambda a: a,
    2: lambda a: a[:, ::-1],
    3: lambda a: a[::-1, ::-1],
    4: lambda a: a[::-1],
    5: lambda a: a.transpose(1, 0, 2),
    6: lambda a: np.rot90(a, -1),
    7: lambda a: a[::-1, ::-1].transpose(1, 0, 2),
    8: lambda a: np.rot90(a),
}


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_pictures_are_turned_upright(kind, orientation, place):
    where = {"tiffinfo": {274: orientation}} if kind == "TIFF" else {"exif": exif(orientation)}
    path = place(encoded(quarters(), kind, **FORMATS[kind], **where))
    assert_close(load(path), TURNED[orientation](quarters()))


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF"])
def test_transparent_pictures_are_turned_upright_too(kind, orientation, place):
    see_through = Image.fromarray(quarters()[..., ::-1])
    see_through.putalpha(Image.fromarray(np.full((48, 96), 254, np.uint8)))
    where = {"tiffinfo": {274: orientation}} if kind == "TIFF" else {"exif": exif(orientation)}
    path = place(encoded(see_through, kind, **FORMATS[kind], **where))
    assert_close(load(path), TURNED[orientation](quarters()), 2)


def test_heic_is_read_and_turned_upright_once():
    pytest.importorskip("pi_heif")
    assert_close(load(PICTURES / "upright.heic"), quarters())
    assert_close(load(PICTURES / "turned.heic"), np.rot90(quarters(), -1))


def test_without_the_optional_library_heic_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pi_heif", None)
    with pytest.raises(NotInstalled, match=r"pip install 'setvision\[heic\]'$") as fault:
        load(PICTURES / "upright.heic")
    assert "upright.heic is a HEIC picture" in str(fault.value)


def test_other_pictures_do_not_load_the_optional_library(place):
    path = place(encoded(photo(), "JPEG"))
    code = (
        "import sys; from pathlib import Path; from setvision.images import load;"
        f"load(Path({str(path)!r})); sys.exit('pi_heif' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_gray_palette_and_black_and_white_pictures_become_color(place):
    gray = Image.fromarray(photo()[..., ::-1]).convert("L")
    expected = np.repeat(np.asarray(gray)[..., None], 3, axis=2)
    assert np.array_equal(load(place(encoded(gray, "PNG"))), expected)
    assert_close(load(place(encoded(gray, "JPEG", quality=95))), expected)

    palette = Image.fromarray(quarters()[..., ::-1]).quantize(4)
    assert_close(load(place(encoded(palette, "PNG"))), quarters())

    two = Image.fromarray(quarters()[..., 1]).convert("1")
    assert_close(load(place(encoded(two, "PNG"))), np.repeat(quarters()[..., 1:2], 3, axis=2))
    fax = encoded(two, "TIFF", compression="group4")
    assert_close(load(place(fax)), np.repeat(quarters()[..., 1:2], 3, axis=2))


@pytest.mark.parametrize("suffix", [".png", ".tiff"])
def test_16_bits_are_scaled_to_8(suffix, place):
    _, data = cv2.imencode(suffix, photo().astype(np.uint16) * 257)
    assert np.array_equal(load(place(data.tobytes())), photo())


def cmyk_with(planes):
    return encoded(Image.merge("CMYK", planes), "JPEG", quality=95)


def test_a_cmyk_jpeg_is_not_inverted(place):
    image = Image.fromarray(quarters()[..., ::-1]).convert("CMYK")
    assert_close(load(place(cmyk_with(image.split()))), quarters())


def test_a_cmyk_jpeg_stored_as_luma_and_chroma_is_not_inverted(place):
    # Pillow writes plain CMYK only: it is given the other planes, and the mark is changed.
    planes = Image.fromarray(quarters()[..., ::-1]).convert("YCbCr").split()
    data = cmyk_with([*planes, Image.new("L", (96, 48), 0)])
    mark = data.index(b"Adobe") + 11
    assert data[mark] == 0
    assert_close(load(place(data[:mark] + b"\2" + data[mark + 1 :])), quarters())


def half_transparent():
    picture = Image.fromarray(quarters()[..., ::-1])
    alpha = np.full((48, 96), 255, np.uint8)
    alpha[:, 48:] = 0
    picture.putalpha(Image.fromarray(alpha))
    return picture


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF"])
def test_transparent_pixels_turn_light_gray_and_the_others_stay(kind, place):
    image = load(place(encoded(half_transparent(), kind, **FORMATS[kind])))
    assert np.array_equal(image[:, :48], quarters()[:, :48])
    assert (image[:, 48:] == 192).all()


def test_transparency_in_a_palette_a_gray_picture_and_16_bits_turns_light_gray(place):
    palette = Image.new("P", (96, 48), 0)
    palette.putpalette([0, 0, 0, 0, 255, 0])
    palette.paste(1, (0, 0, 48, 48))
    image = load(place(encoded(palette, "PNG", transparency=0)))
    assert image[5, 5].tolist() == [0, 255, 0]
    assert image[5, 90].tolist() == [192, 192, 192]

    gray = half_transparent().convert("LA")
    assert load(place(encoded(gray, "PNG")))[5, 90].tolist() == [192, 192, 192]

    deep = np.zeros((48, 96, 4), np.uint16)
    deep[:, :48] = (0, 0, 65535, 65535)
    image = load(place(cv2.imencode(".png", deep)[1].tobytes()))
    assert image[5, 5].tolist() == [0, 0, 255]
    assert image[5, 90].tolist() == [192, 192, 192]


def test_half_transparent_pixels_are_mixed_with_the_gray(place):
    picture = Image.new("RGBA", (64, 64), (255, 0, 0, 51))
    expected = [round(192 * 0.8), round(192 * 0.8), round(192 * 0.8 + 255 * 0.2)]
    assert load(place(encoded(picture, "PNG")))[9, 9].tolist() == expected


def test_transparent_heic_turns_light_gray():
    pytest.importorskip("pi_heif")
    image = load(PICTURES / "transparent.heic")
    assert_close(image[:, :44], quarters()[:, :44])
    assert_close(image[:, 52:], np.full((48, 44, 3), 192))


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF"])
def test_of_several_frames_or_pages_the_first_is_read(kind, place):
    second = Image.new("RGB", (96, 48))
    data = encoded(quarters(), kind, **FORMATS[kind], save_all=True, append_images=[second])
    assert len(data) > len(encoded(quarters(), kind, **FORMATS[kind]))
    assert_close(load(place(data)), quarters())


# What is cut off or damaged


@pytest.mark.parametrize("part", [0.01, 0.3, 0.6, 0.95, 0.999])
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_cut_file_is_refused(kind, part, place):
    data = encoded(photo(), kind, **FORMATS[kind])
    path = place(data[: int(len(data) * part)])
    with pytest.raises(BadPicture, match=r"table\.jpg is cut off: the end of the picture is miss"):
        load(path)


@pytest.mark.parametrize("part", [0.01, 0.3, 0.6, 0.95, 0.999])
@pytest.mark.parametrize("kind", ["BMP", "TIFF"])
def test_a_cut_file_of_a_rarer_kind_is_refused(kind, part, place):
    data = encoded(photo(), kind)
    with pytest.raises(BadPicture, match=r"cut off|damaged"):
        load(place(data[: int(len(data) * part)]))


@pytest.mark.parametrize("part", [0.3, 0.6, 0.95])
def test_a_cut_heic_file_is_refused(part, place):
    pytest.importorskip("pi_heif")
    data = (PICTURES / "upright.heic").read_bytes()
    with pytest.raises(BadPicture, match="is cut off or damaged"):
        load(place(data[: int(len(data) * part)]))


@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize("filling", [bytes(50_000), b"\xff\xd9"])
def test_a_cut_jpeg_is_refused_even_if_its_end_was_filled_up(filling, progressive, place):
    data = encoded(photo(), "JPEG", quality=95, progressive=progressive)
    with pytest.raises(BadPicture, match="is cut off"):
        load(place(data[: len(data) // 2] + filling))


def test_a_cut_jpeg_is_not_saved_by_the_end_of_its_preview(place):
    preview = encoded(photo(160, 120), "JPEG")
    data = encoded(photo(), "JPEG", quality=95, exif=b"Exif\0\0" + preview)
    assert data.count(b"\xff\xd9") == 2
    assert_close(load(place(data)), photo())
    with pytest.raises(BadPicture, match="is cut off"):
        load(place(data[: len(data) // 2]))


def test_a_damaged_png_is_refused(place):
    data = bytearray(encoded(photo(), "PNG"))
    data[len(data) // 2] ^= 0x10
    with pytest.raises(BadPicture, match="is damaged"):
        load(place(bytes(data)))


@pytest.mark.parametrize(("kind", "options"), FORMATS.items())
def test_bytes_after_the_end_do_no_harm(kind, options, place):
    data = encoded(photo(), kind, **options)
    film = b"\0\0\0\x18ftypmp42" + bytes(5000)
    assert_close(load(place(data + film)), photo())


def test_a_jpeg_with_a_second_picture_behind_is_read(place):
    second = Image.new("RGB", (64, 64))
    data = encoded(photo(), "MPO", save_all=True, append_images=[second], quality=95)
    assert_close(load(place(data)), photo())


def test_a_jpeg_with_a_few_bytes_too_many_as_some_cameras_write_is_read(place):
    data = encoded(photo(), "JPEG", quality=95)
    assert_close(load(place(data[:-2] + bytes(16) + b"\xff\xd9")), photo())


@pytest.mark.parametrize("kind", FORMATS)
def test_no_damage_brings_down_the_program(kind, place):
    data = encoded(quarters(), kind, **FORMATS[kind])
    random = np.random.default_rng(3)
    for _ in range(60):
        spoilt = bytearray(data)
        for spot in random.integers(0, len(data), 3):
            spoilt[spot] = random.integers(0, 256)
        try:
            image = load(place(bytes(spoilt)))
        except BadPicture as fault:
            assert "table.jpg is " in str(fault)  # noqa: PT017
        else:
            assert image.ndim == 3


# What is too small or too large


def png_header(width, height):
    """A PNG that promises a size and holds next to nothing."""

    def chunk(name, data):
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    size = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    content = chunk(b"IHDR", size) + chunk(b"IDAT", zlib.compress(bytes(99))) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + content


def promising(kind, width, height):
    """A small file of which the header promises another size."""
    data = bytearray(encoded(quarters(), kind, **FORMATS[kind]))
    if kind == "JPEG":
        struct.pack_into(">HH", data, data.index(b"\xff\xc0") + 5, height, width)
    elif kind == "BMP":
        struct.pack_into("<ii", data, 18, width, height)
    else:
        for tag, size in ((256, width), (257, height)):
            entry = data.index(struct.pack("<HHI", tag, 4, 1))
            struct.pack_into("<I", data, entry + 8, size)
    return bytes(data)


@pytest.mark.parametrize(("width", "height"), [(100_000, 100_000), (70_000, 40), (20_000, 10_001)])
def test_giant_pictures_are_refused_before_they_are_decoded(width, height, place):
    path = place(png_header(width, height))
    started = time.perf_counter()
    with pytest.raises(
        BadPicture, match=f"is {width} by {height} pixels, more than 200 megapixels"
    ):
        load(path)
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize("kind", ["JPEG", "BMP", "TIFF"])
def test_giant_pictures_of_other_kinds_are_refused_too(kind, place):
    with pytest.raises(BadPicture, match="is 60000 by 50000 pixels, more than"):
        load(place(promising(kind, 60_000, 50_000)))


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize(("width", "height"), [(31, 400), (400, 31), (1, 1)])
def test_tiny_pictures_are_refused(kind, width, height, place):
    data = encoded(np.zeros((height, width, 3), np.uint8), kind, **FORMATS[kind])
    with pytest.raises(
        BadPicture, match=f"is {width} by {height} pixels, too small to hold a card"
    ):
        load(place(data))


@pytest.mark.parametrize("kind", FORMATS)
def test_the_smallest_size_is_read(kind, place):
    data = encoded(photo(SMALLEST_SIDE, SMALLEST_SIDE), kind, **FORMATS[kind])
    assert load(place(data)).shape == (SMALLEST_SIDE, SMALLEST_SIDE, 3)


def test_the_limits_leave_room_for_the_largest_cameras():
    assert MOST_PIXELS >= 16_320 * 12_240
    assert LARGEST_SIDE < 65_536


# What is no picture


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "is empty"),
        (b"dear table, " * 99, "is not a picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "is not a picture"),
        (b"\0" * 4096, "is not a picture"),
        (b"%PDF-1.7\n" + bytes(99), "is a PDF"),
        (b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + bytes(99), "is a video"),
        (b"\0\0\0\x14ftypqt  \0\0\0\0qt  " + bytes(99), "is a video"),
        (b"RIFF\x24\0\0\0AVI LIST" + bytes(99), "is a video"),
        (b"\x1aE\xdf\xa3" + bytes(99), "is a video"),
        (b"\xff\xd8\xff", "is cut off"),
        (b"BM", "is cut off"),
    ],
)
def test_files_that_are_no_picture_are_named_for_what_they_are(data, what, place):
    with pytest.raises(BadPicture, match=rf"table\.jpg {what}") as fault:
        load(place(data))
    assert "\n" not in str(fault.value)


def test_pictures_of_other_kinds_are_told_what_can_be_read(place):
    can = "JPEG, PNG, WebP, BMP, TIFF and HEIC pictures can be read"
    with pytest.raises(BadPicture, match=f"is a GIF; {can}"):
        load(place(encoded(quarters(), "GIF")))
    with pytest.raises(BadPicture, match=f"is an AVIF; {can}"):
        load(place(b"\0\0\0\x1cftypavif\0\0\0\0avifmif1" + bytes(99)))


def test_a_raw_file_is_not_read_for_its_preview(place):
    data = encoded(quarters(), "TIFF", tiffinfo={254: 1})
    with pytest.raises(BadPicture, match="is a camera's raw file; export it as JPEG or TIFF"):
        load(place(data, "table.dng"))


def test_a_folder_is_sent_to_batch(tmp_path):
    with pytest.raises(BadPicture, match=r"is a folder; use setvision batch$"):
        load(tmp_path)


def test_a_file_that_is_not_there_is_missing(tmp_path):
    with pytest.raises(FileMissing, match=r"nothing\.jpg does not exist$"):
        load(tmp_path / "nothing.jpg")


@posix_only
def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.jpg")
    with pytest.raises(BadPicture, match=r"pipe\.jpg is a pipe or device, not a regular file$"):
        load(tmp_path / "pipe.jpg")


def test_a_name_that_is_too_long_is_told_when_reading_and_when_writing(tmp_path):
    path = tmp_path / ("x" * 300 + ".jpg")
    with pytest.raises(FileMissing, match=r"cannot be read: .*too long"):
        load(path)
    with pytest.raises(CannotWrite, match=r"cannot be written: .*too long"):
        save(path, photo())


@posix_only
def test_a_link_to_nowhere_says_so(tmp_path):
    (tmp_path / "table.jpg").symlink_to("gone.jpg")
    with pytest.raises(FileMissing, match=r"is a link to gone\.jpg, which does not exist$"):
        load(tmp_path / "table.jpg")
    (tmp_path / "ring.jpg").symlink_to("ring.jpg")
    with pytest.raises(FileMissing, match="cannot be read: too many"):
        load(tmp_path / "ring.jpg")


@posix_only
@not_for_root
def test_a_file_that_may_not_be_read_says_so(place):
    path = place(encoded(photo(), "JPEG"))
    path.chmod(0)
    with pytest.raises(FileMissing, match="cannot be read: permission denied"):
        load(path)


def test_the_libraries_print_nothing_of_their_own(place, capfd):
    for kind, options in FORMATS.items():
        data = encoded(photo(), kind, **options)
        spoilt = bytearray(data)
        spoilt[len(data) // 2 :] = bytes(len(data) - len(data) // 2 - 2) + data[-2:]
        for broken in (data[: len(data) // 2], bytes(spoilt), data[:-2] + bytes(9) + data[-2:]):
            try:
                load(place(broken))
            except BadPicture:
                continue
    print("still heard", file=sys.stderr)
    assert capfd.readouterr() == ("", "still heard\n")


@posix_only
@pytest.mark.parametrize("closed", ["2>&-", "0<&- 2>&-", "0<&- 1>&- 2>&-"])
def test_a_program_without_standard_streams_reads_too(closed, place):
    path = place(encoded(photo(), "PNG"))
    code = (
        "import os; from pathlib import Path; from setvision.images import load;"
        f"os._exit(7 if load(Path({str(path)!r})).shape == (300, 400, 3) else 1)"
    )
    command = f'exec "{sys.executable}" -c "{code}" {closed}'
    assert subprocess.run(command, shell=True, check=False).returncode == 7


# What is written


@pytest.mark.parametrize("suffix", [".png", ".bmp", ".tif", ".tiff", ".PNG"])
def test_a_saved_picture_is_read_back_the_same(suffix, tmp_path):
    path = tmp_path / f"solved{suffix}"
    save(path, photo())
    assert np.array_equal(load(path), photo())
    assert names_in(tmp_path) == [path.name]


@pytest.mark.parametrize("suffix", [".jpg", ".jpeg", ".webp"])
def test_quality_trades_size_for_likeness(suffix, tmp_path):
    small, large = tmp_path / f"small{suffix}", tmp_path / f"large{suffix}"
    save(small, photo(), quality=30)
    save(large, photo())
    assert small.stat().st_size < large.stat().st_size / 2
    assert_close(load(large), photo())


def test_text_is_written_as_utf_8_and_replaces_what_was_there(tmp_path):
    path = tmp_path / "table.json"
    path.write_text("a much longer text that was here before")
    write_text_atomically(path, '{"carta": "número"}\n')
    assert path.read_bytes() == '{"carta": "número"}\n'.encode()


def test_a_file_name_that_is_not_utf_8_can_be_told_in_text(tmp_path):
    write_text_atomically(tmp_path / "a.json", '"\udcff.jpg"')
    assert (tmp_path / "a.json").read_bytes() == b'"\\udcff.jpg"'


@pytest.mark.parametrize("name", ["solved.heic", "solved.gif", "solved", "solved.jpg.txt"])
def test_an_unknown_ending_is_refused(name, tmp_path):
    with pytest.raises(CannotWrite, match=r"must end in one of \.bmp, \.jpeg, \.jpg, \.png"):
        save(tmp_path / name, photo())
    assert not names_in(tmp_path)


def test_a_missing_folder_a_folder_and_a_file_as_folder_are_refused(tmp_path):
    with pytest.raises(CannotWrite, match="cannot be written: its folder does not exist"):
        save(tmp_path / "no" / "solved.jpg", photo())
    (tmp_path / "folder.jpg").mkdir()
    with pytest.raises(CannotWrite, match="is a folder"):
        save(tmp_path / "folder.jpg", photo())
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(CannotWrite, match="cannot be written: "):
        save(tmp_path / "file" / "solved.jpg", photo())
    assert names_in(tmp_path) == ["file", "folder.jpg"]


def test_a_picture_that_the_format_cannot_hold_is_refused(tmp_path, capfd):
    with pytest.raises(CannotWrite, match="cannot hold a picture of 70000 by 4 pixels"):
        save(tmp_path / "long.jpg", np.zeros((4, 70_000, 3), np.uint8))
    assert not names_in(tmp_path)
    assert capfd.readouterr() == ("", "")


@posix_only
def test_when_the_disk_is_full_the_old_file_stays_and_no_part_is_left(tmp_path):
    resource = pytest.importorskip("resource")
    path = tmp_path / "solved.png"
    save(path, quarters())
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limits[1]))
    try:
        with pytest.raises(CannotWrite, match=r"solved\.png cannot be written: file too large"):
            save(path, photo())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    assert names_in(tmp_path) == ["solved.png"]


@posix_only
@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_the_mode_of_a_file_follows_the_umask(mask, mode, tmp_path):
    before = os.umask(mask)
    try:
        save(tmp_path / "solved.jpg", photo())
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "solved.jpg").stat().st_mode) == mode


@posix_only
def test_a_link_stays_a_link_and_a_pipe_a_pipe(tmp_path):
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("old")
    link.symlink_to(real)
    write_text_atomically(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        write_text_atomically(pipe, "through")
        assert reader.stdout.read() == "through"
    assert pipe.is_fifo()


@posix_only
@not_for_root
def test_a_protected_file_and_a_protected_folder_are_left_alone(tmp_path):
    path = tmp_path / "solved.jpg"
    path.write_bytes(b"dear")
    path.chmod(0o400)
    with pytest.raises(CannotWrite, match="is protected against writing"):
        save(path, photo())
    assert path.read_bytes() == b"dear"
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(CannotWrite, match="cannot be written: permission denied"):
            save(tmp_path / "other.jpg", photo())
    finally:
        tmp_path.chmod(0o700)


def test_every_kind_that_can_be_read_is_found_in_a_folder():
    assert {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".heic"} <= PICTURE_SUFFIXES
    assert all(suffix == suffix.lower() and suffix[0] == "." for suffix in PICTURE_SUFFIXES)
