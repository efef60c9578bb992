"""Functions for the tests of other projects that define games or players.

from menace.testing import assert_unbeatable, check_game

def test_chomp():
    check_game(Chomp("3x4"))

def test_my_player():
    assert_unbeatable(my_player, plays="O")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from menace.games.contract import Checked, check_game, laws_of

if TYPE_CHECKING:
    from menace.analysis.grades import Grade
    from menace.learners.player import Player

__all__ = ["Checked", "assert_grade", "assert_unbeatable", "check_game", "laws_of"]

ROUNDING = 1e-12  # how far a probability may be beyond its limit


def assert_unbeatable(player: Player, plays: Any = None, game: Any = None, **options: Any) -> Grade:
    """Fail if any opponent can beat a player; the failure names the board and the move that lose. Return the grade.

    Args:
        player: as for `menace.grade`, as are the other arguments.
        plays: the side, `X` or `O`.
        game: the game; None for tic-tac-toe.
        options: `variant`, `symmetric` and `policy`.

    Raises:
        AssertionError: if an opponent can beat it.

    >>> assert_unbeatable("perfect", plays="O").exploitability
    0.0
    """
    __tracebackhide__ = True
    from menace.analysis.grades import grade

    graded = grade(player, plays, game, **options)
    if not graded.unbeatable:
        raise AssertionError(f"{graded.name} can be beaten: {graded.blame}\n\n{graded}")
    return graded


def assert_grade(
    player: Player,
    plays: Any = None,
    game: Any = None,
    *,
    at_most_erring: int | None = None,
    at_most_losing: Mapping[str, float] | None = None,
    **options: Any,
) -> Grade:
    """Fail if a player is worse than the given limits; the failure names the board and the move. Return the grade.

    Args:
        player: as for `menace.grade`, as are the next arguments.
        plays: the side, `X` or `O`.
        game: the game; None for tic-tac-toe.
        at_most_erring: the maximum number of boards on which it errs.
        at_most_losing: the maximum probability of a loss by opponent, such as `{"random": 0.01, "best_response": 0}`.
        options: `variant`, `symmetric` and `policy`.

    Raises:
        AssertionError: if a limit is not met.

    >>> assert_grade("optimal", plays="O", at_most_erring=0).unbeatable
    True
    """
    __tracebackhide__ = True
    from menace.analysis.grades import grade
    from menace.text.wording import OPPONENTS

    graded = grade(player, plays, game, **options)
    limits: list[tuple[str, float, float]] = []
    if at_most_erring is not None:
        limits.append(("boards on which it errs", graded.erring, at_most_erring))
    for opponent, limit in (at_most_losing or {}).items():
        limits.append((f"losses {OPPONENTS[opponent]}", graded.against[opponent].loss, limit))
    over = [f"{what}: {value:.6g}, more than {limit:g}" for what, value, limit in limits if value > limit + ROUNDING]
    if over:
        raise AssertionError("\n".join([*over, f"to blame: {graded.blame}", "", str(graded)]))
    return graded
