"""The training loop that both networks share."""

from __future__ import annotations

import copy
import logging
import math
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

log = logging.getLogger(__name__)


def fit(
    network: nn.Module,
    batches: Iterable[Any],
    loss_of: Callable[[nn.Module, Any], Tensor],
    steps: int,
    rate: float,
    checkpoint: Path,
    warm_up: int = 100,
) -> nn.Module:
    """Train by AdamW under a cosine schedule in bfloat16; return the running mean of the weights.

    Args:
        network: trained in place.
        batches: at least `steps` batches, whatever `loss_of` takes.
        loss_of: scalar loss of the network on one batch.
        steps: optimizer steps.
        rate: highest learning rate.
        checkpoint: where the weights so far are kept while training runs.
        warm_up: steps of linear warm-up.
    """
    network.train()
    network.to(memory_format=torch.channels_last)  # type: ignore[call-overload,unused-ignore]
    optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=0.02)
    mean = copy.deepcopy(network)
    started, running = time.perf_counter(), 0.0
    for step, batch in zip(range(steps), batches, strict=False):
        progress = step / steps
        factor = min(1.0, (step + 1) / warm_up) * (0.5 + 0.5 * math.cos(math.pi * progress))
        for group in optimizer.param_groups:
            group["lr"] = rate * factor
        with torch.autocast("cpu", torch.bfloat16):
            loss = loss_of(network, batch)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        _follow(mean, network, min(0.998, (1 + step) / (10 + step)))
        running = (
            float(loss.detach()) if step == 0 else 0.98 * running + 0.02 * float(loss.detach())
        )
        if step % 100 == 99:
            pace = (time.perf_counter() - started) / (step + 1)
            torch.save(mean.state_dict(), checkpoint)
            log.info("step %d of %d, loss %.3f, %.2f s a step", step + 1, steps, running, pace)
    return mean.eval()


@torch.no_grad()
def _follow(mean: nn.Module, network: nn.Module, keep: float) -> None:
    current = network.state_dict()
    for name, value in mean.state_dict().items():
        if value.dtype.is_floating_point:
            value.lerp_(current[name], 1 - keep)
        else:
            value.copy_(current[name])
