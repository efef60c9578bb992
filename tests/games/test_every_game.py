"""Tests of a small variant of every registered game, with learners for every algorithm on both sides."""

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

from menace.analysis.grades import strength_of
from menace.analysis.position import show
from menace.games import GAMES
from menace.games.base import STONE, Side
from menace.labels.kit import count_pieces
from menace.learners.registry import LEARNERS, PRESETS
from menace.ledger.create_and_open import create_database, open_database
from menace.ledger.learners import new_learner
from menace.ledger.log.verification import verify
from menace.ledger.positions import positions_of
from menace.ledger.rules import rules_of
from menace.ledger.runs import Training, order, unfinished_run
from menace.ledger.store import Store
from menace.ledger.training import play_to_end
from menace.site import _slugs, export_site

pytestmark = pytest.mark.slow

# These small variants cover games with and without draws and every kind of move: cell, arrow, column, heap and sign.
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
# Creating sites, documents and exports takes long, so only these games are tested. Together, these games include every
# kind of move, and two of the games can end in a draw.
EACH_KIND_OF_MOVE = [("tictactoe", "2x3x2-wild"), ("connect", "3x3x3"), QUICK, ("nim", "2-3")]
# matches words about drawn games but not about drawn beads
DRAWS = re.compile(r">draws\b|\byellow draws\b|, draws \d|\ba draw\b")


@cache
def untrained_database(name: str, variant: str) -> bytes:
    """Return the content of a database file with an untrained learner for each algorithm and side."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "menace.db"
        with create_database(path, game=name, variant=variant) as store:
            for algorithm, side in SEATS:
                new_learner(store, learner_name(algorithm, side), side, PRESET_OF[algorithm], {}, 17)
        return path.read_bytes()


def learner_name(algorithm: str, side: Side) -> str:
    return f"{algorithm}-{side.lower()}"


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """Return a function that returns a game's database, in which each learner has been trained against random play.

    Each database is created only once.
    """

    @cache
    def database(name: str, variant: str) -> Path:
        path = tmp_path_factory.mktemp("trained") / "menace.db"
        path.write_bytes(untrained_database(name, variant))
        with open_database(path) as store:
            for algorithm, side in SEATS:
                train(store, learner_name(algorithm, side), "random", games=GAMES_PLAYED, seed=5)
        return path

    return database


@pytest.fixture
def store(trained: Callable[[str, str], Path], name: str, variant: str) -> Iterator[Store]:
    with open_database(trained(name, variant)) as opened:
        yield opened


def test_every_registered_game_is_tested() -> None:
    assert {name for name, _ in SMALL} == {*GAMES, "notakto"}


@pytest.mark.parametrize(("name", "variant"), EVERY_GAME)
def test_every_learner_trains_and_verifies(store: Store) -> None:
    assert verify(store).games == GAMES_PLAYED * len(SEATS)
    for algorithm, side in SEATS:
        row = store.learner(learner_name(algorithm, side))
        rows = store.learned_rows(LEARNERS[algorithm].stored_as, row.learner_id)
        assert (row.games, row.plays) == (GAMES_PLAYED, side)
        # In some games, X never has a choice of moves. A player that wins with its first move does not visit any
        # afterstate.
        least = 1 if algorithm == "td-lambda" else GAMES_PLAYED / 2
        assert sum(entry[-1] for entry in rows) >= least


@pytest.mark.parametrize(("name", "variant"), EACH_KIND_OF_MOVE[::2])
def test_interrupted_run_learns_same_after_resuming(
    store: Store, name: str, variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "cut.db"
    path.write_bytes(untrained_database(name, variant))
    with open_database(path) as cut:
        for algorithm, side in SEATS:
            order(cut, Training(learner_name(algorithm, side), "random", games=GAMES_PLAYED, seed=5))
            use_small_blocks(monkeypatch, 23)
            run = next(play_to_end(cut, unfinished_run(cut)))
            assert 0 < run.games_played < GAMES_PLAYED
            monkeypatch.undo()
            resume(cut)
        assert reached_state(cut) == reached_state(store)


@pytest.mark.parametrize(("name", "variant"), EVERY_GAME)
def test_show_names_moves_as_game_does(store: Store) -> None:
    for algorithm, side in SEATS:
        box = boxes_of(store, learner_name(algorithm, side))[0]
        view = show(store, box.board, learner_name(algorithm, side))
        names = [name for move in view.moves for name in move.names]
        game = box.game
        assert sorted(names) == sorted(game.name_of(box.board, action) for action in game.actions(box.board))
        assert [game.parse_action(box.board, name) for name in names] == [
            cell for move in view.moves for cell in move.cells
        ]
        assert view.of_cells == all(name.isdigit() for name in names)
        assert sum(move.share or 0 for move in view.moves) == pytest.approx(1, abs=1e-9) or not box.beads


@pytest.mark.parametrize(("name", "variant"), EVERY_GAME)
def test_choices_view_matches_python(store: Store) -> None:
    """The SQL view computes each algorithm's probabilities from tables, whereas `Machine` computes them from arrays."""
    columns = "position_id, stage, action, move, multiplicity, amount, unit, picked, verdict, optimal, share, favourite"
    for algorithm, side in SEATS:
        sql = f"SELECT {columns} FROM choices WHERE learner = ? ORDER BY position_id, action"
        rows = iter(store.rows(sql, learner_name(algorithm, side)))
        explores = store.learner(learner_name(algorithm, side)).epsilon is not None
        for box in boxes_of(store, learner_name(algorithm, side)):
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


