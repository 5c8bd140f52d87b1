"""Train one network and export it: ``python -m setvision.training finder --data DATA``."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

import cv2
import torch
from torch import Tensor, nn

from setvision.rectify import CROP_HEIGHT, CROP_WIDTH
from setvision.training.batches import finder_batches, reader_batches
from setvision.training.fit import fit
from setvision.training.networks import Finder, Reader
from setvision.training.sources import HELD_OUT, load_crops, load_photos
from setvision.training.stock import Stock
from setvision.training.targets import finder_loss, reader_loss


def _finder_loss(network: nn.Module, batch: tuple[Tensor, Tensor]) -> Tensor:
    pictures, target = batch
    pictures = pictures.to(memory_format=torch.channels_last)
    return finder_loss(network(pictures).float(), target)


def _reader_loss(network: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    inputs, *asked = batch
    inputs = inputs.to(memory_format=torch.channels_last)
    return reader_loss(network(inputs).float(), *asked)


def export(network: nn.Module, example: Tensor, path: Path, dynamic: dict[int, str]) -> None:
    """Write a network as ONNX, with batch normalization folded in."""
    network = network.eval().float()
    network.to(memory_format=torch.contiguous_format)  # type: ignore[call-overload,unused-ignore]
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


def main() -> None:
    """Parse the command line, train, save weights and ONNX."""
    parser = argparse.ArgumentParser(prog="python -m setvision.training", description=__doc__)
    parser.add_argument("network", choices=["finder", "reader"])
    parser.add_argument("--data", type=Path, required=True, help="folder with photos/ and crops/")
    parser.add_argument("--out", type=Path, required=True, help="folder for the weights and ONNX")
    parser.add_argument("--hold-out", action="store_true", help="leave the held-out sources out")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(0)  # a forked loader must not inherit OpenCV's thread pool
    without = HELD_OUT if args.hold_out else ()
    stock = Stock.of(
        load_photos(args.data / "photos", without),
        load_crops(args.data / "crops", without),
        args.seed,
    )
    network: nn.Module = Finder() if args.network == "finder" else Reader()
    if args.start:
        network.load_state_dict(torch.load(args.start, weights_only=True))
    args.out.mkdir(parents=True, exist_ok=True)
    if args.network == "finder":
        batches = finder_batches(stock, args.seed, args.steps)
        trained = fit(network, batches, _finder_loss, args.steps, args.rate)
        example, dynamic = torch.zeros(1, 3, 448, 448), {0: "n", 2: "h", 3: "w"}
    else:
        crops = reader_batches(stock, args.seed, args.steps)
        trained = fit(network, crops, _reader_loss, args.steps, args.rate)
        example, dynamic = torch.zeros(1, 3, CROP_HEIGHT, CROP_WIDTH), {0: "n"}
    torch.save(trained.state_dict(), args.out / f"{args.network}.pt")
    export(trained, example, args.out / f"{args.network}.onnx", dynamic)


if __name__ == "__main__":
    main()
