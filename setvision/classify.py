"""Read single cards: what each crop shows, how sure that is, and whether it is a card at all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from setvision.cards import FEATURES, Color
from setvision.models import run
from setvision.rectify import balance, move_corners, rectify

MOST_AT_ONCE = 32
"""Crops in one batch, so that a table of 81 cards needs no more memory than one of 12."""

TEMPERATURE = 0.8
"""Divides the logits of the features. On photos of sources that training had not seen, 0.74 makes
the truth likeliest; 0.8 leaves some caution (models/README.md)."""


@dataclass(frozen=True, eq=False)
class Beliefs:
    """What the network believes of n crops.

    Attributes:
        corners: float32 (n, 4, 2), pixels of the picture, clockwise, a long side first.
        features: float32 (n, 4, 3), probabilities of the values of number, color, shading, shape.
        whole: float32 (n,), probability that the crop is one whole SET card.
    """

    corners: NDArray[np.float32]
    features: NDArray[np.float32]
    whole: NDArray[np.float32]

    def keep(self, places: NDArray[np.intp]) -> Beliefs:
        """Only the crops at these places, in this order."""
        return Beliefs(self.corners[places], self.features[places], self.whole[places])

    def without_color(self) -> Beliefs:
        """The same beliefs, but every color is as likely as any other."""
        features = self.features.copy()
        features[:, FEATURES.index(Color)] = 1 / len(Color)
        return Beliefs(self.corners, features, self.whole)

    def cards(self) -> NDArray[np.float32]:
        """Probability of each of the 81 cards, float32 (n, 81): the features' product."""
        joint = np.einsum("na,nb,nc,nd->nabcd", *self.features.transpose(1, 0, 2))
        return np.asarray(joint.reshape(len(self.whole), 81), np.float32)


def judge(image: NDArray[np.uint8], corners: NDArray[np.float32], looks: int = 2) -> Beliefs:
    """Look at each candidate, move its corners to where the card's edges are, and look again.

    Args:
        image: uint8 (H, W, 3), BGR.
        corners: float32 (n, 4, 2), pixels, clockwise, a long side first.
        looks: how often the network sees each candidate; corners move after every look.
    """
    corners = np.asarray(corners, np.float32).reshape(-1, 4, 2)
    output = np.zeros((len(corners), 21), np.float32)
    for _ in range(looks if len(corners) else 0):
        output = _look(image, corners)
        offsets = output[:, 13:].reshape(-1, 4, 2)
        corners = np.asarray(
            [move_corners(*pair) for pair in zip(corners, offsets, strict=True)], np.float32
        ).reshape(-1, 4, 2)
    logits = output[:, :12].reshape(-1, 4, 3) / TEMPERATURE
    powers = np.exp(logits - logits.max(2, keepdims=True))
    features = np.asarray(powers / powers.sum(2, keepdims=True), np.float32)
    return Beliefs(corners, features, np.asarray(1 / (1 + np.exp(-output[:, 12])), np.float32))


def reader_input(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Crops, uint8 (n, height, width, 3) BGR, as the reader takes them: paper-balanced, float32
    (n, 3, height, width), BGR."""
    return np.ascontiguousarray(balance(crops).transpose(0, 3, 1, 2))


def _look(image: NDArray[np.uint8], corners: NDArray[np.float32]) -> NDArray[np.float32]:
    outputs = []
    for start in range(0, len(corners), MOST_AT_ONCE):
        crops = np.stack([rectify(image, quad) for quad in corners[start : start + MOST_AT_ONCE]])
        outputs.append(run("reader", reader_input(crops)))
    return np.concatenate(outputs)
