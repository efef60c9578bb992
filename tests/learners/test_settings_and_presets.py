"""Tests of boxes, beads, settings, presets and policies, and of rewards that depend on the length of a game."""

from __future__ import annotations

import ast
import dataclasses
import itertools
import json
import re
import subprocess
import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest
from kernel_games import PLAIN_PRESETS, SeatedMachine, new_machine, play, raw_numbers
from numpy.typing import NDArray
from oracle import TICTACTOE

from menace.analysis.bead_names import BeadNames
from menace.errors import InvalidPlayer, InvalidSetting, UnknownPreset
from menace.games import get_game
from menace.games.base import Side
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.labels.kit import Kit, winning_lengths
from menace.labels.rules import teach_rules
from menace.learners.algorithms.beads import (
    FAVOURITE,
    MENACE,
    FavouriteSettings,
    MenaceSettings,
    bead_changes,
    length_changes,
)
from menace.learners.registry import DEFAULT_PRESET, LEARNERS, PRESETS, get_preset, preset_settings
from menace.learners.settings import explain, from_assignments, from_json, show, to_json
from menace.text.bead_colours import Naming


def test_settings_are_explained_without_docstrings() -> None:
    program = (
        "from menace.learners.registry import LEARNERS; from menace.learners.settings import explain;"
        "print({name: explain(algorithm.settings) for name, algorithm in LEARNERS.items()})"
    )
    command = [sys.executable, "-OO", "-c", program]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert ast.literal_eval(printed) == {name: explain(algorithm.settings) for name, algorithm in LEARNERS.items()}
    for name, algorithm in LEARNERS.items():
        assert all(explain(algorithm.settings).values()), name


def boxed_positions(positions: Positions, side: int, **settings: object) -> set[int]:
    """Return the positions for which an untrained machine has a box."""
    learned = MenaceSettings(**settings).fresh(positions, side)  # type: ignore[arg-type]
    return set(positions.position_of_move[learned.kept].tolist())


