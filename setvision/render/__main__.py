"""`python -m setvision.render OUT_DIR [--seed S]`: write the sample pictures and their truth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from setvision.errors import CannotWrite
from setvision.render.samples import write_samples


def main(
    out_dir: Annotated[Path, typer.Argument(help="Folder for the pictures; made if missing.")],
    seed: Annotated[int, typer.Option(min=0, help="Another seed draws other tables.")] = 0,
) -> None:
    """Draw tables whose cards, corners and sets are known."""
    try:
        for picture in write_samples(out_dir, seed):
            typer.echo(picture)
    except CannotWrite as error:
        typer.echo(error, err=True)
        raise typer.Exit(error.exit_code) from error


if __name__ == "__main__":
    typer.run(main)
