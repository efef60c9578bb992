"""Tests that the Explore and Boxes pages agree with the database, for every board and game and at any time."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import notakto
import pytest
from browsing import Tags, run_async
from database_templates import fresh_database
from playing import play_out
from runs import selfplay, train
from trial_games import chomp

from menace.analysis import replayed_learners
from menace.analysis.board_report import board_report
from menace.analysis.history import box_history
from menace.analysis.matchups import matchup_of
from menace.analysis.position import show
from menace.analysis.replayed_learners import OwnBlock, _thinned, learner_at_blocks, learner_in_film, own_blocks
from menace.explorer.content.board_inputs import cells_of, drawable_board, with_next_piece, with_other_side
from menace.explorer.datasette.cells import board_svg
from menace.explorer.pages import boxes as box_list
from menace.explorer.pages.boxes import FILTERS, BoxesParams, load_box_list
from menace.explorer.server.serving import site
from menace.exporting.board_html import MAX_DRAWN_BEADS
from menace.games.base import STONE, Side
from menace.games.enumeration import enumerate_positions
from menace.ledger.create_and_open import create_database, open_database
from menace.ledger.learners import new_learner
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.people.session import Session
from menace.text.wording import counted

GAMES = {"hexapawn": "3x3", "nim": "1-2-3", "tictactoe": "2x2x2-wild", **dict([notakto.ONE])}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that contains menace.db, for tic-tac-toe, and a database for each game in GAMES."""
    path = tmp_path_factory.mktemp("explore")
    with fresh_database(path / "menace.db") as store:
        selfplay(store, games=200, seed=1)
        for name, preset, side in (("adam", "menace", Side.X), ("td", "zhang", Side.X), ("q", "sala", Side.O)):
            new_learner(store, name, side, preset)
            train(store, name, "random", games=300, seed=1)
        new_learner(store, "double", "X", "double-q-learning")
        play_out(Session(store, "menace-x", seed=1))
    for game, variant in GAMES.items():
        with create_database(path / f"{game}.db", game=game, variant=variant) as store:
            selfplay(store, games=40, seed=1)
            new_learner(store, "q", "O", "q-learning")
    return path


@pytest.fixture(scope="module")
def store(folder: Path) -> Iterator[Store]:
    with open_database(folder / "menace.db") as opened:
        yield opened


@pytest.fixture(scope="module")
def server(folder: Path) -> Any:
    made = site(sorted(folder.glob("*.db")))
    run_async(made.invoke_startup())
    return made


def get(server: Any, address: str, status: int = 200) -> Any:
    response = run_async(server.client.get(address))
    assert response.status_code == status, response.text
    return response


def page_of(board: str, query: str = "", database: str = "menace") -> str:
    return f"/-/menace/{database}/explore/{quote(board, safe='')}{query}"


@pytest.mark.parametrize("board", [".........", "....O...X", "XX.OO....", "XXXOO....", "OXXXXOO.."])
def test_board_json_equals_the_database(server: Any, store: Store, board: str) -> None:
    reply = get(server, page_of(board, "?learner=adam&learner=td&learner=q").replace("?", ".json?")).json()
    view = show(store, board)
    assert (reply["canonical"], reply["minimax"], reply["plies_to_end"]) == (
        view.canonical,
        view.minimax,
        view.plies_to_end,
    )
    for name in ("adam", "td", "q"):
        moves = show(store, board, name).moves if show(store, board, name).box else ()
        held = [move["learners"][name] for move in reply["moves"] if name in move["learners"]]
        assert [(stored["amount"], stored["share"], stored["picked"]) for stored in held] == [
            (move.amount, move.share, move.count) for move in moves
        ]
    for move in reply["moves"]:
        (after,) = store.rows("SELECT minimax, plies_to_end FROM position WHERE board = ?", move["canonical"])
        assert positions_of(store).canonical(move["board"]) == move["canonical"]
        assert move["plies_to_end"] == after[1] + 1
        assert move["optimal"] == (after[0] == view.minimax)


