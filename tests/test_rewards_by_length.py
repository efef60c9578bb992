"""`rewards=length`: beads by the length of the game, as their author has them in tic-tac-toe, never reversed."""

from __future__ import annotations

import numpy as np
import pytest
from bench import Seated, new_machine, play, raw_numbers
from numpy.typing import NDArray

from menace.analysis.bead_names import BeadNames
from menace.games import get_game
from menace.games.base import Side
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.labels.kit import Kit, won_after
from menace.labels.rules import teach_rules
from menace.learners.algorithms.beads import (
    FAVOURITE,
    MENACE,
    FavouriteSettings,
    MenaceSettings,
    bead_changes,
    length_changes,
)
from menace.text.naming_schemes import Naming

BY_LENGTH = FavouriteSettings(beads=(100,), floor=0, rewards="length", epsilon=0.5)
VARIANTS = {"3x3x3": 5, "3x4x3": 5, "3x3x2": 3}  # and the shortest game that X wins


@pytest.fixture(scope="module")
def positions_by_variant() -> dict[str, Positions]:
    """By variant."""
    games = {variant: get_game("tictactoe", variant) for variant in VARIANTS}
    return {name: (enumerate_positions(game, "full")) for name, game in games.items()}


def test_tic_tac_toe_has_the_authors_numbers() -> None:
    # `learn` of his program counts boards: the first, and one after each move; it rounds quotients towards 0.
    changes = length_changes(9)
    assert changes.shape == (10, 9)
    for moves in range(10):
        boards = moves + 1
        for pick in range(9):
            theirs = int((10 - boards) / 2) + int((9 - (boards - pick - 2)) / 2) if pick < moves else 0
            assert changes[moves, pick] == theirs


@pytest.mark.parametrize("longest", range(1, 26))
def test_a_won_game_never_takes_beads_and_a_shorter_one_gives_no_fewer(longest: int) -> None:
    changes = length_changes(longest)
    assert (changes >= 0).all()
    for moves in range(1, longest + 1):
        played = changes[moves, :moves]
        assert (np.diff(played) >= 0).all()  # later picks gain no less
        assert played[-1] == (longest - moves) // 2 + longest // 2
        if moves < longest:  # so do picks as far from the end of a shorter game
            assert (played >= changes[moves + 1, 1 : moves + 1]).all()


@pytest.mark.parametrize("rewards", ["outcome", "length"])
def test_the_table_holds_what_each_result_changes(rewards: str) -> None:
    settings = FavouriteSettings(win=7, draw=2, loss=-5, rewards=rewards)  # type: ignore[arg-type]
    won, drawn, lost = bead_changes(settings, 12)
    if rewards == "outcome":
        assert [set(changes.ravel().tolist()) for changes in (won, drawn, lost)] == [{7}, {2}, {-5}]
    else:
        assert (won == length_changes(12)).all()
        assert not drawn.any()
        assert (lost == -won).all()


def game_by_game(positions: Positions, games: int) -> list[tuple[int, int, int, Seated, NDArray[np.float64]]]:
    """Play games; return (games' outcome, moves, side, machine, change of its piles) of each and of each side."""
    seats = [new_machine(positions, side, BY_LENGTH, FAVOURITE) for side in (0, 1)]
    numbers, used, result = raw_numbers(5, games * positions.longest), 0, []
    for _ in range(games):
        before = [machine.learned.amount.copy() for machine in seats]
        played = play(positions, *seats, numbers[used : used + positions.longest], 1)
        used += played.numbers
        outcome = 1 - played.outcomes.index(1)
        for side, machine in enumerate(seats):
            change = machine.learned.amount - before[side]
            result.append((outcome, played.numbers, side, machine, change))
    return result


@pytest.mark.parametrize("variant", VARIANTS)
def test_in_no_game_does_a_winner_lose_beads_or_a_loser_gain_any(
    positions_by_variant: dict[str, Positions], variant: str
) -> None:
    positions, lengths = positions_by_variant[variant], set()
    for outcome, moves, side, machine, change in game_by_game(positions, 60):
        sign = outcome if side == 0 else -outcome
        wanted = length_changes(positions.longest)[moves]
        drawn = np.flatnonzero(change)
        assert (sign * change >= 0).all()
        assert np.isin(drawn, np.flatnonzero(machine.learned.kept)).all()
        for move in drawn.tolist():
            assert change[move] == sign * wanted[positions.ply[positions.position_of_move[move]]]
        if outcome:
            lengths.add((moves, side))
            assert drawn.size  # the last pick of either always teaches
    assert len(lengths) > 2


def kit(positions: Positions, plays: Side, settings: MenaceSettings | FavouriteSettings) -> Kit:
    names = BeadNames(positions, Naming())
    algorithm = MENACE if isinstance(settings, MenaceSettings) else FAVOURITE
    lengths = won_after(positions)
    return Kit("a", plays, 0, algorithm, settings, (), (), names, positions.longest, lengths, positions.has_draws)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("plays", Side)
def test_what_is_printed_is_what_is_learned(
    positions_by_variant: dict[str, Positions], variant: str, plays: Side
) -> None:
    positions, side = positions_by_variant[variant], plays.number
    won, shortest = length_changes(positions.longest), VARIANTS[variant]
    wins = [
        n for n in range(positions.longest + 1) if ((positions.outcome == 1 - 2 * side) & (positions.ply == n)).any()
    ]
    of_wins = [won[moves, side:moves:2] for moves in wins]
    printed = kit(positions, plays, BY_LENGTH)
    assert printed.rules.gained == max((int(changes.max()) for changes in of_wins), default=0)
    (text,) = [rule for rule in teach_rules(printed) if rule.startswith("The machine has won")]
    assert "-" not in text
    for moves, changes in zip(wins, of_wins, strict=True):
        assert f"after {moves} moves {', '.join(f'+{beads}' for beads in changes.tolist())}" in text
    assert min(wins, default=shortest) >= shortest
    for settings in (MenaceSettings(win=7), FavouriteSettings(win=7)):
        assert kit(positions, plays, settings).rules.gained == 7
