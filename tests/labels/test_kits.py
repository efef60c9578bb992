"""Tests of kits for building machines for smaller games: their boxes, sides and rules."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from commands import Run, ok, refused
from kernel_games import new_machine, play, raw_numbers
from runs import reached_state as reached, resume, train, use_small_blocks

from menace import Machine
from menace.arena.exact_strength import strength_against_best_response
from menace.errors import InvalidSetting
from menace.games import get_game
from menace.games.base import Side
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.labels.kit import LabelSheet, load_kit
from menace.labels.rules import teach_rules
from menace.learners.registry import PRESETS, check_fits
from menace.ledger.create_and_open import create_database, open_database
from menace.ledger.learners import new_learner
from menace.ledger.log.verification import verify
from menace.ledger.runs import Training, order
from menace.ledger.training import play_to_end

pytestmark = pytest.mark.slow

KITS = ("gardner-1962", "punish-all", "plus-minus", "nim-cups")
HER = PRESETS["gardner-1962"].settings
SEATS = [(name, side) for name in KITS for side in PRESETS[name].plays]


def of_title(title: str) -> Positions:
    return enumerate_positions(get_game(*title.split()))


@pytest.fixture(scope="module")
def hexapawn() -> Positions:
    return of_title("hexapawn 3x3")


def test_her_has_gardners_boxes_with_one_bead_per_arrow(hexapawn: Positions) -> None:
    her = Machine("gardner-1962", "O", hexapawn)
    boxes = np.flatnonzero(her.boxed)
    assert [int((hexapawn.ply[boxes] == ply).sum()) for ply in (1, 3, 5)] == [2, 10, 7]
    assert set(her.learned.amount[her.learned.kept].tolist()) == {1}


def test_nim_kit_has_a_cup_for_each_number_from_two_to_ten_and_slips_for_legal_moves() -> None:
    positions = of_title("nim 10-take3-misere")
    slips: dict[int, set[int]] = {}
    for side in Side:
        for position in np.flatnonzero(Machine("nim-cups", side, positions).boxed).tolist():
            taken = {int(positions.action[move]) + 1 for move in positions.moves_of(position)}
            slips[int(positions.boards[position].split(":")[0])] = taken
    assert slips == {left: {1, 2, 3} for left in range(3, 11)} | {2: {1, 2}}


@pytest.mark.parametrize("title", ["hexapawn 3x3", "hexapawn 4x3", "nim 10-take3-misere", "nim 3-4-5"])
def test_her_keeps_beads_of_winning_moves_and_learns_to_win(title: str) -> None:
    """The box for a won position contains a winning move, whose bead is never the last one drawn in a lost game."""
    positions = of_title(title)
    for side in (0, 1):
        her = new_machine(positions, side, HER)
        numbers = raw_numbers(1, 3000 * positions.longest)
        play(positions, *[her if seat == side else "random" for seat in (0, 1)], numbers, 3000)
        won = her.learned.kept & (positions.minimax[positions.next_position] == (1, -1)[side])
        assert won.any()
        assert set(her.learned.amount[won].tolist()) == {1}
        assert set(her.learned.amount[her.learned.kept].tolist()) == {0, 1}
        if positions.minimax[0] == (1, -1)[side]:
            assert strength_against_best_response(her.policy()).loss == 0


def test_punishing_all_moves_can_remove_beads_of_winning_moves(hexapawn: Positions) -> None:
    lost = 0
    for seed in range(20):
        machine = new_machine(hexapawn, 1, PRESETS["punish-all"].settings)
        play(hexapawn, "random", machine, raw_numbers(seed, 200 * hexapawn.longest), 200)
        won = machine.learned.kept & (hexapawn.minimax[hexapawn.next_position] == -1)
        lost += int((machine.learned.amount[won] == 0).any())
    assert lost > 0


@pytest.mark.parametrize(("name", "side"), SEATS)
def test_kit_learns_its_own_game_and_log_replays_it(
    name: str, side: Side, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = []
    for file in ("whole", "cut"):
        with create_database(tmp_path / f"{file}.db", *PRESETS[name].fits[0].split()) as store:
            new_learner(store, "kit", side, name)
            if file == "whole":
                train(store, "kit", "random", games=60, seed=3, continue_when_ruined=True)
            else:
                use_small_blocks(monkeypatch, 7)
                run = order(store, Training("kit", "random", 60, 3, continue_when_ruined=True))
                for _, _ in zip(range(3), play_to_end(store, run), strict=False):
                    pass
                resume(store)
            assert verify(store).games == 60
            results.append(reached(store)["boxes"])
    assert results[0] == results[1]


@pytest.mark.parametrize("name", KITS)
def test_kit_is_refused_in_other_games_before_any_change(begun: Run, tmp_path: Path, name: str) -> None:
    (title,) = PRESETS[name].fits
    before = (tmp_path / "menace.db").read_bytes()
    game, variant = title.split()
    side = PRESETS[name].plays[0]
    message = (
        f"preset '{name}' supports {title}, not tictactoe 3x3x3; create a database for it with"
        f" `menace init --game {game} --variant {variant}`"
    )
    refused(begun("new", "her", "--plays", side, "--preset", name), message)
    refused(begun("new", "her", "--plays", side, "--preset", name, "--db", "new.db"), message)
    assert (tmp_path / "menace.db").read_bytes() == before
    assert not (tmp_path / "new.db").exists()
    with pytest.raises(InvalidSetting, match=f"preset '{name}' supports {title}, not tictactoe"):
        Machine(name, side)
    assert title in ok(begun("presets"))
    assert title in ok(begun("presets", name))


def test_general_presets_fit_all_games_and_michies_only_tictactoe() -> None:
    for title in ("tictactoe 3x3x3", "hexapawn 3x3", "made 1"):
        check_fits("menace", title)
    with pytest.raises(InvalidSetting, match=r"preset 'michie-1961' supports tictactoe 3x3x3, not .*-misere"):
        check_fits("michie-1961", "tictactoe 3x3x3-misere")


def test_rules_do_not_mention_draws_in_games_without_draws(run: Run, tmp_path: Path) -> None:
    ok(run("init", "--game", "hexapawn", "--variant", "3x3"))
    ok(run("new", "her", "--plays", "O", "--preset", "gardner-1962"))
    sentences = [
        ok(run("train", "her", "--against", "random", "--games", "20", "--seed", "1")),
        ok(run("strength", "her")),
        ok(run("evaluate", "random", "her", "--sampled", "10", "--seed", "1", "--fractions")),
        ok(run("compare", "random", "her")),
    ]
    ok(run("export", "site/", "--learner", "her"))
    page = (tmp_path / "site" / "boxes-her.html").read_text(encoding="utf-8")
    sentences += re.findall(r"For (?:each|the last) bead drawn, the reward is .*", page)
    with open_database(tmp_path / "menace.db") as store:
        sentences.append(" ".join(teach_rules(load_kit(store, "her", LabelSheet()))))
    assert len(sentences) == 6
    for text in sentences:
        assert not re.search(r"\b(draws?|drawn)\b", text.replace("last bead drawn", "")), text
    assert "For the last bead drawn, the reward is +0 after a win and \N{MINUS SIGN}1 after a loss." in sentences[-2]


def test_rules_mention_draws_in_games_with_draws(trained: Run) -> None:
    for command in (("strength", "menace-x"), ("evaluate", "random", "random"), ("compare",)):
        assert "draws" in ok(trained(*command))