def test_exact_results_from_the_initial_board_equal_those_of_the_game(server: Any, store: Store) -> None:
    reply = get(server, page_of("..........json")).json()
    assert {(row["x"], row["o"]) for row in reply["exact"]} >= {("adam", "q"), ("adam", "random"), ("optimal", "q")}
    for row in reply["exact"]:
        meeting = matchup_of(store, row["x"], row["o"]).outcomes
        assert (row["x_wins"], row["draw"], row["o_wins"]) == pytest.approx(tuple(meeting), abs=1e-12)


def test_a_page_has_a_labelled_button_for_each_cell_and_no_share_without_its_count(server: Any, store: Store) -> None:
    text = get(server, page_of("....O...X", "?learner=adam")).text
    buttons = [button for button in Tags(text).all("button") if button.get("id", "").startswith("cell-")]
    assert len(buttons) == 9
    beads = show(store, "....O...X", "adam").box
    assert beads is not None
    move = next(button for button in show(store, "....O...X", "adam").moves if 0 in button.cells)
    assert buttons[0]["aria-label"] == (
        f"0, top left corner, empty, {counted(move.beads, 'bead')}, {move.verdict} in 7"
    )
    assert buttons[4]["aria-label"] == "4, centre, O"
    assert buttons[0]["formaction"] == page_of("X...O...X")
    held = re.findall(r'<td class="held">(.*?)</td>', text)
    assert len(held) == len(show(store, "....O...X").moves)
    assert all(
        re.search(r"<b>[<>&;lgt.\d]+%</b> [\d,]+ of [\d,]+ beads<br>.*picked [\d,]+ times?\b", button)
        for button in held
    )


def test_large_game_shows_the_fast_part_with_a_link_to_the_rest(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def content(query: str) -> str:
        return str(get(server, page_of("X...O....", query)).text.partition("<main")[2])

    everything = content("?learner=adam")
    assert "data-later" not in everything
    monkeypatch.setattr("menace.explorer.pages.explore.LARGE", 764)
    assert content("?learner=adam&part=exact") == everything
    monkeypatch.setattr("menace.analysis.board_report.positions_of", None)  # the page must not run the slow code
    known = content("?learner=adam")
    (link,) = (link for link in Tags(known).all("a") if "data-later" in link)
    assert link["href"] == page_of("X...O....", "?learner=adam&part=exact")
    rows = r'<table class="list">.*?</table>'
    shown, moves = (re.sub('line=[^&"]*', "", re.findall(rows, text, re.DOTALL)[0]) for text in (known, everything))
    assert shown == moves


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        ("XX.XX....", "has 4 X and 0 O"),
        ("XXXOOO...", "3 in a row for both"),
        ("XXXX", "has 4 cells; it needs 9"),
        ("X%2FO", "cells"),
        ("<b>", "cells are X, O or ."),
    ],
)
def test_impossible_board_is_explained_in_one_line_with_a_link(server: Any, board: str, reason: str) -> None:
    text = get(server, page_of(board, ""), 404).text
    (line,) = re.findall(r'<p class="error">(.*)</p>', text)
    assert reason in html.unescape(line)
    assert page_of(".........") in [link.get("href") for link in Tags(text).all("a")]
    assert "error" in get(server, f"/-/menace/menace/explore/{quote(board, safe='%')}.json", 404).json()


def test_unreachable_hexapawn_board_is_refused(server: Any) -> None:
    get(server, page_of("O.O.OX.X.:X", database="hexapawn"), 404)


def test_typed_boards_and_box_numbers_redirect_to_the_board(server: Any, store: Store) -> None:
    typed = get(server, "/-/menace/menace/explore?board=x..+.o.+...&learner=adam", 302)
    assert typed.headers["location"] == page_of("X...O....", "?learner=adam")
    number = get(server, "/-/menace/menace/explore?board=4&learner=adam", 302)
    assert number.headers["location"] == page_of(store.box_board(store.learner("adam").learner_id, 4), "?learner=adam")
    assert get(server, "/-/menace/menace/explore", 302).headers["location"] == page_of(".........")
    for text in ("x...o....", "X../.O./..."):
        assert get(server, page_of(text), 302).headers["location"] == page_of("X...O....")


