"""How far the networks' answers are from their targets."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional


def finder_loss(output: Tensor, target: Tensor) -> Tensor:
    """Focal loss of the heat map (Objects as Points, eq. 1) and weighted L1 of the geometry."""
    heat, counts = target[:, 0], target[:, 8]
    logit = output[:, 0]
    chance = logit.sigmoid()
    peak = (heat >= 0.999).float()
    hit = peak * (1 - chance) ** 2 * functional.logsigmoid(logit)
    calm = (1 - peak) * (1 - heat) ** 4 * chance**2 * functional.logsigmoid(-logit)
    cards = peak.sum().clamp(min=1)
    focal = -((hit + calm) * counts).sum() / cards
    error = (output[:, 1:7] - target[:, 1:7]).abs().sum(1)
    geometry = (error * target[:, 7]).sum() / (target[:, 7] > 0).sum().clamp(min=1)
    return focal + 2.0 * geometry


def reader_loss(
    output: Tensor, features: Tensor, whole: Tensor, offsets: Tensor, offset_weight: Tensor
) -> Tensor:
    """Cross-entropy of the features, of "is a whole card", and smooth L1 of the corners."""
    reading = torch.zeros((), dtype=torch.float32)
    for index in range(4):
        logits = output[:, 3 * index : 3 * index + 3]
        reading = reading + functional.cross_entropy(logits, features[:, index], ignore_index=-1)
    asked = whole >= 0
    is_card = functional.binary_cross_entropy_with_logits(output[asked, 12], whole[asked])
    error = functional.smooth_l1_loss(output[:, 13:21], offsets, beta=0.02, reduction="none").sum(1)
    place = (error * offset_weight).sum() / offset_weight.sum().clamp(min=1)
    return reading + is_card + 10.0 * place
