"""Recounts of real beads: which input is read, which is refused, and what the log records."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import Run, ok, refused
from ledger import boxes_of, train
from templates import fresh_database

import menace
from menace.analysis.bead_names import BeadNames
from menace.analysis.position import show
from menace.errors import InvalidBeads
from menace.games.symmetry import SymmetricGame
from menace.ledger.database_file import open_database
from menace.ledger.learners import new_learner
from menace.ledger.log.verification import verify
from menace.ledger.store import Store
from menace.people.physical import Comparison, compare_count, record_count
from menace.text.naming_schemes import Naming


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database file with a learner, to copy."""
    path = tmp_path_factory.mktemp("taught") / "menace.db"
    with fresh_database(path) as store:
        new_learner(store, "adam", "X")
        train(store, "adam", "random", games=40, seed=1)
    return path


@pytest.fixture
def store(taught: Path, tmp_path: Path) -> Iterator[Store]:
    with open_database(shutil.copy(taught, tmp_path)) as opened:
        yield opened


def compare(store: Store, text: str, naming: Naming = Naming()) -> Comparison:  # noqa: B008
    return compare_count(store, "adam", text, BeadNames(SymmetricGame(menace.get_game()), naming))


def piles(store: Store) -> dict[tuple[int, int], int]:
    return {(box.number, move.action): move.beads for box in boxes_of(store, "adam") for move in box.moves}


@pytest.mark.slow
@pytest.mark.parametrize("naming", [Naming(), Naming("michie", "michie"), Naming("menace", "michie")])
@pytest.mark.usefixtures("begun")
def test_what_contents_prints_is_a_count_without_differences(naming: Naming, run: Run) -> None:
    ok(run("new", "adam", "--plays", "X"))
    options = ["--colours", naming.colours, "--numbering", naming.numbering]
    Path("count.csv").write_text(ok(run("contents", "adam", "--csv", *options)))
    assert ok(run("recount", "adam", "count.csv", *options)) == "nothing was counted: no line has a number of beads\n"
    filled = [line.split(",") for line in Path("count.csv").read_text().splitlines()]
    Path("count.csv").write_text("".join(",".join([*row[:-1], row[5]]) + "\n" for row in filled))
    Path("count.csv").write_text(Path("count.csv").read_text().replace("verdict,beads", "verdict,counted"))
    counted = ok(run("recount", "adam", "count.csv", *options))
    assert counted == "1,087 of 1,087 piles counted; all agree with the database\n"


@pytest.mark.slow
def test_a_count_of_any_piles_is_recorded_and_the_log_holds(store: Store) -> None:
    chance = random.Random(4)
    for _ in range(5):
        before = piles(store)
        counted = {key: chance.randrange(30) for key in chance.sample(sorted(before), 60)}
        text = "box,cell,beads\n" + "".join(f"{box},{cell},{beads}\n" for (box, cell), beads in counted.items())
        comparison = compare(store, text)
        assert comparison.counted == 60
        wrong = {(d.box.number, d.action): (d.beads, d.counted) for d in comparison.different}
        assert wrong == {key: (before[key], beads) for key, beads in counted.items() if beads != before[key]}
        record_count(store, "adam", comparison.different)
        assert piles(store) == {**before, **counted}
        train(store, "adam", "random", games=10, seed=2)
        verify(store)


