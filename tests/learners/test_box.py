"""Tests that a box has the same content in memory, in the database and in print, for every algorithm."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from database_templates import fresh_database
from runs import boxes_of, train

from menace.analysis.bead_names import BeadNames, contents_table
from menace.analysis.position import show, show_machine
from menace.cli.commands.show import position_text
from menace.errors import InvalidPlayer, StoreError
from menace.exporting.board_html import amount_text as move_amount
from menace.games import get_game
from menace.learners.algorithm import Unit
from menace.learners.algorithms.beads import MAX_BEADS
from menace.learners.box import Box, Move
from menace.learners.machine import Machine
from menace.ledger.create_and_open import open_database
from menace.ledger.learners import named_machine, new_learner
from menace.ledger.store import Store
from menace.text.bead_colours import Naming

pytestmark = pytest.mark.slow

# The side, preset and settings of each learner. Training empties some boxes of the learners whose names begin with
# `poor`.
LEARNERS: dict[str, tuple[str, str, dict[str, str]]] = {
    "beads X": ("X", "menace", {}),
    "beads O": ("O", "menace", {"boxes": "all"}),
    "poor X": ("X", "menace", {"beads": "1", "win": "0", "draw": "0", "when_empty": "resign"}),
    "poor O": ("O", "menace", {"beads": "1", "win": "0", "draw": "0", "when_empty": "random"}),
    "favourite X": ("X", "article-code", {}),
    "values O": ("O", "zhang", {}),
    "afterstates X": ("X", "zhang", {"backup": "afterstates"}),
    "moves X": ("X", "sala", {}),
    "odds O": ("O", "michie-1963", {}),
}
WHOLE = ["beads X", "poor O"]  # the test of displayed boxes checks every box of these learners
EVERY_LEARNER = pytest.mark.parametrize("name", LEARNERS)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with fresh_database(tmp_path_factory.mktemp("boxes") / "menace.db") as opened:
        for seed, (name, (side, preset, settings)) in enumerate(LEARNERS.items()):
            new_learner(opened, name, side, preset, settings)
            train(opened, name, "perfect" if name.startswith("poor") else "random", games=200, seed=seed)
        yield opened


@pytest.fixture(scope="module")
def machines(store: Store) -> dict[str, Machine]:
    return {name: named_machine(store, name) for name in LEARNERS}


@EVERY_LEARNER
def test_shares_equal_move_probabilities(machines: dict[str, Machine], name: str) -> None:
    machine = machines[name]
    probability = machine.policy().probability
    empty = 0
    for box in machine.boxes:
        moves = machine.positions.moves_of(box.position_id)
        if machine.draws_beads and not box.beads:
            assert [move.share for move in box.moves] == [None] * len(moves)
            assert [box.share_of_beads(move) for move in box.moves] == [0.0] * len(moves)
            empty += 1
            continue
        shares = [move.share for move in box.moves]
        assert shares == probability[moves.start : moves.stop].tolist()
        assert sum(share or 0.0 for share in shares) == pytest.approx(1)
        if box.has_beads:
            assert sum(map(box.share_of_beads, box.moves)) == pytest.approx(1)
    assert empty or not name.startswith("poor")


@EVERY_LEARNER
def test_matchboxes_are_numbered_by_position(store: Store, machines: dict[str, Machine], name: str) -> None:
    machine = machines[name]
    boxes = machine.boxes
    assert boxes == boxes_of(store, name)
    assert boxes == tuple(box for position in range(len(machine.positions)) if (box := machine.box_at(position)))
    places = [box.position_id for box in boxes]
    assert places == sorted(set(places))
    if machine.has_beads:
        assert [box.number for box in boxes] == list(range(1, len(boxes) + 1))
        assert machine.matchboxes == boxes
        assert all(type(move.amount) is int for box in boxes for move in box.moves)
    else:
        assert {box.number for box in boxes} == {None}
        with pytest.raises(InvalidPlayer, match=f"machine {name} has no matchboxes"):
            _ = machine.matchboxes


@pytest.mark.parametrize(
    ("name", "unit"), [("beads X", "beads"), ("favourite X", "beads"), ("values O", "value"), ("odds O", "odds")]
)
def test_box_names_its_unit(machines: dict[str, Machine], name: str, unit: Unit) -> None:
    for box in machines[name].boxes:
        assert (box.unit, box.has_beads) == (unit, unit == "beads")
        assert box.beads == (sum(int(move.amount) for move in box.moves) if unit == "beads" else 0)
        assert box.has_choice == (box.board.count(".") > 1)


@EVERY_LEARNER
def test_shown_box_equals_box_of_machine(store: Store, machines: dict[str, Machine], name: str) -> None:
    """The test checks every 23rd position, and all boxes of two machines with beads."""
    machine = machines[name]
    whole = machine.boxed if name in WHOLE else np.zeros(len(machine.positions), bool)
    for position in sorted({*np.flatnonzero(whole).tolist(), *range(0, len(machine.positions), 23)}):
        view = show(store, machine.positions.boards[position], name)
        box = machine.box_at(position)
        assert view.box == box
        for move, held in zip(view.moves, view.moves if box is None else box.moves, strict=True):
            assert {key: getattr(move, key) for key in vars(held)} == vars(held)
            assert move.cells == machine.positions.equivalent_actions(view.canonical, move.action)
            assert len(move.cells) == move.multiplicity
            assert machine.positions.canonical(move.next_board) == machine.positions.boards[move.next_position]


def test_shown_moves_follow_orientation_of_board(store: Store, machines: dict[str, Machine]) -> None:
    """The test checks every image of every 17th position. Each move adds one piece and changes nothing else."""
    positions = machines["beads X"].positions
    for position in range(0, len(positions), 17):
        canonical = positions.boards[position]
        images = {symmetry.board(canonical) for symmetry in positions.symmetries}
        for board in images:
            view = show(store, board)
            assert (view.turning is None) == (board == view.canonical)
            assert view.canonical in {s.board(board) for s in positions.symmetries if s.name == view.turning} | {board}
            for move in view.moves:
                different = [cell for cell in range(9) if move.next_board[cell] != board[cell]]
                assert different == [move.cells[0]]
                assert move.next_board[move.cells[0]] == view.to_move


def test_position_without_box_is_shown_with_zero_amounts(store: Store) -> None:
    for view in (show(store, "X........"), show(store, "X........", "beads X")):
        assert view.box is None
        assert [(move.amount, move.share, move.count) for move in view.moves] == [(0, None, 0)] * 5


@pytest.mark.parametrize("damage", ["DELETE FROM matchbox", "UPDATE matchbox SET action = 5"])
def test_rows_that_do_not_match_moves_are_reported_as_damage(tmp_path: Path, damage: str) -> None:
    with fresh_database(tmp_path / "copy.db") as store:
        new_learner(store, "adam", "X")
    with sqlite3.connect(tmp_path / "copy.db") as file:
        file.execute(f"{damage} WHERE position_id = 0 AND action = 1")
    file.close()
    with open_database(tmp_path / "copy.db") as store, pytest.raises(StoreError, match="is damaged"):
        show(store, ".........", "adam")


def test_contents_give_share_of_beads_for_each_move(machines: dict[str, Machine]) -> None:
    for name in ("beads X", "favourite X", "poor O"):
        rows = contents_table(machines[name].matchboxes, BeadNames(machines[name].positions, Naming())).rows
        totals: dict[object, int] = {}
        for box, _, _, _, _, beads, *_ in rows:
            totals[box] = totals.get(box, 0) + int(str(beads))
        for box, _, _, _, _, beads, share, *_ in rows:
            assert share == (round(int(str(beads)) / totals[box], 4) if totals[box] else 0.0)


def test_full_piles_are_counted() -> None:
    most = MAX_BEADS
    moves = tuple(Move(cell, 1, 1, "wins", True, beads) for cell, beads in enumerate((most, 3, most)))
    assert Box(0, "...", 0, 1, "beads", moves, get_game()).full == 2
    assert Box(0, "...", 0, None, "value", moves, get_game()).full == 0
    assert np.isclose(Box(0, "...", 0, 1, "beads", moves, get_game()).share_of_beads(moves[1]), 3 / (2 * most + 3))


def test_rounding_error_is_shown_as_zero(store: Store) -> None:
    machine = Machine("ucb1", "X")
    machine.learned.amount[:3] = (2.8e-17, -2.8e-17, 1e-12)
    box = machine.box_at(0)
    assert [row[2] for row in box.rows()] == ["0", "0", "1e-12"]
    assert [move_amount(move.amount) for move in box.moves] == ["0.000", "0.000", "1e\N{MINUS SIGN}12"]
    assert "e-17" not in position_text(show_machine(store, ".........", machine)) + box._repr_svg_()
    # programs and SQL receive the exact value rather than the rounded one
    assert [move.amount for move in box.moves] == [2.8e-17, -2.8e-17, 1e-12]


@pytest.mark.parametrize(("name", "said"), [("ucb1", "sqrt(ln N / n)"), ("double-q-learning", "the mean of two")])
def test_algorithms_with_more_than_values_are_explained(store: Store, name: str, said: str) -> None:
    assert said in position_text(show_machine(store, ".........", Machine(name, "X")))
    assert "learned\n" in position_text(show_machine(store, ".........", Machine("td", "X")))
