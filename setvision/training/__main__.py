"""Train both networks: ``python -m setvision.training --data DATA --out RUN``.

Each network is trained in stages. First without the held-out sources, into RUN/held-out: those
weights give honest figures on the sources they never saw. Then on from there with every source; the
reader at last also with the finder's errors. The weights in RUN itself are those that ship. A stage
whose weights are there already is not trained again.
"""

from __future__ import annotations

import argparse
import logging
import warnings
from pathlib import Path
from typing import NamedTuple

import cv2
import torch
from torch import Tensor, nn

from setvision.models import prefer
from setvision.rectify import CROP_HEIGHT, CROP_WIDTH
from setvision.training.batches import FINDER_SIZE, finder_batches, reader_batches
from setvision.training.fit import fit
from setvision.training.losses import finder_loss, reader_loss
from setvision.training.networks import Finder, Reader
from setvision.training.sources import HELD_OUT, load_crops, load_photos
from setvision.training.stock import Stock


class Stage(NamedTuple):
    """One training: where its weights go, optimizer steps, highest learning rate, and data.

    With `misled`, the reader also sees the places that the finder wrongly takes for cards.
    """

    folder: str
    steps: int
    rate: float
    without: tuple[str, ...] = ()
    misled: bool = False


STAGES = {
    "finder": (Stage("held-out", 2000, 2e-3, HELD_OUT), Stage("", 2000, 1.5e-3)),
    "reader": (
        Stage("held-out", 1400, 2e-3, HELD_OUT),
        Stage("full", 2000, 1.2e-3),
        Stage("", 350, 8e-4, misled=True),
    ),
}
"""Each stage goes on from the weights of the one before."""


def main() -> None:
    """Parse the command line and train what is not there yet."""
    parser = argparse.ArgumentParser(
        prog="python -m setvision.training",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with photos/ and crops/")
    parser.add_argument("--out", type=Path, required=True, help="folder for weights and ONNX")
    parser.add_argument("--only", choices=["finder", "reader"], help="train just one network")
    parser.add_argument("--threads", type=int, default=1, help="of the network; one more draws")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(0)  # a forked loader must not inherit OpenCV's thread pool
    prefer(args.out)
    for name in [args.only] if args.only else ["finder", "reader"]:
        start = None
        for number, stage in enumerate(STAGES[name]):
            folder = args.out / stage.folder
            if not (folder / f"{name}.pt").exists():
                _train(name, stage, args.data, args.seed + number, start, folder)
            start = folder / f"{name}.pt"


def _train(
    name: str, stage: Stage, data: Path, seed: int, start: Path | None, folder: Path
) -> None:
    """Train one network through one stage; write its weights and its ONNX file."""
    folder.mkdir(parents=True, exist_ok=True)
    checkpoint = folder / f"{name}.part.pt"
    photos = load_photos(data / "photos", stage.without)
    stock = Stock.of(photos, load_crops(data / "crops", stage.without), seed)
    torch.manual_seed(seed)
    network: nn.Module = Finder() if name == "finder" else Reader()
    if start:
        network.load_state_dict(torch.load(start, weights_only=True))
    if name == "finder":
        pictures = finder_batches(stock, seed, stage.steps)
        trained = fit(network, pictures, _finder_loss, stage.steps, stage.rate, checkpoint)
        example, dynamic = torch.zeros(1, 3, FINDER_SIZE, FINDER_SIZE), {0: "n", 2: "h", 3: "w"}
    else:
        crops = reader_batches(stock, seed, stage.steps, stage.misled)
        trained = fit(network, crops, _reader_loss, stage.steps, stage.rate, checkpoint)
        example, dynamic = torch.zeros(1, 3, CROP_HEIGHT, CROP_WIDTH), {0: "n"}
    export(trained, example, folder / f"{name}.onnx", dynamic)
    checkpoint.unlink(missing_ok=True)
    torch.save(trained.state_dict(), folder / f"{name}.pt")


def _finder_loss(network: nn.Module, batch: tuple[Tensor, Tensor]) -> Tensor:
    pictures, target = batch
    pictures = pictures.to(memory_format=torch.channels_last)
    return finder_loss(network(pictures).float(), target)


def _reader_loss(network: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    inputs, *asked = batch
    inputs = inputs.to(memory_format=torch.channels_last)
    return reader_loss(network(inputs).float(), *asked)


def export(network: nn.Module, example: Tensor, path: Path, dynamic: dict[int, str]) -> None:
    """Write a network as ONNX, with batch normalization folded in.

    The exporter that traces is used: OpenCV reads what it writes without a change of shapes.
    """
    network = network.eval().float()
    network.to(memory_format=torch.contiguous_format)  # type: ignore[call-overload,unused-ignore]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            network,
            (example,),
            path,
            input_names=["input"],
            output_names=["output"],
            dynamic_axes={"input": dynamic, "output": {0: "n"}},
            opset_version=17,
            dynamo=False,
        )


if __name__ == "__main__":
    main()
