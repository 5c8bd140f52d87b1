"""Read a real SET table with a camera."""

__version__ = "0.1.0"
