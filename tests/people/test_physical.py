"""Tests of machines built from real matchboxes: printed instructions for operators, and recounts of beads."""

from __future__ import annotations

import csv
import io
import random
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from commands import Run, ok, refused
from database_templates import fresh_database
from runs import boxes_of, train

import menace
from menace.analysis.bead_names import BeadNames
from menace.analysis.position import show
from menace.errors import IllegalMove, InvalidBeads, InvalidSetting
from menace.games.symmetry import SymmetricGame
from menace.ledger.create_and_open import open_database
from menace.ledger.learners import new_learner
from menace.ledger.log.verification import verify
from menace.ledger.store import Store
from menace.people.physical import Comparison, CountDifference, PhysicalSession, compare_count, emptied, record_count
from menace.text.bead_colours import COLOURS, MICHIE_NUMBERS, Naming, bead_colours, cell_numbers

pytestmark = pytest.mark.slow

QUICKLY_EMPTY = ["--set", "beads=1", "--set", "win=0", "--set", "draw=-1", "--set", "loss=-3"]


class Operator:
    """An operator with real boxes and beads, who knows only what is printed."""

    def __init__(self, contents: str, seed: int, undoing: float = 0.0, games: int = 1) -> None:
        self.chance = random.Random(seed)
        self.boxes: dict[int, dict[str, int]] = {}
        for row in csv.DictReader(io.StringIO(contents)):
            bead = f"{row['colour']} ({row['cell']})"
            self.boxes.setdefault(int(row["box"]), {})[bead] = int(row["beads"])
        self.heard = ""
        self.undoing = undoing  # probability of undoing an entry
        self.games = games  # number of games to play

    def answer(self, question: str, printed: str) -> str:
        """Follow the printed instructions, and answer the question that is asked."""
        self.heard += printed
        self.take_out(printed)
        for opened, text in re.findall(
            r"open box (\d+) .*?((?:the box is empty|it should contain).*?\n)", printed, re.DOTALL
        ):
            box = self.boxes[int(opened)]
            if text.startswith("the box is empty: put its initial beads back"):
                assert sum(box.values()) == 0
                box.update(self.piles(text))
            assert self.piles(text) == box
        if "another game" not in question and self.chance.random() < self.undoing:
            return "undo"
        if "record this game" in question:
            return "y"
        if "another game" in question:
            self.put_in(printed)
            self.games -= 1
            return "y" if self.games > 0 else "n"
        if "the opponent's move" in question:
            drawing = [line for line in self.heard.splitlines() if re.fullmatch(r"( [XO0-9] ?\|?){3}", line)]
            return self.chance.choice(re.findall("[0-9]", "".join(drawing[-3:])))
        assert "which bead" in question
        box = self.boxes[int(re.findall(r"open box (\d+)", self.heard)[-1])]
        bead = self.chance.choices(list(box), list(box.values()))[0]
        return bead.split(" (")[0] if self.chance.random() < 0.5 else re.findall(r"\((\d+)\)", bead)[0]

    def piles(self, text: str) -> dict[str, int]:
        return {bead: int(beads.replace(",", "")) for beads, bead in re.findall(r"([\d,]+) ([a-z ]+ \(\d+\))", text)}

    def take_out(self, printed: str) -> None:
        """Empty the boxes that were restocked during a move that has now been undone."""
        for number in re.findall(r"remove the initial beads from box (\d+) again", printed):
            assert sum(self.boxes[int(number)].values()) > 0
            self.boxes[int(number)] = dict.fromkeys(self.boxes[int(number)], 0)

    def finish(self, printed: str) -> None:
        """Follow the instructions that are printed when the operator quits."""
        self.heard += printed
        self.put_in(printed)

    def put_in(self, printed: str) -> None:
        """Follow the instructions that are printed after a game."""
        for number, verb, beads, bead in re.findall(r"box (\d+) \(\S+\): (add|remove) (\d+) (.*)", printed):
            self.boxes[int(number)][bead] += int(beads) if verb == "add" else -int(beads)


