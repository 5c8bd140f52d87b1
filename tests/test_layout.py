"""Cards are counted as a player counts them, however the rows run."""

import cv2
import numpy as np
import pytest

from setvision.layout import rows_and_columns


def grid(rows: int, columns: int, degrees: float, *, upright: bool = True) -> np.ndarray:
    """Cards in rows and columns, in reading order, the whole table turned by some degrees."""
    width, height = (60, 93) if upright else (93, 60)
    card = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    corners = np.float32(
        [
            card + np.float32([column * width * 1.3, row * height * 1.3])
            for row in range(rows)
            for column in range(columns)
        ]
    )
    turn = cv2.getRotationMatrix2D((200, 200), degrees, 1.0)
    return corners @ turn[:, :2].T.astype(np.float32) + turn[:, 2].astype(np.float32)


@pytest.mark.parametrize("degrees", [0, -20, 14, 40, -40])
@pytest.mark.parametrize("upright", [True, False])
def test_rows_and_columns_are_found_at_any_skew(degrees: float, upright: bool) -> None:
    rows = rows_and_columns(grid(3, 4, degrees, upright=upright))
    assert rows == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]


def test_the_order_does_not_depend_on_the_order_of_finding() -> None:
    corners = grid(3, 5, 8)
    shuffled = np.random.default_rng(3).permutation(15)
    rows = rows_and_columns(corners[shuffled])
    assert [[int(shuffled[i]) for i in row] for row in rows] == [
        list(range(start, start + 5)) for start in (0, 5, 10)
    ]


def test_small_shifts_within_a_row_do_not_split_it() -> None:
    corners = grid(3, 4, 0)
    corners[::2] += np.float32([0, 18])
    assert [len(row) for row in rows_and_columns(corners)] == [4, 4, 4]


def test_no_cards_are_no_rows() -> None:
    assert rows_and_columns(np.zeros((0, 4, 2), np.float32)) == []
