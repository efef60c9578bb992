"""Laws of numbers in words: no percentage makes a share look like none or all, or is off by more than half a step."""

from __future__ import annotations

import math

import numpy as np
import pytest

from menace.wording import ORDINALS, counted, ordinal, percent

LEAST, MOST = 0.0005, 0.9995  # from where on, and up to where, a share is rounded to a tenth of a percent
SHARES = [
    *np.linspace(0, 1, 2001).tolist(),
    *(10.0**-power for power in range(17)),
    *(1 - 10.0**-power for power in range(1, 12)),
]


def test_a_percentage_is_six_characters_and_true() -> None:
    for share in SHARES:
        text = percent(share)
        assert len(text) == 6
        if "<" in text:
            assert 0 < share < 0.001
        elif ">" in text:
            assert 0.999 < share < 1
        else:
            assert abs(float(text.rstrip("%")) / 100 - share) <= 0.0005 + 1e-15
        assert (text == "  0.0%") == (share == 0)
        assert (text == "100.0%") == (share == 1)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (LEAST, "  0.1%"),
        (math.nextafter(LEAST, 0), " <0.1%"),
        (0.0014, "  0.1%"),
        (5e-324, " <0.1%"),
        (0.0, "  0.0%"),
        (MOST, ">99.9%"),
        (math.nextafter(MOST, 0), " 99.9%"),
        (0.9986, " 99.9%"),
        (1 - 1e-11, ">99.9%"),
        (1 - 1e-13, "100.0%"),  # a sum of doubles that should be 1
        (math.nextafter(1, 0), "100.0%"),
        (1.0, "100.0%"),
        (math.nextafter(1, 2), "100.0%"),
    ],
)
def test_the_edges_of_percentages(share: float, text: str) -> None:
    assert percent(share) == text


def test_one_is_singular_and_all_else_plural() -> None:
    assert counted(0, "game") == "0 games"
    assert counted(1, "box") == "1 box"
    assert counted(-1, "bead") == "-1 beads"
    assert counted(1_234_567, "box") == "1,234,567 boxes"


def test_ordinals_end_as_they_are_spoken() -> None:
    assert [ordinal(number) for number in range(1, 11)] == list(ORDINALS)
    endings = {1: "st", 2: "nd", 3: "rd"}
    for number in range(11, 1000):
        ending = "th" if number // 10 % 10 == 1 else endings.get(number % 10, "th")
        assert ordinal(number) == f"{number}{ending}"
    assert ordinal(0) == "0th"