def test_line_is_stepped_through_and_continues_after_a_click(server: Any) -> None:
    line = ".........,X........,X...O....,XX..O...."
    links = {link.get("id"): link for link in Tags(get(server, page_of("X........", f"?line={line}")).text).all("a")}
    assert links["earlier"]["href"] == page_of(".........", f"?line={line}")
    assert links["later"]["href"] == page_of("X...O....", f"?line={line}")
    assert links["last"]["href"] == page_of("XX..O....", f"?line={line}")
    clicked = get(server, page_of("XO.......", f"?line={line}&from=X........"), 302)
    assert clicked.headers["location"] == page_of("XO.......", "?line=.........,X........,XO.......")
    along = get(server, page_of("X...O....", f"?line={line}&from=X........"), 302)
    assert along.headers["location"] == page_of("X...O....", f"?line={line}")


@pytest.mark.parametrize("line", [".........,XX.......", ".........,X........"])
def test_invalid_line_is_refused(server: Any, line: str) -> None:
    assert "the line" in get(server, page_of("X...O....", f"?line={line}"), 400).text


def test_recorded_games_are_found_in_any_orientation(store: Store) -> None:
    (game,) = store.games()
    board = positions_of(store).game.initial
    for action in map(int, game.actions.split(",")):
        board = positions_of(store).game.play(board, action)
        turned = positions_of(store).symmetries[1].board(board)
        assert board_report(store, turned, ["td"]).games == (game.game_id,)
    assert not board_report(store, "XXOOOXXOX", ["td"]).games


def test_box_history_ends_with_the_current_box(server: Any, store: Store) -> None:
    svg = get(server, "/-/menace/menace/explore/X......../history.svg?learner=menace-o")
    assert svg.headers["content-type"].startswith("image/svg+xml")
    assert svg.text.count('class="share"') == len(show(store, "X........").moves)
    rows = get(server, "/-/menace/menace/explore/X......../history.json?learner=menace-o").json()
    box = show(store, "X........", "menace-o").box
    assert box is not None
    assert [row["amount"] for row in rows[-len(box.moves) :]] == [move.amount for move in box.moves]
    text = get(server, "/-/menace/menace/explore/X......../history?learner=menace-o").text
    assert f"{box.moves[0].beads} of {box.beads} beads" in text


