"""Functions for the tests of projects that define games or players.

For example:

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
    from menace.learners.player_to_policy import Player

__all__ = ["Checked", "assert_grade", "assert_unbeatable", "check_game", "laws_of"]

ROUNDING = 1e-12  # the amount by which a probability may exceed its limit


def assert_unbeatable(player: Player, plays: Any = None, game: Any = None, **options: Any) -> Grade:
    """Return a player's grade, or fail if an opponent can beat the player, naming the board and the losing move.

    Args:
        player: the player. This and the other arguments are the same as for `menace.grade`.
        plays: the side, `X` or `O`.
        game: the game; None for tic-tac-toe.
        options: `variant`, `symmetric` and `policy`.

    Raises:
        AssertionError: if an opponent can beat the player.

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
    """Return a player's grade, or fail if the player exceeds a limit, naming the board and the move.

    Args:
        player: the player. This argument, the next two and `options` are the same as for `menace.grade`.
        plays: the side, `X` or `O`.
        game: the game; None for tic-tac-toe.
        at_most_erring: the maximum number of boards on which the player may err.
        at_most_losing: for each opponent, the maximum probability of a loss, as in `{"random": 0.01, "best_response":
            0}`.
        options: `variant`, `symmetric` and `policy`.

    Raises:
        AssertionError: if a limit is exceeded.

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
