"""What a camera and a lamp do to a picture, at random, for training."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray


def photograph(image: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Change light, color, sharpness and compression at random.

    Args:
        image: uint8 (H, W, 3), BGR; not changed.

    Returns:
        uint8 (H, W, 3), BGR.
    """
    picture = np.asarray(image / 255, np.float32)
    picture = _light(picture, rng)
    picture = _color(picture, rng)
    picture = _sharpness(picture, rng)
    if rng.random() < 0.3:
        picture = _coarse_color(picture, rng)
    noise = float(rng.choice([0, 0.006, 0.015, 0.035], p=[0.4, 0.3, 0.2, 0.1]))
    if noise:
        grain = rng.standard_normal(picture.shape, np.float32)
        picture = picture + grain * np.float32(noise)
    result = np.asarray(np.clip(picture * 255, 0, 255), np.uint8)
    if rng.random() < 0.5:
        quality = int(rng.integers(25, 92))
        encoded = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        result = np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR), np.uint8)
    return result


def _light(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    height, width = picture.shape[:2]
    x = np.linspace(-1, 1, width, dtype=np.float32)[None]
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    if rng.random() < 0.6:
        angle, fall = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.45)
        picture = picture * (1 + fall * (np.cos(angle) * x + np.sin(angle) * y))[..., None]
    if rng.random() < 0.2:
        angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.7, 0.7)
        distance = np.cos(angle) * x + np.sin(angle) * y - offset
        edge = 1 / (1 + np.exp(-distance / rng.uniform(0.01, 0.2)))
        picture = picture * (1 - rng.uniform(0.2, 0.55) * edge)[..., None]
    if rng.random() < 0.15:
        cx, cy, radius = rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(0.05, 0.4)
        spot = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / radius**2)
        picture = np.asarray(picture + rng.uniform(0.2, 0.7) * spot[..., None], np.float32)
    return np.asarray(picture, np.float32)


def _color(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    warmth, tint = rng.normal(0, 0.16), rng.normal(0, 0.05)
    gains = np.asarray([np.exp(-warmth), np.exp(tint), np.exp(warmth * 0.7)], np.float32)
    exposure = np.exp(rng.normal(-0.02, 0.22))
    picture = np.clip(picture * gains * np.asarray(exposure, np.float32), 0, 1.0)
    if rng.random() < 0.5:
        picture = picture ** np.float32(np.exp(rng.normal(0, 0.22)))
    if rng.random() < 0.5:
        gray = picture @ np.asarray([0.11, 0.59, 0.3], np.float32)
        saturation = np.float32(rng.uniform(0.45, 1.4))
        picture = gray[..., None] + saturation * (picture - gray[..., None])
    if rng.random() < 0.2:
        black = np.float32(rng.uniform(0, 0.15))
        picture = black + picture * (1 - black)
    return np.asarray(picture, np.float32)


def _sharpness(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    height, width = picture.shape[:2]
    draw = rng.random()
    if draw < 0.3:
        result = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.3, 1.6)))
    elif draw < 0.42:
        length, angle = int(rng.integers(3, 8)), float(rng.uniform(0, np.pi))
        kernel = np.zeros((length, length), np.float32)
        middle = (length - 1) / 2
        reach = middle * np.array([np.cos(angle), np.sin(angle)])
        start, end = np.round(middle - reach).astype(int), np.round(middle + reach).astype(int)
        cv2.line(kernel, tuple(map(int, start)), tuple(map(int, end)), 1.0)
        result = cv2.filter2D(picture, -1, kernel / kernel.sum())
    elif draw < 0.6:
        shrink = float(rng.uniform(0.4, 0.9))
        small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        result = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    elif draw < 0.7:
        blurred = cv2.GaussianBlur(picture, (0, 0), 1.2)
        result = picture + np.float32(rng.uniform(0.3, 1.2)) * (picture - blurred)
    else:
        return picture
    return np.asarray(result, np.float32)


def _coarse_color(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Color at a lower resolution than brightness, and a little beside it, as webcams send it."""
    parts = cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb)
    blurred = cv2.GaussianBlur(parts, (0, 0), float(rng.uniform(0.8, 2.5)))
    beside = np.roll(blurred, rng.integers(-1, 2, 2).tolist(), (0, 1))
    parts[..., 1:] = beside[..., 1:]
    return np.asarray(cv2.cvtColor(parts, cv2.COLOR_YCrCb2BGR), np.float32)
