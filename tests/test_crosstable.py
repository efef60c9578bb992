"""Every X against every O at once has the bits of each pair alone, in every game, and takes a fraction of the time."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from test_every_game import SMALL

from menace.arena import crosstable as module
from menace.arena.crosstable import arrivals, crosstable
from menace.arena.evaluation import outcomes
from menace.errors import InvalidGame
from menace.games import get_game
from menace.games.enumeration import enumerate_positions, tictactoe
from menace.games.positions import Positions
from menace.learners.fixed import fixed_policy
from menace.learners.machine import Machine
from menace.learners.menace import MENACE, MenaceSettings
from menace.learners.policy import Policy


def of_random_beads(positions: Positions, side: int, seed: int, most: int, when_empty: str = "restock") -> Policy:
    """A machine with 0 to `most` beads in each pile: where none is left, it resigns or has its first beads back."""
    machine = Machine.fresh(MENACE, MenaceSettings(when_empty=when_empty), positions, side)  # type: ignore[arg-type]
    beads = np.random.default_rng(seed).integers(0, most + 1, positions.move_count)
    machine.learned.amount[:] = np.where(machine.learned.kept, beads, machine.learned.amount)
    return machine.policy()


@pytest.mark.parametrize("which", SMALL, ids=" ".join)
@pytest.mark.parametrize("together", [1, 10**9])
def test_a_table_has_what_its_pairs_have_alone(
    which: tuple[str, str], together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    positions = enumerate_positions(get_game(*which))
    monkeypatch.setattr(module, "TOGETHER", together)
    players = [
        [
            fixed_policy("random", positions, side),
            fixed_policy("optimal", positions, side),
            *(of_random_beads(positions, side, seed, 9) for seed in range(3)),
            of_random_beads(positions, side, 3, 1, "resign"),
        ]
        for side in (0, 1)
    ]
    table = crosstable(*players)
    assert [len(row) for row in table] == [len(players[1])] * len(players[0])
    for x, row in zip(players[0], table, strict=True):
        for o, found in zip(players[1], row, strict=True):
            alone = outcomes(x, o)
            assert found == (pytest.approx(alone, rel=0, abs=1e-12) if x.can_resign or o.can_resign else alone)


@pytest.mark.parametrize("which", SMALL, ids=" ".join)
def test_every_move_arrives_once_and_no_two_of_a_layer_together(which: tuple[str, str]) -> None:
    positions = enumerate_positions(get_game(*which))
    seen: list[int] = []
    children = Counter(child for ply in arrivals(positions) for child in ply.children.tolist())
    for ply in arrivals(positions):
        assert ply.is_only == all(children[child] == 1 for child in ply.children.tolist())
        for layer in ply.layers:
            moves = ply.moves[layer]
            assert positions.next_position[moves].tolist() == ply.children[: len(moves)].tolist()
            assert positions.position_of_move[moves].tolist() == ply.origins[layer].tolist()
            seen += moves.tolist()
        assert len(set(ply.children.tolist())) == len(ply.children)
    assert sorted(seen) == list(range(positions.move_count))


def test_who_is_of_another_game_is_refused() -> None:
    small = enumerate_positions(get_game("tictactoe", "2x2x2"))
    with pytest.raises(InvalidGame, match="take players of one game"):
        crosstable([fixed_policy("random", small, 0)], [fixed_policy("random", tictactoe(), 1)])


def test_a_pair_in_a_table_takes_a_fraction_of_the_time_of_a_pair_alone(positions: Positions) -> None:
    xs, os = ([of_random_beads(positions, side, seed, 9) for seed in range(60)] for side in (0, 1))

    def seconds(work: Callable[[], object]) -> float:
        start = time.process_time()
        work()
        return time.process_time() - start

    crosstable(xs, os[:1])  # what is found out about the game, and how each plays, is kept
    in_table = min(seconds(lambda: crosstable(xs, os)) for _ in range(3)) / (len(xs) * len(os))
    alone = min(seconds(lambda: [outcomes(x, os[0]) for x in xs]) for _ in range(3)) / len(xs)
    assert in_table < alone / 8
