"""`python -m setvision.render OUT_DIR [--seed S] [--only NAME]`: write the sample pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from setvision.errors import CannotWrite
from setvision.render.samples import SAMPLES, write_samples


def main(
    out_dir: Annotated[Path, typer.Argument(help="Folder for the pictures; made if missing.")],
    seed: Annotated[int, typer.Option(min=0, help="Another seed draws other tables.")] = 0,
    only: Annotated[str, typer.Option(help="Draw just the sample of this name.")] = "",
) -> None:
    """Draw tables and write down their cards, corners and sets."""
    samples = [sample for sample in SAMPLES if only in ("", sample.name)]
    if not samples:
        known = ", ".join(sample.name for sample in SAMPLES)
        raise typer.BadParameter(f"there is no sample {only!r}, only {known}")
    try:
        for picture in write_samples(out_dir, seed, samples):
            typer.echo(picture)
    except CannotWrite as error:
        typer.echo(error, err=True)
        raise typer.Exit(error.exit_code) from error


if __name__ == "__main__":
    typer.run(main)
