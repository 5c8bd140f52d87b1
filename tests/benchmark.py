"""Time and memory of the installed command: ``python tests/benchmark.py [PHOTO]``.

Prints the median of five runs each: starting with ``--help``, solving the sample as it is, and
solving it enlarged to 12 megapixels (or the photo given). No test: figures depend on the machine.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

import cv2

RUNS = 5
SAMPLE = Path(__file__).parent.parent / "sample_images" / "twelve-several-sets.jpg"


def main() -> None:
    """Run the command and print the table."""
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "12-megapixels.jpg"
        picture = cv2.imread(str(SAMPLE))
        cv2.imwrite(str(large), cv2.resize(picture, (4000, 3000), interpolation=cv2.INTER_CUBIC))
        photos = [Path(name) for name in sys.argv[1:]] or [SAMPLE, large]
        print(f"{'command':34} {'whole s':>8} {'answer s':>8} {'peak MB':>8}")
        _report("--help", ["--help"])
        for photo in photos:
            _report(f"solve {photo.name}", ["solve", str(photo), "--json"])
            _report(
                f"solve {photo.name}, picture", ["solve", str(photo), "-o", f"{folder}/solved.jpg"]
            )


def _report(title: str, arguments: list[str]) -> None:
    wholes, answers, peaks = [], [], []
    for _ in range(RUNS):
        start = time.perf_counter()
        output, peak = _run(arguments)
        wholes.append(time.perf_counter() - start)
        peaks.append(peak)
        if "--json" in arguments:
            answers.append(json.loads(output)["images"][0]["seconds"])
    answer = f"{statistics.median(answers):8.3f}" if answers else " " * 8
    print(f"{title:34} {statistics.median(wholes):8.3f} {answer} {max(peaks):8.0f}")


def _run(arguments: list[str]) -> tuple[bytes, float]:
    """Standard output of one run, and its peak memory in megabytes."""
    command = [str(Path(sysconfig.get_path("scripts")) / "setvision"), *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    bytes_per_unit = 1 if sys.platform == "darwin" else 1024
    return output, usage.ru_maxrss * bytes_per_unit / 1e6


if __name__ == "__main__":
    main()
