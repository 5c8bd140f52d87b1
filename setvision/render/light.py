"""From a clean drawing to a photo: light, lens and sensor."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

_GAMMA = 2.2


@dataclass(frozen=True, slots=True)
class Light:
    """The light over the table and the camera that takes the picture.

    Attributes:
        exposure: factor on all light; 1 leaves paper a little below white.
        warmth: -1 (blue shade) over 0 (neutral) to 1 (light bulb) as an uncorrected camera
            sees it.
        green: tint of old fluorescent tubes, 0 for none.
        falloff: how much darker the corner farthest from the lamp is, 0 to 1.
        shadow: strength of the cards' shadows, 0 to 1.
        glare: strength of the lamp's reflection; 1 washes its middle out.
        blur: sigma of the lens's blur in pixels.
        noise: sensor noise, standard deviation at middle gray, of 255.
    """

    exposure: float = 1.0
    warmth: float = 0.0
    green: float = 0.0
    falloff: float = 0.35
    shadow: float = 0.5
    glare: float = 0.0
    blur: float = 0.7
    noise: float = 2.0


def photograph(
    scene: NDArray[np.uint8], light: Light, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Light a scene and take its picture, both uint8 (H, W, 3), BGR."""
    height, width = scene.shape[:2]
    linear = np.power(scene.astype(np.float32) / 255, _GAMMA)
    lamp = rng.uniform(0.15, 0.85, 2)
    y, x = np.ogrid[:height, :width]
    side = max(height, width)
    away = np.hypot((x - lamp[0] * width) / side, (y - lamp[1] * height) / side)
    lit = light.exposure * (1 - light.falloff * np.clip(away / 0.9, 0, 1) ** 1.5)
    linear *= np.asarray(lit, np.float32)[..., None] * _color(light)
    if light.glare:
        linear += light.glare * _reflection(rng, height, width)[..., None]
    # Highlights roll off as a camera's tone curve lets them.
    bright = np.maximum(linear - 0.8, 0)
    linear = np.minimum(linear, 0.8) + bright / (1 + 2.5 * bright)
    if light.blur:
        linear = np.asarray(cv2.GaussianBlur(linear, (0, 0), light.blur), np.float32)
    picture = 255 * np.power(np.clip(linear, 0, 1), 1 / _GAMMA)
    return np.asarray(
        np.clip(picture + _sensor_noise(rng, picture, light.noise) + 0.5, 0, 255), np.uint8
    )


def _color(light: Light) -> NDArray[np.float32]:
    """What the light's color multiplies blue, green and red by; the sum stays about the same."""
    blue = 1 - 0.45 * light.warmth - 0.12 * light.green
    green = 1 - 0.06 * abs(light.warmth) + 0.1 * light.green
    red = 1 + 0.3 * light.warmth - 0.12 * light.green
    return np.array([blue, green, red], np.float32)


def _reflection(rng: np.random.Generator, height: int, width: int) -> NDArray[np.float32]:
    """A window or lamp mirrored by the cards' gloss, float32 (height, width), 0 to 1."""
    y, x = np.ogrid[:height, :width]
    middle_x, middle_y = rng.uniform(0.3, 0.7) * width, rng.uniform(0.3, 0.7) * height
    turn, size = rng.uniform(0, np.pi), 0.1 * max(height, width)
    along = (x - middle_x) * np.cos(turn) + (y - middle_y) * np.sin(turn)
    across = (y - middle_y) * np.cos(turn) - (x - middle_x) * np.sin(turn)
    distance = np.hypot(along / (1.7 * size), across / size)
    return np.asarray(0.75 * np.exp(-(distance**4)) + 0.25 * np.exp(-distance), np.float32)


def _sensor_noise(
    rng: np.random.Generator, picture: NDArray[np.float32], strength: float
) -> NDArray[np.float32]:
    """Fine noise in brightness and coarser noise in color, stronger in the dark."""
    height, width = picture.shape[:2]
    fine = rng.standard_normal((height, width, 1), np.float32)
    half = rng.standard_normal(((height + 1) // 2, (width + 1) // 2, 3), np.float32)
    coarse = cv2.resize(half, (width, height), interpolation=cv2.INTER_LINEAR)
    level = strength * (1.35 - 0.7 * picture / 255)
    return np.asarray(level * (0.8 * fine + 0.6 * coarse), np.float32)
