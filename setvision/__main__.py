"""Start of the command `setvision`: runs it and answers each fault in one line."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

from setvision.errors import CannotWrite, ExitCode, NotInstalled, SetVisionError

INTERRUPTED = 130


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        code = run()
    except KeyboardInterrupt:  # while Typer was still being imported
        code = INTERRUPTED
    sys.exit(code)


def run() -> int:
    """Run the command line; faults become one line on standard error and an exit code."""
    import typer

    from setvision.cli import app

    try:
        _prepare_streams()
        code = app(prog_name="setvision", standalone_mode=False)
        sys.stdout.flush()
        return int(code or ExitCode.ANSWERED)
    except SetVisionError as fault:
        return _say(str(fault), fault.exit_code)
    except ImportError as fault:
        missing = _missing_library(fault)
        if missing is None:
            raise
        return _say(str(missing), missing.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()  # whoever read it has left
        return ExitCode.INTERNAL
    except OSError as fault:
        return _say_system_fault(fault)
    except typer.TyperException as fault:
        return _say(f"{fault.format_message()} (see setvision --help)", ExitCode.USAGE)


def _prepare_streams() -> None:
    """Names of cards and files are told in any encoding, escaped where it lacks a character.

    Raises:
        CannotWrite: standard output is closed.
    """
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115
    if sys.stdout is None:
        raise CannotWrite("standard output is closed, so no answer can be given")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _say_system_fault(fault: OSError) -> int:
    """The last resort; faults of files are told better where they are met."""
    reason = (fault.strerror or str(fault)).lower()
    if fault.filename is not None:
        return _say(f"{os.fsdecode(fault.filename)}: {reason}", ExitCode.INTERNAL)
    _discard_output()
    return _say(f"the output cannot be written: {reason}", ExitCode.CANNOT_WRITE)


def _discard_output() -> None:
    """Nothing may be written at exit either, where it would fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(message: str, code: int) -> int:
    print(f"setvision: {' '.join(message.split())}", file=sys.stderr)
    return code


def _missing_library(fault: ImportError) -> NotInstalled | None:
    """OpenCV needs libraries of the system, which bare containers lack."""
    text = str(fault)
    if ".so" in text:
        library = text.split(":")[0]
        return NotInstalled(
            f"OpenCV needs {library}, which is missing on this system; on Debian or Ubuntu: "
            "apt-get install libgl1 libglib2.0-0"
        )
    if fault.name in ("cv2", "numpy"):
        return NotInstalled(f"{fault.name} is missing: pip install setvision brings it")
    return None


if __name__ == "__main__":
    main()