@pytest.mark.parametrize(
    ("side", "which", "by_move"),
    [
        (0, "choices", [1, 12, 108, 183]),
        (0, "all", [1, 12, 108, 183, 34]),
        (0, "michie", [1, 12, 108, 166]),
        (1, "choices", [3, 38, 153, 95]),
        (1, "all", [3, 38, 153, 95]),
    ],
)
def test_box_counts_match_published_counts(positions: Positions, side: int, which: str, by_move: list[int]) -> None:
    counts = Counter(int(positions.ply[position]) // 2 for position in boxed_positions(positions, side, boxes=which))
    assert [counts[move] for move in range(len(by_move))] == by_move
    assert sum(counts.values()) == {(0, "choices"): 304, (0, "all"): 338, (0, "michie"): 287}.get((side, which), 289)


@pytest.mark.parametrize("side", [0, 1])
def test_boxes_contain_all_boards_with_choice(positions: Positions, boards: list[str], side: int) -> None:
    choices = {
        position
        for position, board in enumerate(boards)
        if len(TICTACTOE.empties(board)) > 1 and TICTACTOE.to_move(board) == "XO"[side]
    }
    assert boxed_positions(positions, side) == choices


def test_michie_omits_boxes_that_are_certainly_lost(positions: Positions, boards: list[str]) -> None:
    lost = {
        position
        for position in boxed_positions(positions, 0)
        if boards[position].count("X") == 3
        and len(TICTACTOE.winning_cells(boards[position], "O")) >= 2
        and not TICTACTOE.winning_cells(boards[position], "X")
    }
    assert len(lost) == 17
    assert boxed_positions(positions, 0) - boxed_positions(positions, 0, boxes="michie") == lost


def test_michie_boxes_require_x_in_tictactoe(positions: Positions) -> None:
    with pytest.raises(InvalidSetting, match="boxes=michie requires a machine that plays X in tic-tac-toe"):
        boxed_positions(positions, 1, boxes="michie")
    for variant in ("2x4x3", "3x3x2", "1x9x3", "3x3x3-misere"):  # the last game has as many positions as tic-tac-toe
        wrong_game_error = enumerate_positions(get_game("tictactoe", variant))
        with pytest.raises(InvalidSetting, match="boxes=michie"):
            boxed_positions(wrong_game_error, 0, boxes="michie")


def test_fresh_machine_has_1720_beads_in_1087_piles(positions: Positions) -> None:
    learned = new_machine(positions, 0).learned
    assert int(learned.kept.sum()) == 1087
    assert int(learned.amount[learned.kept].sum()) == 1720
    assert learned.games == int(learned.count.sum()) == 0


@pytest.mark.parametrize("beads", [(4, 3, 2, 1), (8, 4), (10,), (1, 2, 3, 4, 5, 6)])
@pytest.mark.parametrize("side", [0, 1])
def test_unmerged_piles_are_multiplied_by_number_of_cells(
    positions: Positions, side: int, beads: tuple[int, ...]
) -> None:
    merged = new_machine(positions, side, MenaceSettings(beads=beads)).learned
    unmerged = new_machine(positions, side, MenaceSettings(beads=beads, merged=False)).learned
    kept = merged.kept
    stages = positions.ply[positions.position_of_move[kept]] // 2
    assert merged.amount[kept].tolist() == [beads[min(stage, len(beads) - 1)] for stage in stages]
    assert unmerged.amount[kept].tolist() == (merged.amount * positions.multiplicity)[kept].tolist()
    assert merged.amount[~kept].tolist() == positions.multiplicity[~kept].tolist()


NOT_A_SHARE = (float("nan"), float("inf"), "0.5", None, True, (0.5,))
NOT_AN_INTEGER, NOT_A_CHOICE = (1.0, "1", None, True, np.int64(1), (1,)), ("", "All", None, 0, True)
INVALID_SETTINGS = {
    "boxes": (*NOT_A_CHOICE, "some"),
    "beads": ((), (0,), (4, 3, 0), (10_001,), (-1,), (1.5,), ("4",), [4, 3], 4, None, (True,)),
    "merged": (1, 0, "yes", None),
    "win": (-1, 10_001, float("nan"), *NOT_AN_INTEGER),
    "draw": (-10_001, 10_001, 2**70, -(2**70), *NOT_AN_INTEGER),
    "loss": (10_001, -10_001, *NOT_AN_INTEGER),
    "floor": (-1, 10_001, *NOT_AN_INTEGER),
    "when_empty": (*NOT_A_CHOICE, "give up"),
    "credit": (*NOT_A_CHOICE, "first"),
}
INVALID_FAVOURITE_SETTINGS = {
    **{name: values for name, values in INVALID_SETTINGS.items() if name not in {"when_empty", "credit"}},
    "rewards": (*NOT_A_CHOICE, "results"),
    "epsilon": (-0.001, 1.001, 2, *NOT_A_SHARE),
    "epsilon_decay": (-0.001, 1.001, 2, *NOT_A_SHARE),
    "epsilon_least": (-0.001, 1.001, 2, *NOT_A_SHARE),
}


INVALID: dict[type[Any], dict[str, tuple[object, ...]]] = {
    MenaceSettings: INVALID_SETTINGS,
    FavouriteSettings: INVALID_FAVOURITE_SETTINGS,
}
EVERY_SETTINGS_CLASS = pytest.mark.parametrize("settings", INVALID)


@EVERY_SETTINGS_CLASS
def test_invalid_value_of_setting_is_refused_by_name(settings: type[Any]) -> None:
    for name, values in INVALID[settings].items():
        for value in values:
            with pytest.raises(InvalidSetting, match=f"^setting {name}="):
                pytest.fail(f"taken: {settings(**{name: value})}")


@EVERY_SETTINGS_CLASS
def test_every_setting_has_invalid_values_to_test(settings: type[Any]) -> None:
    assert list(INVALID[settings]) == [field.name for field in dataclasses.fields(settings)]


@EVERY_SETTINGS_CLASS
def test_limits_of_ranges_are_accepted(settings: type[Any]) -> None:
    settings(beads=(1, 10_000), win=10_000, draw=10_000, loss=-10_000)
    settings(win=0, draw=-10_000, loss=-10_000)
    settings(beads=(10_000,), win=0, draw=0, loss=0, floor=10_000)


@EVERY_SETTINGS_CLASS
def test_contradictory_settings_are_refused(settings: type[Any]) -> None:
    for values in ({"draw": 4}, {"draw": -2}, {"win": 0, "draw": 1}):
        with pytest.raises(InvalidSetting, match=r"setting draw=.* is not between"):
            settings(**values)
    with pytest.raises(InvalidSetting, match="setting floor=2 is above the initial beads 1"):
        settings(floor=2)


def test_epsilon_below_its_lower_bound_is_refused() -> None:
    FavouriteSettings(epsilon=0.2, epsilon_least=0.2)
    with pytest.raises(InvalidSetting, match=r"setting epsilon_least=0.2 is above epsilon=0.1"):
        FavouriteSettings(epsilon=0.1, epsilon_least=0.2)


def test_menace_has_exactly_nine_settings() -> None:
    named = "boxes, beads, merged, win, draw, loss, floor, when_empty, credit"
    assert ", ".join(field.name for field in dataclasses.fields(MenaceSettings)) == named
    for name, text in (("pick", "favourite"), ("rewards", "length"), ("epsilon", "0.1")):
        with pytest.raises(InvalidSetting, match=f"^there is no setting '{name}'; .*choose one of {named}$"):
            preset_settings("menace", "X", {name: text})
    assert preset_settings("article-code", "X", {"rewards": "outcome"})[0].name == "favourite"


def test_settings_are_parsed_from_text() -> None:
    texts = {"boxes": "all", "beads": "8,4,2,1", "merged": "No", "win": "2", "draw": "-1", "when_empty": "resign"}
    wanted = MenaceSettings("all", (8, 4, 2, 1), False, 2, -1, -1, 0, "resign")
    assert from_assignments(MenaceSettings, texts) == wanted
    written = {field.name: show(getattr(wanted, field.name)) for field in dataclasses.fields(wanted)}
    assert from_assignments(MenaceSettings, written) == wanted
    assert from_assignments(MenaceSettings, {"win": "5"}, wanted) == dataclasses.replace(wanted, win=5)


INVALID_TEXTS = [("win", "three"), ("win", "1.5"), ("win", ""), ("win", "-1"), ("win", "9" * 400), ("beads", "4,,2")]


@pytest.mark.parametrize(("name", "text"), [*INVALID_TEXTS, ("beads", ""), ("merged", "perhaps"), ("boxes", "ALL")])
def test_invalid_text_of_setting_is_refused_by_name(name: str, text: str) -> None:
    with pytest.raises(InvalidSetting, match=f"^setting {name}="):
        from_assignments(MenaceSettings, {name: text})


def test_unknown_setting_is_refused_with_known_names() -> None:
    refusal = "there is no setting 'alpha'; choose one of boxes, beads, merged, win"
    with pytest.raises(InvalidSetting, match=refusal):
        from_assignments(MenaceSettings, {"alpha": "1"})
    with pytest.raises(InvalidSetting, match=refusal):
        from_json(MenaceSettings, '{"alpha": 1}')


@pytest.mark.parametrize("name", PRESETS)
def test_settings_survive_json(name: str) -> None:
    settings = PRESETS[name].settings
    assert from_json(type(settings), to_json(settings)) == settings
    values = json.loads(to_json(settings))
    for missing in values:
        with pytest.raises(InvalidSetting, match=f"the setting '{missing}' is missing"):
            from_json(type(settings), json.dumps({name: values[name] for name in values if name != missing}))


# These numbers come from the sources and are listed in the order of the settings. docs/facts.md cites the passages in
# the sources.
STATED = {
    "menace": ("choices", (4, 3, 2, 1), True, 3, 1, -1, 0, "restock", "all"),
    "never-punish": ("choices", (4, 3, 2, 1), True, 2, 1, 0, 0, "restock", "all"),
    # our own numbers, which do not come from a source
    "rebuilt": ("choices", (1,), True, 8, 5, -8, 0, "restock", "all"),
    "michie-1961": ("michie", (4, 3, 2, 1), True, 3, 1, -1, 0, "resign", "all"),
    "scroggs": ("choices", (8, 4, 2, 1), True, 3, 1, -1, 0, "resign", "all"),
    "manchester-saturday": ("choices", (8, 3, 2, 1), True, 3, 1, -1, 0, "resign", "all"),
    "manchester-sunday": ("choices", (4, 3, 2, 1), False, 3, 1, -1, 0, "resign", "all"),
    "gardner-1962": ("all", (1,), True, 0, 0, -1, 0, "resign", "last"),
    "punish-all": ("all", (1,), True, 0, 0, -1, 0, "resign", "all"),
    "plus-minus": ("all", (1,), True, 1, 0, -1, 0, "resign", "last"),
    "nim-cups": ("choices", (1,), True, 0, 0, -1, 0, "resign", "last"),
    "wos-box": ("michie", (4, 3, 2, 1), False, 3, 1, -1, 0, "restock", "all"),
    "wos-move": ("michie", (4, 3, 2, 1), False, 3, 1, -1, 0, "restock-colour", "all"),
    "article": ("choices", (10,), True, 1, 0, -1, 0, "restock", "all"),
    "johnson-2013": ("choices", (10,), True, 2, 1, -1, 1, "outcome", 0.0, 1.0, 0.0),
    # If rewards depend on the length of the game, `win`, `draw` and `loss` have no effect.
    "article-code": ("choices", (2,), True, 3, 1, -1, 1, "length", 0.0, 1.0, 0.0),
}


def test_presets_match_numbers_in_sources() -> None:
    kept = {name: preset for name, preset in PRESETS.items() if LEARNERS[preset.algorithm].stored_as == "matchbox"}
    assert {name: dataclasses.astuple(preset.settings) for name, preset in kept.items()} == STATED
    plays = {name: preset.plays for name, preset in PRESETS.items()}
    assert {name for name in STATED if plays[name] == ("X",)} == {
        "rebuilt",
        "michie-1961",
        "manchester-saturday",
        "manchester-sunday",
        "wos-box",
        "wos-move",
    }
    assert {name for name in STATED if plays[name] == ("O",)} == {"gardner-1962", "punish-all", "plus-minus"}
    assert DEFAULT_PRESET in PRESETS


def test_plain_presets_share_their_settings(positions: Positions) -> None:
    # all their settings equal those of `td`
    values = {name: dataclasses.asdict(PRESETS[name].settings) for name in PLAIN_PRESETS}
    assert len(values) >= 8
    shared = set.intersection(*map(set, values.values()))
    assert shared >= {"alpha", "epsilon", "epsilon_decay", "ties", "win", "draw", "loss", "initial_value"}
    assert (values["td"]["alpha"], values["td"]["epsilon"], values["td"]["initial_value"]) == (0.1, 0.1, 0)
    assert values["sarsa"] == values["q-learning"]
    assert {settings.get("gamma", 1) for settings in values.values()} == {1}  # TD(0) has no discount here
    assert values["td"]["drawn_by_other"] == values["td"]["draw"]
    for preset, side in itertools.product(map(PRESETS.get, PLAIN_PRESETS), (0, 1)):
        assert preset is not None
        assert preset.plays == ("X", "O")
        learned = preset.settings.fresh(positions, side)
        assert not learned.amount[learned.kept].any()
        assert all(text in preset.source for text in ("Our own", "alpha 0.1", "epsilon 0.1", "no discount"))


# A source is either an address with a path, such as a DOI, or an author, a title, a year, and pages or a chapter.
COMPLETE_SOURCE = (
    r"\b[\w-]+(\.[\w-]+)*\.[a-z]{2,3}/\S{4,}|"
    r"\b[A-Z]\. [A-Z]\w+, [A-Z][\w-]*( [\w-]+)*[,:] .*\b(19|20)\d\d\b.*\b(pages|chapter) \d+"
)


@pytest.mark.parametrize(
    "source", ["A blog article on matchboxes, 2018.", "Course notes: X against O.", "D. Michie, Trial and Error, 1961."]
)
def test_vague_source_does_not_match_pattern(source: str) -> None:
    assert not re.search(COMPLETE_SOURCE, source)


@pytest.mark.parametrize("name", PRESETS)
def test_preset_has_source_summary_and_sides(positions: Positions, name: str) -> None:
    preset = get_preset(name)
    assert re.search(COMPLETE_SOURCE, preset.source), "no address, no DOI, no page of a book"
    assert preset.summary
    assert set(preset.plays) <= {"X", "O"}
    assert preset.plays
    assert isinstance(preset.settings, LEARNERS[preset.algorithm].settings)
    for side in Side:
        if side in preset.plays:
            assert preset_settings(name, side, {}) == (LEARNERS[preset.algorithm], preset.settings)
            if preset.is_for(positions.title):
                preset.settings.fresh(positions, side.number)
        else:
            with pytest.raises(InvalidPlayer, match=f"preset '{name}' plays {preset.plays[0]}, not {side}"):
                preset_settings(name, side, {})


def test_unknown_preset_is_refused() -> None:
    with pytest.raises(UnknownPreset, match="there is no preset 'nobody'; choose one of menace,"):
        get_preset("nobody")
    assert preset_settings("scroggs", "O", {"win": "4"})[1] == dataclasses.replace(PRESETS["scroggs"].settings, win=4)


@pytest.mark.parametrize("text", ["[]x", "{", "3", "null", '"win"', '["win"]'])
def test_settings_must_be_json_object(text: str) -> None:
    with pytest.raises(InvalidSetting, match="not a JSON object"):
        from_json(MenaceSettings, text)


@pytest.mark.parametrize("value", [-1, None, [3]])
def test_invalid_value_in_json_is_refused(value: object) -> None:
    with pytest.raises(InvalidSetting, match="setting win="):
        from_json(MenaceSettings, json.dumps({**json.loads(to_json(MenaceSettings())), "win": value}))


BY_LENGTH = FavouriteSettings(beads=(100,), floor=0, rewards="length", epsilon=0.5)
# the value of each variant is the number of moves in the shortest game that X can win
VARIANTS = {"3x3x3": 5, "3x4x3": 5, "3x3x2": 3}


@pytest.fixture(scope="module")
def positions_by_variant() -> dict[str, Positions]:
    """Return the positions of each variant."""
    games = {variant: get_game("tictactoe", variant) for variant in VARIANTS}
    return {name: (enumerate_positions(game, "full")) for name, game in games.items()}


def test_length_rewards_match_original_program() -> None:
    # The original function `learn` counts boards, including the first one, and rounds quotients towards 0.
    changes = length_changes(9)
    assert changes.shape == (10, 9)
    for moves in range(10):
        boards = moves + 1
        for pick in range(9):
            theirs = int((10 - boards) / 2) + int((9 - (boards - pick - 2)) / 2) if pick < moves else 0
            assert changes[moves, pick] == theirs


@pytest.mark.parametrize("longest", range(1, 26))
def test_length_rewards_increase_towards_end_and_with_shorter_games(longest: int) -> None:
    changes = length_changes(longest)
    assert (changes >= 0).all()
    for moves in range(1, longest + 1):
        played = changes[moves, :moves]
        assert (np.diff(played) >= 0).all()  # later moves gain at least as many beads
        assert played[-1] == (longest - moves) // 2 + longest // 2
        # in a shorter game, moves at the same distance from the end also gain at least as many beads
        if moves < longest:
            assert (played >= changes[moves + 1, 1 : moves + 1]).all()


@pytest.mark.parametrize("rewards", ["outcome", "length"])
def test_bead_changes_depend_on_result_or_length(rewards: str) -> None:
    settings = FavouriteSettings(win=7, draw=2, loss=-5, rewards=rewards)  # type: ignore[arg-type]
    won, drawn, lost = bead_changes(settings, 12)
    if rewards == "outcome":
        assert [set(changes.ravel().tolist()) for changes in (won, drawn, lost)] == [{7}, {2}, {-5}]
    else:
        assert (won == length_changes(12)).all()
        assert not drawn.any()
        assert (lost == -won).all()


def play_game_by_game(
    positions: Positions, games: int
) -> list[tuple[int, int, int, SeatedMachine, NDArray[np.float64]]]:
    """Play games, and return (outcome, number of moves, side, machine, change in its piles) for each game and side."""
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
def test_winner_gains_and_loser_loses_beads_by_length(positions_by_variant: dict[str, Positions], variant: str) -> None:
    positions, lengths = positions_by_variant[variant], set()
    for outcome, moves, side, machine, change in play_game_by_game(positions, 60):
        sign = outcome if side == 0 else -outcome
        wanted = length_changes(positions.longest)[moves]
        drawn = np.flatnonzero(change)
        assert (sign * change >= 0).all()
        assert np.isin(drawn, np.flatnonzero(machine.learned.kept)).all()
        for move in drawn.tolist():
            assert change[move] == sign * wanted[positions.ply[positions.position_of_move[move]]]
        if outcome:
            lengths.add((moves, side))
            assert drawn.size  # the last move of each side always changes that side's beads
    assert len(lengths) > 2


def kit(positions: Positions, plays: Side, settings: MenaceSettings | FavouriteSettings) -> Kit:
    names = BeadNames(positions, Naming())
    algorithm = MENACE if isinstance(settings, MenaceSettings) else FAVOURITE
    lengths = winning_lengths(positions)
    return Kit("a", plays, 0, algorithm, settings, (), (), names, positions.longest, lengths, positions.has_draws)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("plays", Side)
def test_printed_rules_match_length_rewards(
    positions_by_variant: dict[str, Positions], variant: str, plays: Side
) -> None:
    positions, side = positions_by_variant[variant], plays.number
    won, shortest = length_changes(positions.longest), VARIANTS[variant]
    wins = [
        n for n in range(positions.longest + 1) if ((positions.outcome == 1 - 2 * side) & (positions.ply == n)).any()
    ]
    of_wins = [won[moves, side:moves:2] for moves in wins]
    printed = kit(positions, plays, BY_LENGTH)
    (text,) = [rule for rule in teach_rules(printed) if rule.startswith("The machine has won")]
    assert "-" not in text
    for moves, changes in zip(wins, of_wins, strict=True):
        assert f"after {moves} moves {', '.join(f'+{beads}' for beads in changes.tolist())}" in text
    assert min(wins, default=shortest) >= shortest