def test_log_too_long_for_a_page_is_refused_in_one_line(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replayed_learners, "MAX_REPLAYED_GAMES", 100)
    reply = get(server, "/-/menace/menace/explore/X......../history.json?learner=menace-o", 400).json()
    assert reply["error"].startswith("this page would have to replay 201 games")
    assert "`menace history`" in reply["error"]
    assert (
        get(server, "/-/menace/menace/boxes/menace-x.json?at=6").json()["at"] == 6
    )  # the page can replay a few blocks quickly
    get(server, "/-/menace/menace/boxes/menace-x?at=100000", 400)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_pages(server: Any, folder: Path, game: str) -> None:
    with open_database(folder / f"{game}.db") as store:
        positions = positions_of(store)
        boards = [positions.boards[number] for number in (0, len(positions) // 2, len(positions) - 1)]
        for board in boards:
            page = board_report(store, board)
            actions = {action for move in page.view.moves for action in move.cells}
            rows = cells_of(positions.game, board, page.view.moves, None)
            cells = [cell for row in rows for cell in row]
            # Most moves need one click. A move needs two clicks if it has a start cell or shares its cell with other
            # moves.
            assert actions == set(positions.game.actions(board))
            assert sum(cell.leads_to is not None or cell.picks is not None for cell in cells) > 0 or not actions
    for board in boards:
        get(server, page_of(board, database=game))
        get(server, page_of(board, "?set=1", database=game))
    for name in ("menace-x", "q"):
        get(server, f"/-/menace/{game}/boxes/{name}?colour=change")


@pytest.mark.parametrize(
    ("game", "board", "cell", "moves"),
    [
        ("tictactoe", "....", 3, {"X3": "...X", "O3": "...O"}),  # either kind of piece can be placed on this cell
        ("hexapawn", "OOO.X.X.X:O", 4, {"a3xb2": ".OO.O.X.X:X", "c3xb2": "OO..O.X.X:X"}),  # two pawns can capture it
        ("hexapawn", "OOO.X.X.X:O", 2, {"c3xb2": "OO..O.X.X:X", "c3-c2": "OO..XOX.X:X"}),  # this selects one of them
    ],
)
def test_cell_with_several_moves_asks_which_one(
    server: Any, game: str, board: str, cell: int, moves: dict[str, str]
) -> None:
    page = Tags(get(server, page_of(board, database=game)).text)
    button = next(attributes for attributes in page.all("button") if attributes.get("id") == f"cell-{cell}")
    assert (button["name"], button["value"]) == ("pick", str(cell))
    line = f"?line={quote(board, safe='.:')}"
    text = get(server, page_of(board, f"{line}&from={quote(board)}&pick={cell}", game)).text
    (question,) = re.findall(r"Which move\?(.*?)</p>", text)
    links = {name: link for link, name in re.findall(r'href="([^"]*)">([^<]*)</a>', question)}
    assert links == {name: page_of(after, f"{line},{after}", game) for name, after in moves.items()}


def test_beads_shared_by_moves_are_written_once(server: Any) -> None:
    text = get(server, page_of("OOO.X.X.X:O", "?learner=menace-o", "hexapawn")).text
    label, amount = re.findall(r'aria-label="([^"]*)" id="cell-4".*?class="amount">([^<]*)<', text)[0]
    assert label.count("a3xb2") == label.count("c3xb2") == 1
    assert amount.isdecimal()  # a single number, not "9 9"


def test_set_pieces_are_written_in_the_form_of_the_game() -> None:
    positions = enumerate_positions(chomp("2x2"))
    assert with_next_piece(positions, "####:X", 3) == "###.:X"
    assert with_next_piece(positions, "###.:O", 3) == "####:O"
    assert drawable_board(positions, "###.:X") == "###.:X"  # no game can reach this board, but it is valid notation


def test_clicks_cycle_through_the_pieces_of_a_cell(store: Store, folder: Path) -> None:
    boards = ["........."]
    for _ in range(3):
        boards.append(with_next_piece(positions_of(store), boards[-1], 4))
    assert boards == [".........", "....X....", "....O....", "........."]
    with open_database(folder / "nim.db") as opened:
        nim = positions_of(opened)
        stones = [cell for cell, piece in enumerate(nim.game.pieces("1-2-3:X")) if piece == STONE]
        assert (
            with_next_piece(nim, "1-2-3:X", stones[-1]) == "1-2-2:O"
        )  # exactly one stone has been taken, so it cannot be X's turn
        assert with_next_piece(nim, "1-2-3:X", stones[-2]) == "1-2-1:X"
        assert with_next_piece(nim, "1-2-1:X", stones[-1]) == "1-2-3:X"
    assert with_other_side("OOO...XXX:X") == "OOO...XXX:O"
    assert drawable_board(positions_of(store), "xxx xxx xxx") == "XXXXXXXXX"
    assert drawable_board(positions_of(store), "XXXXXXXXX:X") is None


def test_filters_match_counts_in_sql(store: Store) -> None:
    sql = {
        "all": "1",
        "empty": "beads = 0",
        "single": "colours_left = 1",
        "losing": "favourite_verdict = 'loses' AND NOT favourite_optimal AND opened > 0",
        "unopened": "opened = 0",
    }
    assert list(sql) == list(FILTERS)
    for name in ("menace-x", "menace-o", "adam"):
        for key, where in sql.items():
            rows = store.rows(f"SELECT box FROM boxes WHERE learner = ? AND {where} ORDER BY box", name)
            boxes = load_box_list(store, name, BoxesParams(key))
            assert [box.number for box in boxes.boxes] == [row[0] for row in rows]
            assert boxes.counts[key] == len(rows)
    assert list(load_box_list(store, "td").counts) == ["all", "losing", "unopened"]


def test_algorithms_with_extra_state_are_explained(server: Any) -> None:
    for address in (page_of(".........", "?learner=double"), "/-/menace/menace/boxes/double"):
        assert "a value is the mean of two" in get(server, address).text


def test_box_is_found_by_any_orientation_of_its_board(server: Any, store: Store) -> None:
    positions = positions_of(store)
    for symmetry in positions.symmetries[1:4]:
        board = symmetry.board("XO..X...O")
        drawn = ",".join(positions.game.pieces(board))
        for query in (f"draw={quote(drawn)}", f"board={board}"):
            reply = get(server, f"/-/menace/menace/boxes/menace-x.json?{query}").json()
            boards = [box["board"] for box in reply["boxes"]]  # later boards have more pieces
            assert boards[0] == positions.canonical("XO..X...O")
            assert len(boards) == 1 or query.startswith("draw")


def test_drawing_finds_boxes_with_its_pieces_in_any_orientation(store: Store) -> None:
    drawn = ("X", "", "", "", "O", "", "", "", "X")
    matching = {box.board for box in load_box_list(store, "menace-o", drawn=drawn).boxes}
    boards = [row[0] for row in store.rows("SELECT board FROM boxes WHERE learner = 'menace-o'")]
    corners = ((0, 8), (2, 6))
    assert matching == {
        board for board in boards if board[4] == "O" and any(board[a] == board[b] == "X" for a, b in corners)
    }
    assert matching


def test_boxes_after_each_block_equal_the_history(store: Store) -> None:
    moments = {moment.block_id: moment for moment in box_history(store, ".........", "menace-x")}
    blocks = [block.block_id for block in store.blocks()]
    wanted = [0, *blocks]
    last = moments[None]
    for change in learner_at_blocks(store, "menace-x", *wanted):
        last = moments.get(change.block_id, last)
        assert change.machine.amounts_of(list(change.machine.positions.moves_of(0))) == [  # type: ignore[arg-type]
            move.amount for move in last.view.moves
        ]
        assert change.machine.learned.games == last.games or change.block_id not in moments
    now = load_box_list(store, "menace-x")
    assert load_box_list(store, "menace-x", BoxesParams(at=blocks[-1])).boxes == now.boxes
    assert load_box_list(store, "menace-x", BoxesParams(at=3)).boxes != now.boxes


def test_film_contains_only_the_blocks_of_the_machine(store: Store) -> None:
    for row in store.learners():
        film = own_blocks(store, row.name)
        assert film[-1].games == row.games
        for block_id, games in film[:-1]:
            now, again = (
                learner_at_blocks(store, row.name, block_id)[0],
                learner_in_film(store, row.name, film, block_id),
            )
            assert (now.machine.learned.games, now.what) == (games, again.what)
            assert (now.machine.learned.amount == again.machine.learned.amount).all()


def test_film_of_many_blocks_contains_early_ones_and_the_last() -> None:
    # the last block is a recount
    past = [*(OwnBlock(games, games) for games in range(30_001)), OwnBlock(30_001, 30_000)]
    film = [own.block_id for own in _thinned(past)]
    assert len(film) < 70
    assert film[:5] == [0, 1, 2, 3, 5]
    assert film[-3:] == [29_000, 30_000, 30_001]


def test_large_game_shows_the_first_boxes_or_those_after_a_board(
    server: Any, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(box_list, "MAX_BOXES", 100)
    monkeypatch.setattr(box_list, "MAX_BOXES_OF_LARGE_GAME", 50)
    first = load_box_list(store, "menace-x")
    assert (len(first.boxes), first.searched, first.total) == (13, 13, 304)  # only complete stages are shown
    text = get(server, "/-/menace/menace/boxes/menace-x").text
    assert "304 matchboxes" in text
    assert "the first 13" in text
    board = "XO......."
    near = [box.board for box in load_box_list(store, "menace-x", position_id=first.boxes[1].position_id).boxes]
    two_more = [board[0] for board in store.rows("SELECT board FROM boxes WHERE learner = 'menace-x' AND ply = 4")]
    assert near[0] == board
    assert 1 < len(near) <= 50
    assert set(near[1:]) <= set(two_more)


def test_drawers_of_a_stage_share_the_scale_on_the_page(server: Any, store: Store) -> None:
    text = get(server, "/-/menace/menace/boxes/menace-x").text
    scales = re.findall(r"each bead shown stands for ([\d,]+)|(every bead is shown)", text)
    shown = load_box_list(store, "menace-x")
    assert [int(number.replace(",", "") or 1) for number, _ in scales] == [stage.each for stage in shown.stages]
    fullest = [(stage.each, max(box.beads for box in stage.boxes)) for stage in shown.stages]
    assert all(
        most / each <= MAX_DRAWN_BEADS and (each == 1 or most / each > MAX_DRAWN_BEADS / 2.5) for each, most in fullest
    )
    drawn = [len(re.findall("h0", drawer)) for drawer in re.findall("<path class=rims.*?/>", text)]
    boxes = [(stage.each, box) for stage in shown.stages for box in stage.boxes]
    assert drawn == [sum(max(1, round(move.beads / each)) for move in box.moves if move.beads) for each, box in boxes]
    assert "class=drawer" not in get(server, "/-/menace/menace/boxes/td").text


def test_changes_since_a_block_show_increases_and_decreases(server: Any, store: Store) -> None:
    text = get(server, "/-/menace/menace/boxes/menace-x?colour=change&since=2&board=1").text
    then, now = learner_at_blocks(store, "menace-x", 2, 10**6)
    changes = now.machine.learned.amount[:3] - then.machine.learned.amount[:3]
    (table,) = re.findall(r'<table class="box">.*?</table>', text, re.DOTALL)
    cells = re.findall(r'<td class=[mfs] style="[^"]*">([^<]+)', table)
    assert cells == [f"{int(change):+d}".replace("-", "\N{MINUS SIGN}") if change else "0" for change in changes]
    assert any(changes > 0)


@pytest.mark.parametrize("query", ["at=x", "at=-1", "since=1e9", "colour=red", "show=full", "draw=X", f"at={'9' * 99}"])
def test_invalid_parameters_of_boxes_are_refused(server: Any, query: str) -> None:
    get(server, f"/-/menace/menace/boxes/adam?{query}", 400)


def test_search_for_an_impossible_board_is_explained(server: Any) -> None:
    text = get(server, "/-/menace/menace/boxes/adam?board=XXX").text
    assert "has 3 cells; it needs 9" in text
    get(server, "/-/menace/menace/boxes/nobody", 404)


@pytest.mark.slow
def test_datasette_cells_draw_only_boards(server: Any, folder: Path) -> None:
    drawn = board_svg(folder / "menace.db", "X...O....")
    assert drawn is not None
    text = get(server, "/menace/position").text
    assert text.count("<svg xmlns") == 100
    assert f'<a href="{page_of("X........")}">' in text
    false = '<svg onload=x aria-label="X........">'
    sql = f"select board_svg('X...O....') as one, board_svg('no board') as two, '{false}' as three"
    answers = [run_async(server.client.get(f"{where}?sql={quote(sql)}")) for where in ("/menace/-/query", "/menace")]
    text = next(answer.text for answer in answers if answer.status_code == 200)
    assert drawn in text
    assert "<svg onload" not in text
    assert board_svg(folder / "menace.db", None) is None


@pytest.mark.parametrize(("ending", "status"), [("", 400), (".svg", 404), (".json", 400)])
def test_history_without_a_learner_asks_for_one(server: Any, ending: str, status: int) -> None:
    answer = get(server, f"/-/menace/menace/explore/........./history{ending}", status)
    assert "the address must name the machine" in answer.text
    assert ("<html" in answer.text) == (ending == "")


def test_links_to_boxes_keep_the_order_of_parameters(server: Any) -> None:
    page = get(server, "/-/menace/menace/boxes/menace-x?colour=beads").text
    links = re.findall(r'href="[^"]*/boxes/menace-x\?([^"]*)"', page)
    order = ["show", "colour", "at", "since", "draw", "board"]
    assert any("show=" in link and "colour=" in link for link in links)
    for link in links:
        names = [part.partition("=")[0] for part in html.unescape(link).split("&")]
        assert names == sorted(names, key=order.index)
