"""Every photo of a folder, one after the other; a fault of one does not end the work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from setvision import images, overlay, report
from setvision.errors import SetVisionError
from setvision.solve import solve


def solve_each(photos: Sequence[Path], targets: Mapping[Path, Path]) -> list[report.Entry]:
    """Read photos and draw those that have a target; a terminal is shown how far it is.

    Returns:
        One entry a photo, with the fault of those that could not be read or drawn; fewer where
        Ctrl-C ends it.
    """
    console = Console(stderr=True)
    progress = Progress(console=console, disable=not console.is_terminal, transient=True)
    entries: list[report.Entry] = []
    with suppress(KeyboardInterrupt), progress:
        for photo in progress.track(photos, description="Reading"):
            entries.append(_entry(photo, targets.get(photo)))
    return entries


def _entry(photo: Path, target: Path | None) -> report.Entry:
    try:
        solved = solve(photo)
    except SetVisionError as fault:
        return report.failed_entry(photo.name, str(fault))
    entry = report.to_entry(photo.name, solved.reading, solved.seconds)
    try:
        if target is not None:
            images.save(target, overlay.draw(solved.image, solved.reading))
    except SetVisionError as fault:
        entry["error"] = str(fault)  # what was read stays
    return entry
