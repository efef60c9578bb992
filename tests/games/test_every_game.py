"""Every registered game with every algorithm and both sides: a small variant of each is trained and verified."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import notakto
import pytest
from runs import boxes_of, reached_state, resume, train, use_small_blocks

from menace.analysis.position import show
from menace.analysis.strength_reports import strength_of
from menace.games import GAMES
from menace.games.base import STONE, Side
from menace.labels.kit import count_pieces
from menace.learners.registry import LEARNERS, PRESETS
from menace.ledger.database_file import create_database, open_database
from menace.ledger.learners import new_learner
from menace.ledger.log.verification import verify
from menace.ledger.positions import positions_of
from menace.ledger.rules import rules_of
from menace.ledger.runs import Training, order, unfinished_run
from menace.ledger.store import Store
from menace.ledger.training import continue_run
from menace.site import _slugs, export_site

pytestmark = pytest.mark.slow

# Small, and each of a kind: with draws and without, moves that are cells, arrows, columns, heaps and signs.
SMALL = [
    ("tictactoe", "3x3x3-misere"),
    ("tictactoe", "2x3x2-wild"),
    ("connect", "3x3x3"),
    ("hexapawn", "3x3"),
    ("nim", "2-3"),
    ("nim", "9-take3-misere"),
    notakto.ONE,
]
QUICK = ("hexapawn", "3x3")
PRESET_OF = {preset.algorithm: name for name, preset in reversed(PRESETS.items())}
GAMES_PLAYED = 60
SEATS = [(algorithm, side) for algorithm in LEARNERS for side in Side]
EVERY_GAME = [
    pytest.param(*which, id=" ".join(which), marks=() if which == QUICK else pytest.mark.slow) for which in SMALL
]
DRAWS = re.compile(r">draws\b|\byellow draws\b|, draws \d|\ba draw\b")  # of games: beads are drawn, too


@cache
def empty(name: str, variant: str) -> bytes:
    """What is in the file of a database with a learner of each algorithm on each side, before its first game."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "menace.db"
        with create_database(path, game=name, variant=variant) as store:
            for algorithm, side in SEATS:
                new_learner(store, called(algorithm, side), side, PRESET_OF[algorithm], {}, 17)
        return path.read_bytes()


def called(algorithm: str, side: Side) -> str:
    return f"{algorithm}-{side.lower()}"


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """Give a database of a game in which each learner has played at random and has learned; each is made once."""

    @cache
    def database(name: str, variant: str) -> Path:
        path = tmp_path_factory.mktemp("trained") / "menace.db"
        path.write_bytes(empty(name, variant))
        with open_database(path) as store:
            for algorithm, side in SEATS:
                train(store, called(algorithm, side), "random", games=GAMES_PLAYED, seed=5)
        return path

    return database


@pytest.fixture
def store(trained: Callable[[str, str], Path], name: str, variant: str) -> Iterator[Store]:
    with open_database(trained(name, variant)) as opened:
        yield opened


def test_every_registered_game_is_among_them() -> None:
    assert {name for name, _ in SMALL} == {*GAMES, "notakto"}


@pytest.mark.parametrize(("name", "variant"), EVERY_GAME)
def test_every_learner_trains_and_its_log_is_replayed(store: Store) -> None:
    assert verify(store).games == GAMES_PLAYED * len(SEATS)
    for algorithm, side in SEATS:
        row = store.learner(called(algorithm, side))
        rows = store.learned_rows(LEARNERS[algorithm].stored_as, row.learner_id)
        assert (row.games, row.plays) == (GAMES_PLAYED, side)
        # Of two games, X may have no move to learn from; and who wins by its first move no afterstate.
        least = 1 if algorithm == "td-lambda" else GAMES_PLAYED / 2
        assert sum(entry[-1] for entry in rows) >= least