def test_a_bead_is_named_by_any_board_and_any_equivalent_cell(store: Store) -> None:
    """All eight images of every seventh board, each of the cells that a colour stands for; each pile its own count.

    A cell that was taken for another pile's would contradict that one's count.
    """
    game = menace.get_game("tictactoe", "3x3x3")
    lines, expected = ["board,cell,beads"], {}
    for box in boxes_of(store, "adam")[::7]:
        view = show(store, box.board)
        for move in view.moves:
            count = expected[box.number, move.action] = 1000 + 10 * box.number + move.action
            for symmetry in game.symmetries:
                board = symmetry.board(box.board)
                lines += [f"{board},{symmetry.action(cell)},{count}" for cell in move.cells]
    comparison = compare(store, "\n".join(lines) + "\n")
    assert comparison.counted == len(expected) > 100
    assert {(d.box.number, d.action): d.counted for d in comparison.different} == expected


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["the first line must name the columns"]),
        ("box,cell\n1,4\n", ["the first line must name the columns"]),
        ("box,beads\n1,4\n", ["the first line must name the columns"]),
        ("box,cell,beads\n305,4,1\n", ["line 2", "'305' is not a box", "1 to 304"]),
        ("box,cell,beads\n0,4,1\n", ["'0' is not a box"]),
        ("box,cell,beads\n-1,4,1\n", ["'-1' is not a box"]),
        ("box,cell,beads\n1,9,1\n", ["'9' is not a bead"]),
        ("box,cell,beads\n1,4,-1\n", ["'-1' is not a number of beads"]),
        ("box,cell,beads\n1,4,3.5\n", ["'3.5' is not a number of beads"]),
        ("box,cell,beads\n1,4," + "9" * 5000, ["line 2", "is not a number of beads"]),
        ("box,cell,beads\n" + "9" * 5000 + ",4,1\n", ["line 2", "is not a box"]),
        ("box,cell,beads\n1," + "9" * 5000 + ",1\n", ["line 2", "is not a bead"]),
        ("a" * 200_000 + ",b\n", ["line"]),
        ("box,cell,beads\n1,4,67108864\n", ["is not a number of beads", "67,108,863"]),
        ("box,cell,beads\n1,4,\n1,0,x\n", ["line 3", "'x' is not a number"]),
        ("box,cell,beads\n2,0,1\n", ["line 2", "that cell is taken"]),
        ("board,cell,beads\nXO.......,0,1\n", ["line 2", "cell 0 of XO....... is taken"]),
        ("board,cell,beads\nXX.......,4,1\n", ["line 2", "2 X and 0 O"]),
        ("board,cell,beads\nX........,4,1\n", ["no box for X........"]),
        ("board,box,cell,beads\nXO.......,3,4,1\n", ["box 3 is for", "not for XO"]),
        ("box,cell,colour,beads\n1,4,red,1\n", ["cell 4 of box 1 has no red bead", "--colours"]),
        ("box,colour,beads\n1,mauve,1\n", ["'mauve' is not a bead"]),
        ("box,colour,beads\n1,yellow,1\n", ["no yellow (2) bead: red (0) stands for both"]),
        ("box,colour,beads\n1,,1\n", ["neither a cell nor a colour"]),
        ("box,board,cell,beads\n,,4,1\n", ["neither a board nor a box"]),
        ("box,cell,beads\n1,4,5\n1,4,6\n", ["line 3", "box 1 has 5 white (4) beads on a line before this, not 6"]),
    ],
)
@pytest.mark.slow
def test_what_cannot_be_read_is_refused_with_its_line(text: str, parts: list[str], store: Store) -> None:
    with pytest.raises(InvalidBeads) as refusal:
        compare(store, text)
    for part in parts:
        assert part in str(refusal.value)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffBox;Cell;Beads\r\n1;4;5\r\n",
        'box,cell,beads,remark\n1,4,5,"a, b"\n\n2,2,\n',
        " BOX , CELL , BEADS \n 1 , 4 , 5 \n",
        "box,colour,beads\n1,White,5\n",
        "box,cell,beads\n1,4,5\n1,4,5\n",
        "box\tcell\tcounted\n1\t4\t5.0\n",
        "box,cell,counted\r1,4,5\r",
        "box,cell,beads,counted\n1,4,99,5\n1,0,7,\n",
    ],
)
def test_what_spreadsheets_make_of_a_table_can_be_read(text: str, store: Store) -> None:
    comparison = compare(store, text)
    assert comparison.counted == 1
    assert [(d.box.number, d.action, d.counted) for d in comparison.different] in ([(1, 4, 5)], [])


def test_nothing_to_record_and_a_box_that_was_changed_meanwhile_are_refused(store: Store) -> None:
    with pytest.raises(InvalidBeads, match="nothing to record"):
        record_count(store, "adam", [])
    comparison = compare(store, "box,cell,beads\n1,4,500\n1,0,500\n1,1,500\n")
    with open_database(store.path) as second_store:
        train(second_store, "adam", "random", games=30, seed=9)
    before = piles(store)
    with pytest.raises(InvalidBeads, match="changed meanwhile"):
        record_count(store, "adam", comparison.different)
    assert piles(store) == before
    verify(store)


def test_an_adjustment_that_was_tampered_with_is_found(store: Store) -> None:
    record_count(store, "adam", compare(store, "box,cell,beads\n1,4,50\n").different)
    verify(store)
    for column, value in (("beads_after", 51), ("beads_before", 1), ("action", 0)):
        ((old,),) = store.rows(f"SELECT {column} FROM adjustment")
        with store.transaction():
            store.database.execute(f"UPDATE adjustment SET {column} = ?", [value])
        with pytest.raises(menace.MenaceError):
            verify(store)
        with store.transaction():
            store.database.execute(f"UPDATE adjustment SET {column} = ?", [old])
        verify(store)


@pytest.mark.usefixtures("begun")
def test_the_command_shows_the_differences_and_asks(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ok(run("new", "adam", "--plays", "X"))
    Path("count.csv").write_text("box,colour,beads\n1,white,9\n1,red,4\n")
    monkeypatch.setattr("builtins.input", lambda _question: "n")
    out = ok(run("recount", "adam", "count.csv"))
    assert "2 of 1,087 piles counted; 1 differs from the database of adam" in out
    assert "white (4)      4        9  +5" in out
    assert "nothing was recorded" in out
    assert "recorded as block" in ok(run("recount", "adam", "count.csv", "--yes"))
    assert "all agree with the database" in ok(run("recount", "adam", "count.csv"))
    ok(run("verify"))
    Path("count.csv").write_text("box,colour,beads\n1,white,\n")
    assert "nothing was counted" in ok(run("recount", "adam", "count.csv"))
    Path("count.csv").write_bytes(b"box,colour,beads\n1,\xff,3\n")
    refused(run("recount", "adam", "count.csv"), "count.csv is not UTF-8")
    assert run("recount", "adam", "missing.csv").code == 2