def guide(
    run: Run, operator: Operator, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable:
    """Return a function that guides an operator through a game."""
    monkeypatch.setattr("builtins.input", lambda question: operator.answer(question, capsys.readouterr().out))

    def game(*arguments: str) -> str:
        before = len(operator.heard)
        operator.finish(ok(run("physical", *arguments)))
        return operator.heard[before:]

    return game


@pytest.mark.parametrize(
    ("preset", "side", "settings", "naming"),
    [
        ("menace", "X", [], []),
        ("manchester-sunday", "X", [], ["--colours", "michie", "--numbering", "michie"]),
        ("menace", "X", [*QUICKLY_EMPTY, "--set", "when_empty=random"], []),
        ("menace", "O", QUICKLY_EMPTY, []),
        ("michie-1961", "X", QUICKLY_EMPTY, []),
    ],
)
@pytest.mark.usefixtures("begun")
def test_operator_keeps_boxes_and_database_in_step(
    preset: str,
    side: str,
    settings: list[str],
    naming: list[str],
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ok(run("new", "real", "--plays", side, "--preset", preset, *settings))
    operator = Operator(ok(run("contents", "real", "--csv", *naming)), seed=5, undoing=0.15)
    game = guide(run, operator, monkeypatch, capsys)
    games = 16 if settings[: len(QUICKLY_EMPTY)] == QUICKLY_EMPTY else 4
    for number in range(1, games + 1):
        printed = game("real", *naming)
        assert f"recorded as game {number}" in printed
        if number % 4 == 0:
            boxes = Operator(ok(run("contents", "real", "--csv", *naming)), seed=0).boxes
            assert operator.boxes == boxes
    assert f"with {games} games:" in ok(run("verify"))
    if settings[: len(QUICKLY_EMPTY)] == QUICKLY_EMPTY:
        happened = {
            "restock": "initial beads back",
            "resign": "so the machine resigns",
            "random": "plays a cell at random",
        }
        rule = menace.PRESETS[preset].settings.when_empty if "when_empty=random" not in settings else "random"
        assert happened[rule] in operator.heard


@pytest.mark.usefixtures("begun")
def test_printed_move_is_equivalent_to_bead(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each printed move, mapped to the board on the box, is equivalent to the cell that the drawn bead represents."""
    ok(run("new", "real", "--plays", "X"))
    operator = Operator(ok(run("contents", "real", "--csv")), seed=1)
    game = guide(run, operator, monkeypatch, capsys)
    for _ in range(6):
        game("real")
    with open_database("menace.db") as store:
        for row in store.games():
            board = "........."
            for ply, cell in enumerate(map(int, row.actions.split(","))):
                view = show(store, board)
                (move,) = (move for move in view.moves if cell in move.cells)
                board = board[:cell] + "XO"[ply % 2] + board[cell + 1 :]
                assert show(store, board).canonical == show(store, move.next_board).canonical


@pytest.mark.usefixtures("begun")
def test_several_games_keep_boxes_and_database_in_step(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ok(run("new", "real", "--plays", "O", *QUICKLY_EMPTY))
    operator = Operator(ok(run("contents", "real", "--csv")), seed=2, undoing=0.1, games=9)
    guide(run, operator, monkeypatch, capsys)("real")
    assert operator.boxes == Operator(ok(run("contents", "real", "--csv")), seed=0).boxes
    assert re.findall(r"recorded as game (\d)", operator.heard) == list("123456789")
    scores = re.findall(r"^score: the opponent (\d), real (\d), (\d) draws?$", operator.heard, re.MULTILINE)
    assert [sum(map(int, score)) for score in scores] == list(range(1, 10))
    ok(run("verify"))


@pytest.mark.usefixtures("begun")
def test_aborted_second_game_keeps_first(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ok(run("new", "real", "--plays", "X"))
    operator = Operator(ok(run("contents", "real", "--csv")), seed=2, games=2)

    def answer(question: str) -> str:
        second = "recorded as game 1" in operator.heard
        return "quit" if second else operator.answer(question, capsys.readouterr().out)

    monkeypatch.setattr("builtins.input", answer)
    out = ok(run("physical", "real"))
    assert "this game was not recorded; put every bead back" in out
    assert "nothing was recorded" not in out
    assert operator.boxes == Operator(ok(run("contents", "real", "--csv")), seed=0).boxes


def script(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    left = list(answers)

    def answer(_question: str) -> str:
        if not left:
            raise EOFError
        return left.pop(0)

    monkeypatch.setattr("builtins.input", answer)


@pytest.mark.usefixtures("begun")
def test_undo_and_aborted_game_change_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ok(run("new", "real", "--plays", "X"))
    before = ok(run("contents", "real", "--csv"))
    script(monkeypatch, "undo", "white", "undo", "red", "undo", "orange", "4", "undo", "?", "", "5,5", "quit")
    out = ok(run("physical", "real"))
    assert out.count("no move has been made yet") == 1
    assert out.count("is undone; put its bead back") == 2
    assert out.count("the opponent's move 4 is undone") == 1
    assert "is not a cell" in out
    assert "nothing was recorded; put every bead back" in out
    assert ok(run("contents", "real", "--csv")) == before
    assert "no recorded games yet" in ok(run("games"))


@pytest.mark.usefixtures("begun")
@pytest.mark.parametrize(("name", "called"), [("Anna", "Anna"), (None, "the opponent")])
def test_opponent_is_named_throughout(run: Run, monkeypatch: pytest.MonkeyPatch, name: str | None, called: str) -> None:
    ok(run("new", "real", "--plays", "O"))
    questions, left = [], ["?", "0", "undo", "0", "quit"]

    def answer(question: str) -> str:
        questions.append(question)
        return left.pop(0)

    monkeypatch.setattr("builtins.input", answer)
    out = ok(run("physical", "real", *(["--name", name] if name else [])))
    assert questions[0] == f"{called}'s move (X): "
    assert f"type undo, quit or {called}'s cell (its number on the board, or row,column)" in out
    assert f"{called}'s move 0 is undone" in out
    assert name is None or "opponent" not in f"{out}{questions}"


@pytest.mark.usefixtures("begun")
def test_undo_includes_automatic_machine_moves(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine's first boxes are empty, so it plays random cells there without asking for beads."""
    ok(run("new", "real", "--plays", "O", "--set", "when_empty=random"))
    rows = [row.split(",") for row in ok(run("contents", "real", "--csv")).splitlines()]
    Path("count.csv").write_text("box,cell,beads\n" + "".join(f"{r[0]},{r[3]},0\n" for r in rows if r[0] in "123"))
    ok(run("recount", "real", "count.csv", "--yes"))
    script(monkeypatch, "0", "undo", "8", "quit")
    out = ok(run("physical", "real"))
    assert out.count("the machine plays a cell at random") == 2
    assert out.count("the opponent's move 0 is undone") == 1
    assert out.count("is undone") == 1


@pytest.mark.usefixtures("begun")
def test_undo_removes_restocked_beads(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ok(run("new", "real", "--plays", "X"))
    Path("count.csv").write_text("box,cell,beads\n1,0,0\n1,1,0\n1,4,0\n")
    ok(run("recount", "real", "count.csv", "--yes"))
    script(monkeypatch, "red", "undo", "undo", "white", "quit")
    out = ok(run("physical", "real"))
    assert out.count("the box is empty: put its initial beads back, 4 red (0), 4 orange (1), 4 white (4)") == 2
    # after undo, and after quit
    assert out.count("remove the initial beads from box 1 again, because the box was empty") == 2


@pytest.mark.usefixtures("begun")
def test_undo_keeps_earlier_restocking(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ok(run("new", "real", "--plays", "X"))
    Path("count.csv").write_text("box,cell,beads\n1,0,0\n1,1,0\n1,4,0\n")
    ok(run("recount", "real", "count.csv", "--yes"))
    script(monkeypatch, "white", "0", "8", "undo", "8", "1", *("6", "3", "2", "5", "7", "y") * 3)
    out = ok(run("physical", "real"))
    assert out.count("put its initial beads back") == 1
    assert "remove the initial beads from box" not in out
    (change,) = re.findall(r"box 1 \(\.{9}\): (.*)", out)  # the pile of the drawn bead
    assert change in {"add 3 white (4)", "add 1 white (4)", "remove 1 white (4)"}


@pytest.mark.usefixtures("begun")
def test_missing_beads_are_refused_with_instructions(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ok(run("new", "real", "--plays", "X"))
    Path("count.csv").write_text("box,colour,beads\n1,white,0\n")
    ok(run("recount", "real", "count.csv", "--yes"))
    script(monkeypatch, "mauve", "white", "12", "yellow", "red")
    out = ok(run("physical", "real"))
    assert "'mauve' is not a bead; give a colour (red, orange," in out
    assert "box 1 should not contain a white (4) bead, only 4 red (0), 4 orange (1); draw another" in out
    assert "'12' is not a bead" in out
    assert "no yellow (2) bead, because red (0) represents both cells" in out
    assert "real plays cell 0\n" in out


def test_only_bead_machines_can_be_physical(trained: Run) -> None:
    ok(trained("new", "zhang", "--plays", "O", "--preset", "zhang"))
    ok(trained("new", "fav", "--plays", "O", "--preset", "article-code"))
    for name in ("zhang", "fav"):
        refused(trained("physical", name), name, "does not draw beads")
    refused(trained("physical", "nobody"), "no machine is called 'nobody'")
    refused(trained("contents", "zhang"), "has no matchboxes")
    assert ok(trained("contents", "fav")).startswith("box")


@pytest.mark.parametrize(("cells", "scheme"), [(9, "menace"), (9, "michie"), (12, "menace")])
def test_colours_and_numbers_are_unique_per_cell(cells: int, scheme: str) -> None:
    colours = bead_colours(cells, scheme)
    assert len({colour.name for colour in colours}) == cells
    assert len({colour.rgb for colour in colours}) == cells
    assert sorted(cell_numbers(cells, scheme)) == list(range(cells))


def test_michie_scheme_matches_his_table() -> None:
    rows = ["1 white, 2 lilac, 3 silver", "8 black, 0 gold, 4 green", "7 amber, 6 red, 5 pink"]
    numbered = [f"{number} {colour.name}" for number, colour in zip(MICHIE_NUMBERS, COLOURS["michie"], strict=True)]
    assert ", ".join(numbered) == ", ".join(rows)
    for cells, scheme in ((12, "michie"), (13, "menace"), (8, "michie")):
        with pytest.raises(InvalidSetting):
            bead_colours(cells, scheme)
    with pytest.raises(InvalidSetting):
        cell_numbers(12, "michie")


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database file that contains a learner, to be copied by tests."""
    path = tmp_path_factory.mktemp("taught") / "menace.db"
    with fresh_database(path) as store:
        new_learner(store, "adam", "X")
        train(store, "adam", "random", games=40, seed=1)
    return path


@pytest.fixture
def store(taught: Path, tmp_path: Path) -> Iterator[Store]:
    with open_database(shutil.copy(taught, tmp_path)) as opened:
        yield opened


def test_session_repeats_its_entries_after_a_recount(store: Store) -> None:
    session = PhysicalSession(store, "adam", seed=1).move("white").move("8")
    opening = session.opening
    assert opening is not None
    (first, *_), number = opening.box.moves, opening.box.number
    record_count(store, "adam", [CountDifference(opening.box, first.action, first.beads, first.beads + 5)])
    session.repeat(session.operator_entries, session.game.board)
    assert session.opening is not None
    assert (session.opening.box.number, session.opening.box.moves[0].beads) == (number, first.beads + 5)
    assert session.operator_entries == ["white", "8"]
    white = next(pile for pile in emptied(boxes_of(store, "adam")[0]) if pile.action == 4)
    record_count(store, "adam", [white])
    session.repeat(session.operator_entries, session.game.board)
    assert session.said[0] == "the boxes have changed during this game, so the game begins again"
    assert session.operator_entries == []


def test_automatic_first_move_cannot_be_undone(store: Store) -> None:
    new_learner(store, "eva", "X", settings={"when_empty": "random"})
    record_count(store, "eva", emptied(boxes_of(store, "eva")[0]))
    session = PhysicalSession(store, "eva", seed=1).answer()
    board = session.game.board
    assert session.said == [
        f"eva's box for this board is empty, so the machine plays a cell at random: {board.index('X')}"
    ]
    with pytest.raises(IllegalMove, match="nothing to undo"):
        session.undo()
    session.move("8" if board[8] == "." else "7").undo()
    assert session.game.board == board


def compare(store: Store, text: str, naming: Naming = Naming()) -> Comparison:  # noqa: B008
    return compare_count(store, "adam", text, BeadNames(SymmetricGame(menace.get_game()), naming))


def piles(store: Store) -> dict[tuple[int, int], int]:
    return {(box.number, move.action): move.beads for box in boxes_of(store, "adam") for move in box.moves}


@pytest.mark.parametrize("naming", [Naming(), Naming("michie", "michie"), Naming("menace", "michie")])
@pytest.mark.usefixtures("begun")
def test_printed_contents_match_database(naming: Naming, run: Run) -> None:
    ok(run("new", "adam", "--plays", "X"))
    options = ["--colours", naming.colours, "--numbering", naming.numbering]
    Path("count.csv").write_text(ok(run("contents", "adam", "--csv", *options)))
    assert ok(run("recount", "adam", "count.csv", *options)) == "no line has a number in the column `counted`\n"
    filled = [line.split(",") for line in Path("count.csv").read_text().splitlines()]
    Path("count.csv").write_text("".join(",".join([*row[:-1], row[5]]) + "\n" for row in filled))
    Path("count.csv").write_text(Path("count.csv").read_text().replace("verdict,beads", "verdict,counted"))
    counted = ok(run("recount", "adam", "count.csv", *options))
    assert counted == "1,087 of 1,087 piles counted; all counts agree with the database\n"


def test_recount_is_recorded_and_verifies(store: Store) -> None:
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


def test_bead_can_be_named_by_any_image(store: Store) -> None:
    """For all images of every seventh board, the test checks each cell that a colour represents.

    The piles all have different counts, so a cell that is assigned to the wrong pile contradicts that pile's count.
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
        ("box,colour,beads\n1,yellow,1\n", ["no yellow (2) bead, because red (0) represents both"]),
        ("box,colour,beads\n1,,1\n", ["neither a cell nor a colour"]),
        ("box,board,cell,beads\n,,4,1\n", ["neither a board nor a box"]),
        ("box,cell,beads\n1,4,5\n1,4,6\n", ["line 3", "box 1 has 5 white (4) beads on an earlier line, but 6 here"]),
    ],
)
def test_unreadable_count_is_refused_with_line(text: str, parts: list[str], store: Store) -> None:
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
def test_spreadsheet_formats_can_be_read(text: str, store: Store) -> None:
    comparison = compare(store, text)
    assert comparison.counted == 1
    assert [(d.box.number, d.action, d.counted) for d in comparison.different] in ([(1, 4, 5)], [])


def test_empty_or_stale_count_is_refused(store: Store) -> None:
    with pytest.raises(InvalidBeads, match="nothing to record"):
        record_count(store, "adam", [])
    comparison = compare(store, "box,cell,beads\n1,4,500\n1,0,500\n1,1,500\n")
    with open_database(store.path) as second_store:
        train(second_store, "adam", "random", games=30, seed=9)
    before = piles(store)
    with pytest.raises(InvalidBeads, match="changed since"):
        record_count(store, "adam", comparison.different)
    assert piles(store) == before
    verify(store)


@pytest.mark.usefixtures("begun")
def test_recount_command_shows_differences_and_asks(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ok(run("new", "adam", "--plays", "X"))
    Path("count.csv").write_text("box,colour,beads\n1,white,9\n1,red,4\n")
    monkeypatch.setattr("builtins.input", lambda _question: "n")
    out = ok(run("recount", "adam", "count.csv"))
    assert "2 of 1,087 piles counted; 1 differs from adam in the database" in out
    assert "white (4)      4        9  +5" in out
    assert "nothing was changed" in out
    assert "recorded as block" in ok(run("recount", "adam", "count.csv", "--yes"))
    assert "all counts agree with the database" in ok(run("recount", "adam", "count.csv"))
    ok(run("verify"))
    Path("count.csv").write_text("box,colour,beads\n1,white,\n")
    assert "no line has a number" in ok(run("recount", "adam", "count.csv"))
    Path("count.csv").write_bytes(b"box,colour,beads\n1,\xff,3\n")
    refused(run("recount", "adam", "count.csv"), "count.csv is not UTF-8")
    assert run("recount", "adam", "missing.csv").code == 2