@pytest.mark.parametrize(("name", "variant"), EVERY_GAME)
def test_a_run_that_is_cut_and_resumed_learns_the_same(
    store: Store, name: str, variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "cut.db"
    path.write_bytes(empty(name, variant))
    with open_database(path) as cut:
        for algorithm, side in SEATS:
            order(cut, Training(called(algorithm, side), "random", games=GAMES_PLAYED, seed=5))
            use_small_blocks(monkeypatch, 23)
            run = next(continue_run(cut, unfinished_run(cut)))
            assert 0 < run.games_played < GAMES_PLAYED
            monkeypatch.undo()
            resume(cut)
        assert reached_state(cut) == reached_state(store)


@pytest.mark.parametrize(("name", "variant"), EVERY_GAME)
def test_what_is_shown_of_every_box_is_in_the_words_of_the_game(store: Store) -> None:
    for algorithm, side in SEATS:
        box = boxes_of(store, called(algorithm, side))[0]
        view = show(store, box.board, called(algorithm, side))
        names = [name for move in view.moves for name in move.names]
        game = box.game
        assert sorted(names) == sorted(game.name_of(box.board, action) for action in game.actions(box.board))
        assert [game.parse_action(box.board, name) for name in names] == [
            cell for move in view.moves for cell in move.cells
        ]
        assert view.of_cells == all(name.isdigit() for name in names)
        assert sum(move.share or 0 for move in view.moves) == pytest.approx(1, abs=1e-9) or not box.beads


@pytest.mark.parametrize(("name", "variant"), EVERY_GAME)
def test_sql_has_for_every_move_what_python_has(store: Store) -> None:
    """For each algorithm: the view derives from the tables what `Machine` computes from the arrays."""
    columns = "position_id, stage, action, move, multiplicity, amount, unit, picked, verdict, optimal, share, favourite"
    for algorithm, side in SEATS:
        sql = f"SELECT {columns} FROM choices WHERE learner = ? ORDER BY position_id, action"
        rows = iter(store.rows(sql, called(algorithm, side)))
        explores = store.learner(called(algorithm, side)).epsilon is not None
        for box in boxes_of(store, called(algorithm, side)):
            most = max(move.amount for move in box.moves)
            favourite = next(
                (move.action for move in box.moves if move.amount == most and (most or box.beads == 0)), -1
            )
            for move, (*of_move, share, is_favourite) in zip(box.moves, rows, strict=False):
                assert of_move == [
                    *(box.position_id, box.stage, move.action, box.game.name_of(box.board, move.action)),
                    *(move.multiplicity, move.amount, box.unit, move.count, move.verdict, move.optimal),
                ]
                is_known = move.share is not None and (explores or box.unit != "value")
                assert share == (pytest.approx(move.share, abs=1e-12) if is_known else None)
                assert is_favourite == (move.action == favourite and (box.unit != "beads" or box.beads > 0))
        assert next(rows, None) is None


@pytest.mark.parametrize(("name", "variant"), EVERY_GAME)
def test_every_site_has_every_box_and_no_word_of_draws_where_there_are_none(store: Store, tmp_path: Path) -> None:
    site = tmp_path / "site"
    export_site(store, site)
    for algorithm, side in SEATS:
        name = called(algorithm, side)
        shown = (site / f"boxes-{_slugs([name])[0]}.html").read_text("utf-8")
        boxes = [box for box in boxes_of(store, name) if box.has_beads or box.has_choice]
        assert re.findall(r'<table class="box" data-board="(.*?)">', shown) == [box.board for box in boxes] != []
        assert bool(DRAWS.search(shown)) == store.has_draws()
        assert bool(DRAWS.search(repr(strength_of(store, called(algorithm, side))))) == store.has_draws()


@pytest.mark.parametrize(("name", "variant"), EVERY_GAME)
def test_a_machine_of_beads_has_its_labels(store: Store) -> None:
    from pypdfium2 import PdfDocument

    from menace.labels import labels_pdf

    for side in Side:
        boxes = boxes_of(store, called("menace", side))
        content, printed = labels_pdf(store, called("menace", side))
        pdf = PdfDocument(content)
        pages = [pdf[number].get_textpage().get_text_bounded() for number in range(len(pdf))]
        assert (printed.labels, printed.pages) == (len(boxes), len(pdf))
        labels = "".join(pages[: printed.label_pages])
        for box in boxes:
            assert re.sub(r"[\s/]", "", box.board) in re.sub(r"[\s/]", "", labels)
        rules = " ".join(" ".join(pages[printed.label_pages :]).split())
        assert ("A draw:" in rules) == store.has_draws()
        assert rules_of(store).game.rules.partition(" Write a move ")[0] in rules
        assert "by the rules of" not in rules
        assert "The board, to cut out" in pages[printed.label_pages]
        assert "Its pieces, to cut out" in pages[printed.label_pages]


@pytest.mark.parametrize(("name", "variant"), EVERY_GAME)
def test_the_pieces_to_cut_out_are_as_many_as_boards_need(store: Store) -> None:
    """Found by playing every game, without symmetry."""
    game, pieces = rules_of(store).game, dict(count_pieces(positions_of(store)))
    boards, most = {game.initial}, Counter[str]()
    while boards:
        for board in boards:
            most |= Counter(game.pieces(board))
        boards = {game.play(board, action) for board in boards for action in game.actions(board)}
    if game.name == "nim":
        assert pieces == {STONE: sum(map(int, re.findall(r"\d+", game.initial)))}
    else:
        last = game.name == "notakto"  # the last cross makes a board dead, which shows none
        assert pieces == {piece: most[piece] + last for piece in ("X", "O") if most[piece]}


@pytest.mark.parametrize(("name", "variant"), EVERY_GAME)
def test_every_export_and_every_list_of_a_game_works(
    store: Store, run: Callable, tmp_path: Path, name: str, variant: str
) -> None:
    shutil.copy(store.path, tmp_path / "menace.db")
    for arguments in (
        ["contents", "menace-o"],
        ["strength", "odds-x"],
        ["compare"],
        ["evaluate", "td-x", "sarsa-o"],
        ["query", "results"],
        ["query", "positions-by-ply"],
    ):
        code, out, err = run(*arguments)
        assert (code or 0, err) == (0, "")
        mentions_draws = re.search(r"\bdraws\b|\bdrawn\b", out) is not None
        assert mentions_draws == store.has_draws() or (arguments[0] == "contents" and not mentions_draws)
        assert len(out.splitlines()) > 1
    for ending in ("gexf", "graphml", "dot", "json", "csv"):
        code, _, err = run("export", f"game.{ending}", "--learner", "menace-x")
        assert (code or 0, err) == (0, "")
    node = json.loads(Path("game.json").read_text("utf-8"))["nodes"][0]
    assert node["board"] in {row.board for row in store.positions()}


@pytest.mark.parametrize(("name", "variant"), [QUICK])
def test_what_is_of_another_game_is_refused_in_one_line(store: Store, run: Callable, tmp_path: Path) -> None:
    shutil.copy(store.path, tmp_path / "menace.db")
    (tmp_path / "count.csv").write_text("board,cell,counted\nX........,4,3\n")
    for arguments in (
        ["show", "X...O...."],
        ["show", "3-4-5:X"],
        ["show", "X........", "--learner", "menace-x"],
        ["history", "5-4-2:O", "--learner", "menace-x"],
        ["recount", "menace-x", "count.csv", "--yes"],
        ["labels", "menace-o", "out.pdf", "--colours", "michie"],
        ["physical", "menace-o", "--numbering", "michie"],
        ["train", "menace-nim", "--against", "random"],
        ["strength", "menace-of-nim"],
        ["plot", "strength", "menace-x", "out.svg", "--measure", "draws"],
    ):
        code, out, err = run(*arguments)
        assert (code, out) == (1, ""), arguments
        assert re.fullmatch(r"menace: [^\n]+\n", err), err
    with open_database(tmp_path / "menace.db") as after:
        assert reached_state(after) == reached_state(store)