@pytest.mark.parametrize(("name", "variant"), EACH_KIND_OF_MOVE)
def test_site_shows_every_box_and_mentions_draws_only_if_possible(store: Store, tmp_path: Path) -> None:
    site = tmp_path / "site"
    export_site(store, site)
    for algorithm, side in SEATS:
        name = learner_name(algorithm, side)
        shown = (site / f"boxes-{_slugs([name])[0]}.html").read_text("utf-8")
        boxes = [box for box in boxes_of(store, name) if box.has_beads or box.has_choice]
        assert re.findall(r'<table class="box" data-board="(.*?)">', shown) == [box.board for box in boxes] != []
        assert bool(DRAWS.search(shown)) == store.has_draws()
        assert bool(DRAWS.search(repr(strength_of(store, learner_name(algorithm, side))))) == store.has_draws()


@pytest.mark.parametrize(("name", "variant"), EACH_KIND_OF_MOVE)
def test_labels_cover_every_box(store: Store) -> None:
    from pypdfium2 import PdfDocument

    from menace.labels import labels_pdf

    for side in Side:
        boxes = boxes_of(store, learner_name("menace", side))
        content, printed = labels_pdf(store, learner_name("menace", side))
        pdf = PdfDocument(content)
        pages = [pdf[number].get_textpage().get_text_bounded() for number in range(len(pdf))]
        assert (printed.labels, printed.pages) == (len(boxes), len(pdf))
        labels = "".join(pages[: printed.label_pages])
        for box in boxes:
            assert re.sub(r"[\s/]", "", box.board) in re.sub(r"[\s/]", "", labels)
        rules = " ".join(" ".join(pages[printed.label_pages :]).split())
        assert ("A draw:" in rules) == store.has_draws()
        assert rules.count(rules_of(store).game.rules.partition(" Write a move ")[0]) == 1
        assert "The board, to cut out" in pages[printed.label_pages]
        assert "Its pieces, to cut out" in pages[printed.label_pages]


@pytest.mark.parametrize(("name", "variant"), EVERY_GAME)
def test_printed_pieces_suffice_for_every_board(store: Store) -> None:
    """The expected number is found by playing every possible game without using symmetry."""
    game, pieces = rules_of(store).game, dict(count_pieces(positions_of(store)))
    boards, most = {game.initial}, Counter[str]()
    while boards:
        for board in boards:
            most |= Counter(game.pieces(board))
        boards = {game.play(board, action) for board in boards for action in game.actions(board)}
    if game.name == "nim":
        assert pieces == {STONE: sum(map(int, re.findall(r"\d+", game.initial)))}
    else:
        last = game.name == "notakto"  # the last cross kills its board, and no crosses are shown on dead boards
        assert pieces == {piece: most[piece] + last for piece in ("X", "O") if most[piece]}


@pytest.mark.parametrize(("name", "variant"), EACH_KIND_OF_MOVE)
def test_exports_and_listings_work_for_each_kind_of_move(
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
def test_input_for_another_game_is_refused_in_one_line(store: Store, run: Callable, tmp_path: Path) -> None:
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
