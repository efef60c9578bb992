"""The sides: X and O as one type, which is its text in strings, and a number in arrays."""

import json
import pickle
import re
import sqlite3
from pathlib import Path

import pytest

import menace
from menace.errors import InvalidPlayer
from menace.games.base import NO_SIDE, NUMBER_OF_SIDE, TEXT_OF_SIDE, Side
from menace.ledger.learners import new_learner
from menace.ledger.store import Store
from menace.people.session import Session

BY_HAND = re.compile(
    r"""1 - 2 \*|\b2 \* side|"XO"\[|'XO'\[|"XO"\.index|\(1 - side\)|else 1 - |== "[XO]" else|-1 if side|1 if side"""
)


def test_numbers_signs_and_opponents_agree() -> None:
    assert [side.number for side in Side] == [0, 1]
    for side in Side:
        assert side.other.other is side
        assert side.other.sign == -side.sign == (-1) ** side.other.number
        assert Side.of_number(side.number) is Side(side) is Side(str(side)) is side
        assert side.x_and_o(*side.x_and_o(1, 2)) == (1, 2)
        assert side.x_and_o(side, side.other) == tuple(Side)
        assert side.outcome == side
        assert {Side.after(side.number + plies) for plies in (0, 2, 4)} == {side}
        assert TEXT_OF_SIDE[NUMBER_OF_SIDE[side]] == side
    assert TEXT_OF_SIDE[NO_SIDE] is None


@pytest.mark.parametrize("side", Side)
def test_a_side_is_its_text_wherever_text_goes(side: Side) -> None:
    text = side.value
    assert (f"{side}", str(side), repr(side), json.dumps({side: side})) == (
        text,
        text,
        f"'{text}'",
        f'{{"{text}": "{text}"}}',
    )
    assert side == text
    assert {text: 1}[side] == 1
    assert pickle.loads(pickle.dumps(side)) is side
    with sqlite3.connect(":memory:") as database:
        database.execute("CREATE TABLE one (plays TEXT NOT NULL CHECK (plays IN ('X', 'O'))) STRICT")
        database.execute("INSERT INTO one VALUES (?)", [side])
        assert database.execute("SELECT plays, typeof(plays) FROM one").fetchall() == [(text, "text")]


@pytest.mark.parametrize("wrong", ["x", "Z", "", "draw", 0, None])
def test_anything_else_is_refused_on_entry_in_one_line(store: Store, wrong: object) -> None:
    doors = (
        Side,
        lambda side: menace.Machine("menace", side),
        lambda side: new_learner(store, "adam", side),
        lambda side: Session(store, "random", side) if side is not None else Side(side),
    )
    for door in doors:
        with pytest.raises(InvalidPlayer, match=re.escape(repr(wrong))) as refused:
            door(wrong)  # type: ignore[arg-type]
        assert "plays X or O" in str(refused.value)
        assert "\n" not in str(refused.value)


def test_text_from_callers_and_rows_becomes_a_side(store: Store) -> None:
    assert menace.Machine("menace", "O").plays is Side.O
    row = new_learner(store, "adam", "X")
    assert row.plays is store.learner("adam").plays is Side.X
    assert Session(store, "random", "O").person is Side.O


def test_no_conversion_is_written_by_hand() -> None:
    root = Path(menace.__file__).parent
    files = [path for path in root.rglob("*.py") if path.name not in {"kernel/loop.py", "base.py"}]
    lines = [f"{path}: {line}" for path in files for line in path.read_text().splitlines() if BY_HAND.search(line)]
    assert not lines
