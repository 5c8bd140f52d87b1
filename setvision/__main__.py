"""Start of the command `setvision`: runs it and answers each fault in one line."""

from __future__ import annotations

import os
import sys

from setvision.errors import ExitCode, NotInstalled, SetVisionError


def main() -> None:
    """Run the command line and leave with its exit code."""
    sys.exit(run())


def run() -> int:
    """Run the command line; faults become one line on standard error and an exit code."""
    import typer

    from setvision.cli import app

    try:
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
        return 130
    except BrokenPipeError:
        # Whoever read the output has left; nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.INTERNAL
    except typer.TyperException as fault:
        return _say(f"{fault.format_message()} (see setvision --help)", ExitCode.USAGE)


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
