"""The two networks: one finds cards in a table picture, one reads a single card."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def conv(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    """Convolution, batch normalization, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    """Two convolutions around a shortcut (He et al., Deep Residual Learning, 2015)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(channels, channels),
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Add the body's output to its input."""
        return torch.relu(x + self.body(x))


class Finder(nn.Module):
    """Cards in a picture, one vector a cell of 8 by 8 pixels.

    A feature pyramid (Lin et al., 2017) with a center heat map (Zhou et al., Objects as Points,
    2019). Input float32 (n, 3, H, W), BGR 0 to 1, H and W multiples of 32. Output
    (n, 7, H/8, W/8): the logit that a card's center lies in the cell; the center's offset from
    the cell's middle (x, y); then the half axes along the long and the short side, each as a
    vector at twice its angle (a card turned by half a turn is the same card, and the doubled
    angle has no jump there). Lengths are in units of 32 pixels.
    """

    def __init__(self) -> None:
        super().__init__()
        self.to8 = nn.Sequential(
            conv(3, 16, 2), conv(16, 32, 2), conv(32, 32), conv(32, 64, 2), Residual(64)
        )
        self.to16 = nn.Sequential(conv(64, 96, 2), Residual(96), Residual(96))
        self.to32 = nn.Sequential(conv(96, 128, 2), Residual(128), Residual(128))
        self.down32 = conv(128, 96, 1, 1)
        self.mix16 = conv(96, 64)
        self.mix8 = conv(64, 64)
        self.head = nn.Sequential(conv(64, 64), nn.Conv2d(64, 7, 1))
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        bias = self.get_parameter("head.1.bias")
        bias.data.zero_()
        bias.data[0] = -4.0

    def forward(self, x: Tensor) -> Tensor:
        """See the class."""
        at8 = self.to8(x)
        at16 = self.to16(at8)
        at32 = self.to32(at16)
        at16 = self.mix16(at16 + self.up(self.down32(at32)))
        found: Tensor = self.head(self.mix8(at8 + self.up(at16)))
        return found


class Reader(nn.Module):
    """One card crop to its features, its corners, and whether it is a whole card at all.

    Input float32 (n, 3, 80, 120), BGR divided by the paper's color. Output (n, 21): three logits
    each for number, color, shading and shape; the logit that this is a whole SET card; eight
    corner offsets as `setvision.rectify.move_corners` takes them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 20, 2),
            conv(20, 32, 2),
            conv(32, 48),
            Residual(48),
            conv(48, 80, 2),
            Residual(80),
            conv(80, 128, 2),
            Residual(128),
        )
        self.drop = nn.Dropout(0.1)
        self.features = nn.Linear(256, 12)
        self.place = nn.Sequential(conv(128, 16, 1, 1), nn.Flatten())
        self.quality = nn.Sequential(
            nn.Linear(16 * 5 * 8 + 256, 64), nn.ReLU(inplace=True), nn.Linear(64, 9)
        )

    def forward(self, x: Tensor) -> Tensor:
        """See the class."""
        x = self.body(x)
        pooled = self.drop(torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1))
        features = self.features(pooled)
        return torch.cat([features, self.quality(torch.cat([self.place(x), pooled], 1))], 1)
