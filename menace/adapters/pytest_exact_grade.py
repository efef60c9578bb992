"""A pytest plugin with the fixture `exact_grade`, which imports menace only if a test uses the fixture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    import menace


@pytest.fixture(scope="session")
def exact_grade() -> Callable[..., menace.Grade]:
    """Return `menace.grade`, which computes exactly how strong a player is.

    def test_my_player(exact_grade):
        assert exact_grade(my_player, plays="O").unbeatable
    """
    import menace

    return menace.grade
