"""The command line: one thin function a command.

OpenCV, NumPy and the model are imported inside the commands, so that help comes at once.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from setvision import __version__
from setvision.errors import CannotWrite, ExitCode

if TYPE_CHECKING:
    from setvision.answer import Show

EXIT_CODES = {
    ExitCode.ANSWERED: "answered",
    ExitCode.INTERNAL: "internal error",
    ExitCode.USAGE: "bad arguments",
    ExitCode.FILE_MISSING: "file or folder missing",
    ExitCode.BAD_PICTURE: "not a picture that can be read",
    ExitCode.NO_CARDS: "no card found",
    ExitCode.CANNOT_WRITE: "output cannot be written",
    ExitCode.NOT_INSTALLED: "a library is missing",
    ExitCode.SOME_FAILED: "some pictures of a folder failed",
}

_codes = [f"{code} {words}" for code, words in EXIT_CODES.items()]
EPILOG = f"Exit codes: {', '.join(_codes)}, 130 interrupted."

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _path(text: str) -> Path:
    """A file or folder that is named; whether it can be read is found out where it is read."""
    if not text:
        raise typer.BadParameter("the name is empty")
    return Path(text)


def _place(text: str) -> Path:
    """A place to write to; a slash at its end, which `Path` drops, says that it is a folder."""
    if text.endswith(("/", os.sep)) and not os.access(text, os.F_OK):
        raise CannotWrite(f"{text}: no such folder")
    return _path(text)


def _flag(name: str, words: str) -> Any:
    """An option without a value; help would show its type, which says nothing to a player."""
    return typer.Option(name, metavar="", help=words)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"setvision {__version__}")
        raise typer.Exit()


@app.callback(invoke_without_command=True, epilog=EPILOG)
def start(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            metavar="",
            help="Show the version.",
        ),
    ] = False,
) -> None:
    """Read a real SET table from a photo: the cards, the sets, and what is in doubt."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(ExitCode.USAGE)


@app.command(epilog=EPILOG)
def solve(
    photo: Annotated[
        Path,
        typer.Argument(
            parser=_path, metavar="PHOTO", help="A photo of the table.", show_default=False
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            parser=_place,
            metavar="FILE",
            help="The picture to draw, or a folder for it; PHOTO.solved.jpg if not given.",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[bool, _flag("--json", "Print all results as JSON.")] = False,
    show_all: Annotated[bool, _flag("--all", "Show all sets (the default).")] = False,
    show_one: Annotated[bool, _flag("--one", "Show one set.")] = False,
    show_hint: Annotated[
        bool, _flag("--hint", "Show how many sets there are, and one card of one.")
    ] = False,
    stock_empty: Annotated[bool, _flag("--stock-empty", "No card is left to deal.")] = False,
    no_picture: Annotated[bool, _flag("--no-picture", "Draw no picture.")] = False,
) -> None:
    """Name the cards on a photo and show the sets among them.

    Draws the solved picture beside the photo; with --json only where -o says.
    """
    show = _choice(show_all, show_one, show_hint)
    if no_picture and output:
        raise typer.TyperException("-o and --no-picture exclude each other")
    if as_json and (show_one or show_hint):
        raise typer.TyperException("--json holds all results: leave out --one and --hint")
    from setvision import images, overlay, report
    from setvision.board import Verdict
    from setvision.solve import drawn_path
    from setvision.solve import solve as solve_photo

    images.check_readable(photo)
    wanted = not no_picture and (output is not None or not as_json)
    target = drawn_path(photo, output) if wanted else None
    if target is not None and output is not None:
        images.check_picture_place(target)
    solved = solve_photo(photo)
    if as_json:
        entry = report.to_entry(photo.name, solved.reading, solved.seconds)
        typer.echo(report.to_json([entry]), nl=False)
    if solved.reading.verdict is Verdict.NO_CARDS:
        typer.echo(f"setvision: {photo}: no card found", err=True)
        raise typer.Exit(ExitCode.NO_CARDS)
    if not as_json:
        from rich.console import Console

        console = Console(highlight=False)
        console.print(
            report.describe(solved.reading, show, stock_empty=stock_empty, width=console.width)
        )
    if target is not None:
        drawn = overlay.draw(solved.image, solved.reading, show, stock_empty=stock_empty)
        images.save(target, drawn)
        if not as_json:
            typer.echo(f"\nPicture: {target}")


@app.command(epilog=EPILOG)
def batch(
    folder: Annotated[
        Path,
        typer.Argument(
            parser=_path, metavar="FOLDER", help="A folder of photos.", show_default=False
        ),
    ],
    json_file: Annotated[
        Path | None,
        typer.Option(
            "--json",
            parser=_place,
            metavar="FILE",
            help="Write all results to this file.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            parser=_path,
            metavar="FOLDER",
            help="Draw the pictures into this folder.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Read every picture in a folder, by name; pictures named *.solved.* are left out."""
    if json_file is None and out is None:
        raise typer.TyperException("say where the results go: --json FILE, --out FOLDER or both")
    from setvision import images, report
    from setvision.batch import solve_each
    from setvision.solve import drawn_paths, pictures_in, refuse_overwriting

    photos = pictures_in(folder)
    targets = drawn_paths(photos, out) if out is not None else {}
    if json_file is not None:
        images.check_place(json_file)
        refuse_overwriting(photos, [json_file])
    if out is not None:
        refuse_overwriting(photos, targets.values())
        images.make_folder(out)
    entries = solve_each(photos, targets)
    if json_file is not None and entries:
        images.write_text_atomically(json_file, report.to_json(entries))
    if len(entries) < len(photos):
        kept = f"; what was read is in {json_file}" if json_file is not None and entries else ""
        typer.echo(
            f"setvision: interrupted after {len(entries)} of {len(photos)} pictures{kept}", err=True
        )
        raise typer.Abort()
    typer.echo(report.summary(entries))
    failed = [entry for entry in entries if entry["error"] is not None]
    for entry in failed:
        typer.echo(f"setvision: {entry['error']}", err=True)
    if failed:
        raise typer.Exit(ExitCode.SOME_FAILED)


def _choice(show_all: bool, show_one: bool, show_hint: bool) -> Show:
    from setvision.answer import Show

    if show_all + show_one + show_hint > 1:
        raise typer.TyperException("choose one of --all, --one and --hint")
    return Show.ONE if show_one else Show.HINT if show_hint else Show.ALL
