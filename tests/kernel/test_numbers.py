"""Tests of the kernel's random numbers, which the compiled code itself generates for PCG64."""

from types import ModuleType

import numpy as np
import pytest
from kernel_games import Arena, arena, learned_bytes, load_uncompiled_kernel, new_machine, play

from menace.games.enumeration import tictactoe
from menace.kernel import loop as kernel
from menace.learners.algorithms.beads import MenaceSettings

GAMES = 300
SEEDS = (0, 1, 12345, 2**63 - 1)
# At an empty box, the machine draws no number, draws by multiplicity, or draws after restocking.
SETTINGS = [MenaceSettings(beads=(1,), loss=-1, when_empty=rule) for rule in ("resign", "random", "restock")]


def seated(settings: MenaceSettings) -> Arena:
    return arena(tictactoe(), new_machine(tictactoe(), 0, settings), "imperfect:0.3")


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: settings.when_empty)
@pytest.mark.parametrize("kind", [np.random.PCG64, np.random.PCG64DXSM])
@pytest.mark.parametrize("seed", SEEDS)
def test_machines_learn_the_same_from_a_generator_and_from_its_numbers(
    kind: type[np.random.BitGenerator], seed: int, settings: MenaceSettings
) -> None:
    machines = [new_machine(tictactoe(), 0, settings) for _ in range(2)]
    scripted = kind(seed).random_raw(9 * GAMES)
    results = [  # stored as dictionaries, because PlayResult compares identities
        vars(play(tictactoe(), machine, "imperfect:0.3", numbers, GAMES, stops=(1, 7, 100)))
        for machine, numbers in zip(machines, (scripted, kind(seed)), strict=True)
    ]
    assert results[0] == results[1]
    assert learned_bytes(machines[0]) == learned_bytes(machines[1])


@pytest.mark.parametrize("module", [kernel, load_uncompiled_kernel()], ids=["installed", "uncompiled"])
@pytest.mark.parametrize("kind", [np.random.PCG64, np.random.PCG64DXSM])
def test_reseeded_numbers_are_those_of_a_new_generator(kind: type[np.random.BitGenerator], module: ModuleType) -> None:
    numbers = module.RawNumbers(kind(5))
    for seed in (*SEEDS, 2**32 - 1, 2**32, *np.random.default_rng(1).integers(0, 2**63, 100).tolist()):
        numbers.reseed(seed)
        assert numbers.generator.state == kind(seed).state


@pytest.mark.parametrize("kind", [np.random.PCG64, np.random.PCG64DXSM])
@pytest.mark.parametrize("seed", SEEDS)
def test_generator_is_left_after_the_last_number(kind: type[np.random.BitGenerator], seed: int) -> None:
    bench, generator = seated(SETTINGS[0]), kind(seed)
    numbers, used = kernel.RawNumbers(generator), 0
    for games in (1, 2, GAMES):
        used += bench.games(numbers, games)[1]
        expected = kind(seed)
        expected.random_raw(used)
        assert numbers.generator is generator
        assert generator.state == expected.state
