"""Laws of boxes, beads, settings, presets and policies; rewards that depend on the length of the game."""

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
from bench import BEAD_SEATS, PLAIN_PRESETS, SeatedMachine, new_machine, play, raw_numbers, train_machine
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


def test_each_setting_says_what_it_means_also_without_docstrings() -> None:
    program = (
        "from menace.learners.registry import LEARNERS; from menace.learners.settings import explain;"
        "print({name: explain(algorithm.settings) for name, algorithm in LEARNERS.items()})"
    )
    command = [sys.executable, "-OO", "-c", program]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert ast.literal_eval(printed) == {name: explain(algorithm.settings) for name, algorithm in LEARNERS.items()}
    for name, algorithm in LEARNERS.items():
        assert all(explain(algorithm.settings).values()), name


def boxes(positions: Positions, side: int, **settings: object) -> set[int]:
    """The positions of a fresh machine's boxes."""
    learned = MenaceSettings(**settings).fresh(positions, side)  # type: ignore[arg-type]
    return set(positions.position_of_move[learned.kept].tolist())


# Boxes and beads.


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
def test_the_boxes_are_as_many_as_published(positions: Positions, side: int, which: str, by_move: list[int]) -> None:
    counts = Counter(int(positions.ply[position]) // 2 for position in boxes(positions, side, boxes=which))
    assert [counts[move] for move in range(len(by_move))] == by_move
    assert sum(counts.values()) == {(0, "choices"): 304, (0, "all"): 338, (0, "michie"): 287}.get((side, which), 289)


@pytest.mark.parametrize("side", [0, 1])
def test_a_box_stands_for_a_board_with_a_choice(positions: Positions, boards: list[str], side: int) -> None:
    choices = {
        position
        for position, board in enumerate(boards)
        if len(TICTACTOE.empties(board)) > 1 and TICTACTOE.to_move(board) == "XO"[side]
    }
    assert boxes(positions, side) == choices


def wins_at_once(board: str, side: str) -> int:
    """Count the empty cells on which `side` would complete a line."""
    filled = (board[:cell] + side + board[cell + 1 :] for cell in TICTACTOE.empties(board))
    return sum(TICTACTOE.has_line(after, side) for after in filled)


def test_michie_left_out_the_boxes_in_which_o_has_two_cells_to_win_on_and_x_none(
    positions: Positions, boards: list[str]
) -> None:
    lost = {
        position
        for position in boxes(positions, 0)
        if boards[position].count("X") == 3
        and wins_at_once(boards[position], "O") >= 2
        and not wins_at_once(boards[position], "X")
    }
    assert len(lost) == 17
    assert boxes(positions, 0) - boxes(positions, 0, boxes="michie") == lost


def test_michies_boxes_are_for_x_at_tic_tac_toe_alone(positions: Positions) -> None:
    with pytest.raises(InvalidSetting, match="boxes=michie is only for a machine that plays X in tic-tac-toe"):
        boxes(positions, 1, boxes="michie")
    for variant in ("2x4x3", "3x3x2", "1x9x3"):
        wrong_game_error = enumerate_positions(get_game("tictactoe", variant))
        with pytest.raises(InvalidSetting, match="boxes=michie"):
            boxes(wrong_game_error, 0, boxes="michie")


def test_a_fresh_machine_has_1720_beads_of_1087_colours(positions: Positions) -> None:
    learned = new_machine(positions, 0).learned
    assert int(learned.kept.sum()) == 1087
    assert int(learned.amount[learned.kept].sum()) == 1720
    assert learned.games == int(learned.count.sum()) == 0


@pytest.mark.parametrize("beads", [(4, 3, 2, 1), (8, 4), (10,), (1, 2, 3, 4, 5, 6)])
@pytest.mark.parametrize("side", [0, 1])
def test_unmerged_piles_hold_a_pile_for_each_cell(positions: Positions, side: int, beads: tuple[int, ...]) -> None:
    merged = new_machine(positions, side, MenaceSettings(beads=beads)).learned
    unmerged = new_machine(positions, side, MenaceSettings(beads=beads, merged=False)).learned
    kept = merged.kept
    stages = positions.ply[positions.position_of_move[kept]] // 2
    assert merged.amount[kept].tolist() == [beads[min(stage, len(beads) - 1)] for stage in stages]
    assert unmerged.amount[kept].tolist() == (merged.amount * positions.multiplicity)[kept].tolist()
    assert merged.amount[~kept].tolist() == positions.multiplicity[~kept].tolist()


# Settings.

NO_SHARE = (float("nan"), float("inf"), "0.5", None, True, (0.5,))
NO_NUMBER, NO_TEXT = (1.0, "1", None, True, np.int64(1), (1,)), ("", "All", None, 0, True)
BAD_SETTINGS = {
    "boxes": (*NO_TEXT, "some"),
    "beads": ((), (0,), (4, 3, 0), (10_001,), (-1,), (1.5,), ("4",), [4, 3], 4, None, (True,)),
    "merged": (1, 0, "yes", None),
    "win": (-1, 10_001, float("nan"), *NO_NUMBER),
    "draw": (-10_001, 10_001, 2**70, -(2**70), *NO_NUMBER),
    "loss": (10_001, -10_001, *NO_NUMBER),
    "floor": (-1, 10_001, *NO_NUMBER),
    "when_empty": (*NO_TEXT, "give up"),
    "credit": (*NO_TEXT, "first"),
}
BAD_FAVOURITES = {
    **{name: values for name, values in BAD_SETTINGS.items() if name not in {"when_empty", "credit"}},
    "rewards": (*NO_TEXT, "results"),
    "epsilon": (-0.001, 1.001, 2, *NO_SHARE),
    "epsilon_decay": (-0.001, 1.001, 2, *NO_SHARE),
    "epsilon_least": (-0.001, 1.001, 2, *NO_SHARE),
}


BAD: dict[type[Any], dict[str, tuple[object, ...]]] = {MenaceSettings: BAD_SETTINGS, FavouriteSettings: BAD_FAVOURITES}
WITH_BOXES = pytest.mark.parametrize("settings", BAD)


@WITH_BOXES
def test_a_setting_out_of_its_range_is_refused_by_name(settings: type[Any]) -> None:
    for name, values in BAD[settings].items():
        for value in values:
            with pytest.raises(InvalidSetting, match=f"^setting {name}="):
                pytest.fail(f"taken: {settings(**{name: value})}")


@WITH_BOXES
def test_every_setting_has_its_bad_values_here(settings: type[Any]) -> None:
    assert list(BAD[settings]) == [field.name for field in dataclasses.fields(settings)]


@WITH_BOXES
def test_the_ends_of_the_ranges_are_allowed(settings: type[Any]) -> None:
    settings(beads=(1, 10_000), win=10_000, draw=10_000, loss=-10_000)
    settings(win=0, draw=-10_000, loss=-10_000)
    settings(beads=(10_000,), win=0, draw=0, loss=0, floor=10_000)


@WITH_BOXES
def test_settings_that_contradict_each_other_are_refused(settings: type[Any]) -> None:
    for values in ({"draw": 4}, {"draw": -2}, {"win": 0, "draw": 1}):
        with pytest.raises(InvalidSetting, match=r"setting draw=.* is not between"):
            settings(**values)
    with pytest.raises(InvalidSetting, match="setting floor=2 is above the initial beads 1"):
        settings(floor=2)


def test_a_favourite_explores_no_less_at_first_than_at_least() -> None:
    FavouriteSettings(epsilon=0.2, epsilon_least=0.2)
    with pytest.raises(InvalidSetting, match=r"setting epsilon_least=0.2 is above epsilon=0.1"):
        FavouriteSettings(epsilon=0.1, epsilon_least=0.2)


def test_menace_has_the_nine_settings_of_a_matchbox_machine() -> None:
    named = "boxes, beads, merged, win, draw, loss, floor, when_empty, credit"
    assert ", ".join(field.name for field in dataclasses.fields(MenaceSettings)) == named
    for name, text in (("pick", "favourite"), ("rewards", "length"), ("epsilon", "0.1")):
        with pytest.raises(InvalidSetting, match=f"^there is no setting '{name}'; .*choose one of {named}$"):
            preset_settings("menace", "X", {name: text})
    assert preset_settings("article-code", "X", {"rewards": "outcome"})[0].name == "favourite"


def test_settings_are_read_from_texts() -> None:
    texts = {"boxes": "all", "beads": "8,4,2,1", "merged": "No", "win": "2", "draw": "-1", "when_empty": "resign"}
    wanted = MenaceSettings("all", (8, 4, 2, 1), False, 2, -1, -1, 0, "resign")
    assert from_assignments(MenaceSettings, texts) == wanted
    written = {field.name: show(getattr(wanted, field.name)) for field in dataclasses.fields(wanted)}
    assert from_assignments(MenaceSettings, written) == wanted
    assert from_assignments(MenaceSettings, {"win": "5"}, wanted) == dataclasses.replace(wanted, win=5)


BAD_TEXTS = [("win", "three"), ("win", "1.5"), ("win", ""), ("win", "-1"), ("win", "9" * 400), ("beads", "4,,2")]


@pytest.mark.parametrize(("name", "text"), [*BAD_TEXTS, ("beads", ""), ("merged", "perhaps"), ("boxes", "ALL")])
def test_a_text_that_is_no_value_of_its_setting_is_refused_by_name(name: str, text: str) -> None:
    with pytest.raises(InvalidSetting, match=f"^setting {name}="):
        from_assignments(MenaceSettings, {name: text})


def test_an_unknown_setting_is_refused_and_the_known_ones_named() -> None:
    refusal = "there is no setting 'alpha'; choose one of boxes, beads, merged, win"
    with pytest.raises(InvalidSetting, match=refusal):
        from_assignments(MenaceSettings, {"alpha": "1"})
    with pytest.raises(InvalidSetting, match=refusal):
        from_json(MenaceSettings, '{"alpha": 1}')


@pytest.mark.parametrize("name", PRESETS)
def test_settings_come_back_from_json_as_they_were(name: str) -> None:
    settings = PRESETS[name].settings
    assert from_json(type(settings), to_json(settings)) == settings
    values = json.loads(to_json(settings))
    for missing in values:
        with pytest.raises(InvalidSetting, match=f"the setting '{missing}' is missing"):
            from_json(type(settings), json.dumps({name: values[name] for name in values if name != missing}))


# Presets. What the sources state, in the order of the settings; docs/facts.md says where.
STATED = {
    "menace": ("choices", (4, 3, 2, 1), True, 3, 1, -1, 0, "restock", "all"),
    "never-punish": ("choices", (4, 3, 2, 1), True, 2, 1, 0, 0, "restock", "all"),
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
    # Rewards by the length of a game leave no meaning to win, draw and loss.
    "article-code": ("choices", (2,), True, 3, 1, -1, 1, "length", 0.0, 1.0, 0.0),
}


def test_the_presets_have_the_numbers_that_their_sources_state() -> None:
    kept = {name: preset for name, preset in PRESETS.items() if LEARNERS[preset.algorithm].stored_as == "matchbox"}
    assert {name: dataclasses.astuple(preset.settings) for name, preset in kept.items()} == STATED
    plays = {name: preset.plays for name, preset in PRESETS.items()}
    assert {name for name in STATED if plays[name] == ("X",)} == {
        "michie-1961",
        "manchester-saturday",
        "manchester-sunday",
        "wos-box",
        "wos-move",
    }
    assert {name for name in STATED if plays[name] == ("O",)} == {"gardner-1962", "punish-all", "plus-minus"}
    assert DEFAULT_PRESET in PRESETS


def test_the_plain_presets_differ_in_the_algorithm_alone(positions: Positions) -> None:
    values = {name: dataclasses.asdict(PRESETS[name].settings) for name in PLAIN_PRESETS}  # as `td` has them
    assert len(values) >= 8
    shared = set.intersection(*map(set, values.values()))
    assert shared >= {"alpha", "epsilon", "epsilon_decay", "ties", "win", "draw", "loss", "initial_value"}
    assert (values["td"]["alpha"], values["td"]["epsilon"], values["td"]["initial_value"]) == (0.1, 0.1, 0)
    assert values["sarsa"] == values["q-learning"]
    assert {settings.get("gamma", 1) for settings in values.values()} == {1}  # as TD(0) has it here
    assert values["td"]["drawn_by_other"] == values["td"]["draw"]
    for preset, side in itertools.product(map(PRESETS.get, PLAIN_PRESETS), (0, 1)):
        assert preset is not None
        assert preset.plays == ("X", "O")
        learned = preset.settings.fresh(positions, side)
        assert not learned.amount[learned.kept].any()
        assert all(text in preset.source for text in ("Our own", "alpha 0.1", "epsilon 0.1", "no discount"))


# A host with a path, a DOI among them; or an author, a title, a year and pages or a chapter: `D. Michie, Trial ...`.
FINDABLE = (
    r"\b[\w-]+(\.[\w-]+)*\.[a-z]{2,3}/\S{4,}|"
    r"\b[A-Z]\. [A-Z]\w+, [A-Z][\w-]*( [\w-]+)*[,:] .*\b(19|20)\d\d\b.*\b(pages|chapter) \d+"
)


@pytest.mark.parametrize(
    "source", ["A blog article on matchboxes, 2018.", "Course notes: X against O.", "D. Michie, Trial and Error, 1961."]
)
def test_a_source_that_cannot_be_found_is_reported(source: str) -> None:
    assert not re.search(FINDABLE, source)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_says_where_it_comes_from_and_whom_it_plays(positions: Positions, name: str) -> None:
    preset = get_preset(name)
    assert re.search(FINDABLE, preset.source), "no address, no DOI, no page of a book"
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


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(UnknownPreset, match="there is no preset 'nobody'; choose one of menace,"):
        get_preset("nobody")
    assert preset_settings("scroggs", "O", {"win": "4"})[1] == dataclasses.replace(PRESETS["scroggs"].settings, win=4)


# Policies.


@pytest.mark.parametrize("when_empty", ["resign", "restock", "random", "restock-colour"])
@pytest.mark.parametrize(("name", "side"), BEAD_SEATS)
def test_the_probabilities_of_a_position_sum_to_one_less_the_chance_to_resign(
    positions: Positions, name: str, side: int, when_empty: str
) -> None:
    machine = train_machine(
        positions, side, dataclasses.replace(PRESETS[name].settings, when_empty=when_empty), "random", 2000
    )
    boxed = np.isin(np.arange(len(positions)), positions.position_of_move[machine.learned.kept])
    machine.learned.amount[boxed[positions.position_of_move] & (positions.position_of_move % 5 == side)] = 0
    empty = boxed & (positions.sum_over_moves(machine.learned.amount) == 0)
    assert empty.sum() > 40
    own = positions.moved_by(side)
    for kind in ("behaviour", "greedy"):
        policy = machine.policy(kind)
        sums = positions.sum_over_moves(policy.probability)
        assert np.allclose((sums + policy.resigns)[own], 1, rtol=0, atol=1e-12), kind
    assert not sums[~own].any()
    assert policy.resigns.tolist() == (empty if when_empty == "resign" else np.zeros_like(empty)).tolist()
    first = machine.settings.fresh(positions, side).amount
    for position in np.flatnonzero(own):
        moves = slice(*positions.first_move[position : position + 2])
        picks = positions.multiplicity[moves]
        if empty[position]:
            shares = {"resign": 0 * picks, "random": picks}.get(when_empty, first[moves])
        else:
            shares = machine.learned.amount[moves] if boxed[position] else picks
        if kind == "greedy" and boxed[position] and not (empty[position] and when_empty == "random"):
            shares = picks * (shares == shares.max()) * (shares > 0)
        assert np.allclose(policy.probability[moves] * shares.sum(), shares, rtol=0, atol=1e-12)


@pytest.mark.parametrize("text", ["[]x", "{", "3", "null", '"win"', '["win"]'])
def test_settings_that_are_no_json_object_are_refused(text: str) -> None:
    with pytest.raises(InvalidSetting, match="not a JSON object"):
        from_json(MenaceSettings, text)


@pytest.mark.parametrize("value", [-1, None, [3]])
def test_settings_whose_value_is_wrong_are_refused(value: object) -> None:
    with pytest.raises(InvalidSetting, match="setting win="):
        from_json(MenaceSettings, json.dumps({**json.loads(to_json(MenaceSettings())), "win": value}))


# `rewards=length`: beads by the length of the game, as their author has them in tic-tac-toe, never
# reversed.


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


def game_by_game(positions: Positions, games: int) -> list[tuple[int, int, int, SeatedMachine, NDArray[np.float64]]]:
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
    lengths = winning_lengths(positions)
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
