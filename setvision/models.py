"""The trained networks, loaded once from the package's own files."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from setvision.errors import NotInstalled

_PLACES = [Path(__file__).parent / "models", Path(__file__).parent.parent / "models"]
"""In an installed wheel the models lie inside the package, in a checkout beside it."""


def prefer(folder: Path) -> None:
    """Take models from this folder where it has them; for training and measuring."""
    _PLACES.insert(0, folder)
    _network.cache_clear()


def run(name: str, batch: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give a batch, float32 (n, 3, H, W) BGR, to the network called `name`.

    Raises:
        NotInstalled: the model's file is missing from the installation.
    """
    network = _network(name)
    network.setInput(batch)
    return np.asarray(network.forward(), np.float32)


@cache
def _network(name: str) -> cv2.dnn.Net:
    for place in _PLACES:
        path = place / f"{name}.onnx"
        if path.is_file():
            # Read by Python: OpenCV cannot open every path that Python can.
            model = np.frombuffer(path.read_bytes(), np.uint8)
            return cv2.dnn.readNetFromONNX(model, cv2.dnn.ENGINE_CLASSIC)
    raise NotInstalled(f"the model {name}.onnx is missing: install setvision again")
