"""Tests of the SQL in db/: the data dictionary, the schema's checks, the views and the named queries."""

from __future__ import annotations

import importlib.resources
import itertools
import re
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import runs
from database_templates import fresh_database
from oracle import TICTACTOE
from playing import play_out
from runs import selfplay
from trial_games import chomp_class

from menace.analysis.history import replay_game
from menace.ledger.create_and_open import create_database
from menace.ledger.learners import new_learner
from menace.ledger.store import Store
from menace.people.physical import CountDifference, record_count
from menace.people.session import Session

Row = dict[str, Any]

DB = importlib.resources.files("menace.db")
README = DB.joinpath("README.md").read_text(encoding="utf-8")
QUERIES = {
    file.name.removesuffix(".sql"): file.read_text(encoding="utf-8")
    for file in sorted(DB.joinpath("queries").iterdir(), key=lambda file: file.name)
    if file.name.endswith(".sql")
}
# These queries describe the game, so they return rows even if there are no learners. All other queries return none.
ABOUT_THE_GAME = {
    "boxes-by-stage",
    "complete-games",
    "forced-wins",
    "michie-left-out",
    "only-move",
    "positions-by-ply",
    "symmetrical-positions",
}
ABOUT_PEOPLE = {"people", "recounts"}
LEARNERS = ("a", "menace-x", "menace-o")  # in the fixture `trained`
SIGN = {"X": 1, "O": -1}
VERDICTS = {1: "wins", 0: "draws", -1: "loses"}


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Return a database without learners."""
    with fresh_database(tmp_path_factory.mktemp("fresh") / "menace.db") as store:
        yield store


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Return a database that contains a trained pair of learners and a learner `a` with edited boxes.

    The box of the empty board has no beads of one colour, the box of position 4 is empty, and the box of position 5
    contains beads only for a mistake.
    """
    with fresh_database(tmp_path_factory.mktemp("trained") / "menace.db") as store:
        learner_id = new_learner(store, "a", "X").learner_id
        selfplay(store, games=300, seed=1)
        with store.transaction():
            store.update_learned_rows("matchbox", learner_id, [(0, 0, 0, 2), (0, 1, 7, 1)])
            store.update_learned_rows("matchbox", learner_id, [(4, row["action"], 0, 3) for row in store.moves(4)])
            mistake = next(row["action"] for row in store.moves(5) if not row["optimal"])
            beads = [(row["action"], 9 * (row["action"] == mistake)) for row in store.moves(5)]
            store.update_learned_rows("matchbox", learner_id, [(5, action, amount, 5) for action, amount in beads])
        yield store


@pytest.fixture(scope="module")
def visited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Return a database that also contains two games against a person, and a recount of one of `a`'s piles."""
    with fresh_database(tmp_path_factory.mktemp("visited") / "menace.db") as store:
        new_learner(store, "a", "X")
        for seed in (1, 2):
            play_out(Session(store, "a", seed=seed))
        first = runs.boxes_of(store, "a")[0]
        (beads,) = (move.beads for move in first.moves if move.action == 4)
        record_count(store, "a", [CountDifference(first, 4, beads, beads + 5)])
        yield store


def ask(store: Store, sql: str) -> list[Row]:
    """Run SQL or a named query, and return the resulting rows."""
    columns, rows = store.query(QUERIES.get(sql, sql), 10.0)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def positions_of(store: Store) -> dict[int, Row]:
    return {row["position_id"]: row for row in ask(store, "SELECT * FROM position")}


def moves_of(store: Store) -> dict[int, dict[int, Row]]:
    """Return the moves, sorted by position and then by action."""
    moves: dict[int, dict[int, Row]] = defaultdict(dict)
    for row in ask(store, "SELECT * FROM move"):
        moves[row["position_id"]][row["action"]] = row
    return moves


def boxes_of(store: Store) -> dict[tuple[str, int], dict[int, Row]]:
    """Return the piles, sorted by learner, position and action. Each pile also has the `plays` value of its learner."""
    learners = {row["learner_id"]: row for row in ask(store, "SELECT * FROM learner")}
    boxes: dict[tuple[str, int], dict[int, Row]] = defaultdict(dict)
    for row in ask(store, "SELECT * FROM matchbox"):
        owner = learners[row["learner_id"]]
        boxes[owner["name"], row["position_id"]][row["action"]] = {**row, "plays": owner["plays"]}
    return boxes


def box_by_hand(piles: dict[int, Row], moves: dict[int, Row]) -> Row:
    """Return the expected row of `boxes` without the columns that describe the position."""
    beads = {action: pile["beads"] for action, pile in piles.items()}
    total = sum(beads.values())
    row: Row = {
        "unit": "beads",
        "beads": total,
        "moves": len(beads),
        "colours_left": len([amount for amount in beads.values() if amount]),
        "opened": sum(pile["picked"] for pile in piles.values()),
    }
    if total == 0:
        return row | dict.fromkeys(("favourite", "favourite_share", "favourite_verdict", "favourite_optimal"))
    favourite = min(beads, key=lambda action: (-beads[action], action))
    move, side = moves[favourite], piles[favourite]["plays"]
    return row | {
        "favourite": str(favourite),
        "favourite_share": pytest.approx(beads[favourite] / total),
        "favourite_verdict": VERDICTS[move["minimax"] * SIGN[side]],
        "favourite_optimal": move["optimal"],
    }


def documented_columns() -> dict[str, list[tuple[str, str]]]:
    """Return the (column, type) pairs of each table and view, in the order of README.md."""
    sections = re.findall(r"^### `(\w+)`\n(.*?)(?=^#)", README, re.DOTALL | re.MULTILINE)
    row = re.compile(r"^\| `(\w+)` \| (\w+) \| \S.* \|$", re.MULTILINE)
    return {name: row.findall(text) for name, text in sections}


def types_found(store: Store, view: str, column: str) -> set[str]:
    """Return the types of the values in a column, using the type names of STRICT tables."""
    sql = f"SELECT DISTINCT upper(typeof({column})) AS type FROM {view} WHERE {column} IS NOT NULL"
    return {row["type"] for row in ask(store, sql)}


def test_dictionary_lists_tables_views_and_columns_in_order(trained: Store, visited: Store) -> None:
    ours = "type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
    made = ask(trained, f"SELECT name, type FROM sqlite_schema WHERE {ours}")
    documented = documented_columns()
    assert list(documented) == [row["name"] for row in made]
    for table in made:
        columns = ask(trained, f"PRAGMA table_info({table['name']})")
        assert [name for name, _ in documented[table["name"]]] == [column["name"] for column in columns]
        for (name, kind), column in zip(documented[table["name"]], columns, strict=True):
            if table["type"] == "table":
                assert column["type"] == kind, (table["name"], name)
                continue
            types = types_found(trained, table["name"], name) | types_found(visited, table["name"], name)
            assert types
            assert types <= ({"INTEGER", "REAL"} if kind == "ANY" else {kind}), (table["name"], name)


def test_every_column_of_the_schema_has_a_comment_in_the_file(fresh: Store) -> None:
    for table in ask(fresh, "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"):
        assert table["sql"].splitlines()[1].strip().startswith("-- "), table["name"]
        lines = {line.split()[0]: line for line in table["sql"].splitlines()[1:] if line.strip()}
        for column in ask(fresh, f"PRAGMA table_info({table['name']})"):
            assert "-- " in lines[column["name"]], (table["name"], column["name"])


def test_foreign_keys_name_their_columns(fresh: Store) -> None:
    for table in ask(fresh, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"):
        for key in ask(fresh, f"PRAGMA foreign_key_list({table['name']})"):
            assert key["to"] is not None, (table["name"], key)


def test_game_changes_view_matches_replayed_games(visited: Store) -> None:
    rows = ask(visited, "SELECT * FROM game_changes ORDER BY game_id, ply")
    assert {row["game_id"] for row in rows} == {1, 2}
    names = ("game_id", "ply", "position_id", "action", "before", "put_back", "after")
    changes = [tuple(row[name] for name in names) for row in rows]
    right = []
    for game_id in (1, 2):
        for change in sorted(replay_game(visited, game_id).changes, key=lambda change: change.ply):
            amounts = (change.before, change.put_back, change.after)
            right.append((game_id, change.ply, change.position_id, change.action, *amounts))
    assert changes == right
    assert all(row["learned"] == row["after"] - row["before"] - row["put_back"] for row in rows)
    # The second game uses the beads that are in the box of the empty board after the first game.
    first, second = (row for row in rows if row["board"] == ".........")
    assert second["before"] == (first["after"] if first["action"] == second["action"] else 4)


def test_dictionary_lists_named_queries_with_titles() -> None:
    section = README.partition("## Named questions")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `([\w-]+)` \| (.*) \|$", section, re.MULTILINE)
    assert listed == [(name, sql.splitlines()[0].removeprefix("-- ")) for name, sql in QUERIES.items()]


def test_examples_of_dictionary_run(trained: Store) -> None:
    examples = re.findall(r"^```sql\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    assert len(examples) >= 3
    for sql in examples:
        ask(trained, sql)


@pytest.mark.parametrize("name", QUERIES)
def test_named_query_has_title_and_one_select(name: str) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
    title, *lines = QUERIES[name].splitlines()
    assert re.fullmatch(r"-- [A-Z].{5,68}[^ .]", title)
    code = "\n".join(line for line in lines if not line.lstrip().startswith("--"))
    assert re.match(r"(SELECT|WITH)\b", code)
    assert code.endswith(";")
    assert code.count(";") == 1


@pytest.mark.parametrize("name", QUERIES)
def test_named_query_runs_with_and_without_learners(name: str, fresh: Store, trained: Store, visited: Store) -> None:
    assert bool(ask(fresh, name)) == (name in ABOUT_THE_GAME)
    assert ask(visited if name in ABOUT_PEOPLE else trained, name)


@pytest.fixture(scope="module")
def valued(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Return a database whose learners use position values and action values but no beads."""
    with fresh_database(tmp_path_factory.mktemp("valued") / "menace.db") as store:
        new_learner(store, "positions", "X", "td")
        new_learner(store, "moves", "O", "q-learning")
        selfplay(store, "positions", "moves", games=50, seed=1)
        yield store


def test_queries_about_shares_explain_ucb1() -> None:
    about_shares = [sql for sql in QUERIES.values() if re.search(r"\b(favourite_)?share\b", sql)]
    silent = [
        sql
        for sql in about_shares
        if "WHERE unit = 'beads'" not in sql
        and "The shares of UCB1 depend on counts" not in " ".join(sql.replace("\n--", " ").split())
    ]
    assert (len(about_shares) > 5, silent) == (True, [])


@pytest.mark.parametrize("name", sorted(QUERIES.keys() - ABOUT_THE_GAME - ABOUT_PEOPLE))
def test_queries_cover_value_learners_unless_about_beads(name: str, valued: Store) -> None:
    rows = ask(valued, name)
    if re.search(r"\b(beads?|matchboxes)\b", QUERIES[name].splitlines()[0]):
        assert not rows
    else:
        shown = {value for row in rows for value in row.values()}
        assert shown & {"positions", "moves"}
        assert {"positions", "moves"} <= shown or name in ("openings", "replies")


def test_favourites_agree_between_queries(valued: Store) -> None:
    """The query `favourite-games` computes favourites from the tables rather than from the view."""
    favourites = {
        (row["plays"], row["position_id"]): row["action"]
        for row in ask(valued, "SELECT * FROM choices WHERE favourite")
    }
    moves, positions = moves_of(valued), positions_of(valued)
    (row,) = ask(valued, "favourite-games")
    position_id = 0
    for board in row["boards"].split():
        action = favourites[positions[position_id]["to_move"], position_id]
        position_id = moves[position_id][action]["next_position_id"]
        assert positions[position_id]["board"] == board
    assert positions[position_id]["outcome"] == row["outcome"]


def test_learning_curve_can_include_settings(valued: Store) -> None:
    sql = (
        "SELECT DISTINCT learner, algorithm, settings ->> 'alpha', settings ->> 'beads' FROM learning_curve ORDER BY 1"
    )
    assert [tuple(row.values()) for row in ask(valued, sql)] == [
        ("moves", "q-learning", 0.1, None),
        ("positions", "td", 0.1, None),
    ]


def test_move_names_may_depend_on_board() -> None:
    class Counted(chomp_class()):  # type: ignore[misc]
        """Chomp with move names that contain the number of remaining squares."""

        name = "counted"

        def name_of(self, board: str, action: int) -> str:
            return f"{action} of {board.count('#')}"

        def parse_action(self, board: str, text: str) -> int:
            return int(super().parse_action(board, text.partition(" ")[0]))

    with create_database(":memory:", Counted("2x3")) as store:
        rows = store.rows("SELECT board, action, move FROM moves")
        names = store.rows("SELECT count(*) FROM move_name")[0][0]
    assert len(rows) > names > 6
    assert [name for *_, name in rows] == [f"{action} of {board.count('#')}" for board, action, _ in rows]


def test_positions_are_counted_by_ply(fresh: Store) -> None:
    columns: dict[str, list[int]] = defaultdict(list)
    for row in ask(fresh, "positions-by-ply"):
        for column, number in row.items():
            columns[column].append(number)
    assert columns["ply"] == list(range(10))
    assert columns["positions"] == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
    assert columns["boards"] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert {column: sum(numbers) for column, numbers in list(columns.items())[3:]} == {
        "finished": 138,
        "won_by_x": 91,
        "won_by_o": 44,
        "drawn": 3,
        "moves": 2096,
        "x_can_force": 412,
        "o_can_force": 202,
        "neither": 151,
    }


def test_boxes_are_counted_by_stage(fresh: Store) -> None:
    rows = ask(fresh, "boxes-by-stage")
    stages = {side: [(row["stage"], row["boxes"]) for row in rows if row["plays"] == side] for side in SIGN}
    assert stages == {"X": [(1, 1), (2, 12), (3, 108), (4, 183)], "O": [(1, 3), (2, 38), (3, 153), (4, 95)]}
    assert sum(row["colours"] for row in rows if row["plays"] == "X") == 1087


def test_michie_omits_lost_fourth_moves(fresh: Store) -> None:
    positions = positions_of(fresh).values()
    by_hand = {
        row["board"]: set(TICTACTOE.winning_cells(row["board"], "O"))
        for row in positions
        if row["board"].count(".") == 3 and row["outcome"] is None
        if len(TICTACTOE.winning_cells(row["board"], "O")) >= 2 and not TICTACTOE.winning_cells(row["board"], "X")
    }
    answer = ask(fresh, "michie-left-out")
    assert len(answer) == 17
    assert {row["board"]: set(map(int, row["o_wins_on"].split())) for row in answer} == by_hand
    lost = {row["board"] for row in positions if row["ply"] == 6 and row["to_move"] == "X" and row["minimax"] == -1}
    assert lost == set(by_hand)


def test_complete_games_are_counted(fresh: Store) -> None:
    games: dict[str, int] = defaultdict(int)
    chance: dict[str, float] = defaultdict(float)
    rows = ask(fresh, "complete-games")
    for row in rows:
        games[row["outcome"]] += row["games"]
        chance[row["outcome"]] += row["chance_at_random"]
    assert games == {"X": 131_184, "O": 77_904, "draw": 46_080}
    assert chance == pytest.approx({"X": 737 / 1260, "O": 121 / 420, "draw": 8 / 63}, abs=3e-4)
    assert sum(row["games_up_to_symmetry"] for row in rows) == 26_830


def test_forced_wins_and_symmetries_count_every_position(fresh: Store) -> None:
    won = ask(fresh, "forced-wins")
    assert sum(row["positions"] for row in won if row["winner"] == "X") == 412 - 91
    assert sum(row["positions"] for row in won if row["winner"] == "O") == 202 - 44
    images = ask(fresh, "symmetrical-positions")
    assert [row["images"] for row in images] == [1, 2, 4, 8]
    assert (sum(row["positions"] for row in images), sum(row["boards"] for row in images)) == (765, 5478)


def test_only_move_keeps_the_value(fresh: Store) -> None:
    positions, moves = positions_of(fresh), moves_of(fresh)
    by_hand = []
    for position_id in sorted(moves):
        kept = [move for move in moves[position_id].values() if move["optimal"]]
        if len(kept) == 1 and len(moves[position_id]) > 1:
            assert kept[0]["minimax"] == positions[position_id]["minimax"]
            verdict = VERDICTS[kept[0]["minimax"] * SIGN[positions[position_id]["to_move"]]]
            by_hand.append((position_id, str(kept[0]["action"]), kept[0]["multiplicity"], verdict))
    columns = ("position_id", "move", "cells", "verdict")
    assert [tuple(row[column] for column in columns) for row in ask(fresh, "only-move")] == by_hand[:200]


def test_favourite_games_follow_the_favourites(trained: Store) -> None:
    positions, moves, boxes = positions_of(trained), moves_of(trained), boxes_of(trained)
    answer = ask(trained, "favourite-games")
    assert [(row["x"], row["o"]) for row in answer] == [("a", "menace-o"), ("menace-x", "menace-o")]
    for row in answer:
        position_id, boards = 0, []
        for player in itertools.cycle((row["x"], row["o"])):
            if positions[position_id]["outcome"] is not None:
                break
            piles = boxes.get((player, position_id))
            action = box_by_hand(piles, moves[position_id])["favourite"] if piles else min(moves[position_id])
            if action is None:
                break
            position_id = moves[position_id][int(action)]["next_position_id"]
            boards.append(positions[position_id]["board"])
        assert row["boards"].split() == boards
        assert row["plies"] == len(boards)
        assert row["outcome"] == (positions[position_id]["outcome"] or "empty box")


def flawed(box: Row) -> bool:
    return box["favourite_verdict"] == "loses" and not box["favourite_optimal"] and box["opened"] > 0


@pytest.mark.parametrize(
    ("name", "most", "wanted", "key"),
    [
        ("favourite-loses", 20, flawed, "opened"),
        ("empty-boxes", 20, lambda box: box["beads"] == 0, "opened"),
        ("most-opened", 10, lambda box: box["opened"] > 0, "opened"),
        ("biggest-boxes", 10, lambda _: True, "beads"),
    ],
)
def test_box_lists_are_limited_per_learner(
    name: str, most: int, wanted: Callable[[Row], bool], key: str, trained: Store
) -> None:
    moves, positions = moves_of(trained), positions_of(trained)
    lists: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for (learner, position_id), piles in sorted(boxes_of(trained).items()):
        box = box_by_hand(piles, moves[position_id])
        if wanted(box):
            lists[learner].append((-box[key], position_id))
    by_hand = [
        (learner, positions[position_id]["board"])
        for learner, entries in lists.items()
        for _, position_id in sorted(entries)[:most]
    ]
    assert [(row["learner"], row["board"]) for row in ask(trained, name)] == by_hand


def test_box_summaries_match_boxes(trained: Store) -> None:
    moves = moves_of(trained)
    expected: dict[str, Row] = {}
    for (learner, position_id), piles in sorted(boxes_of(trained).items()):
        box = box_by_hand(piles, moves[position_id])
        count = expected.setdefault(learner, defaultdict(int))
        single, total = box["colours_left"] == 1, max(box["beads"], 1)
        wrong = [piles[action]["beads"] for action, move in moves[position_id].items() if not move["optimal"]]
        count["boxes"] += 1
        count["single_colour"] += single
        count["always"] += single and box["moves"] == 1
        count["decided"] += single and box["moves"] > 1
        count["decided_well"] += single and box["moves"] > 1 and box["favourite_optimal"]
        count["empty"] += box["beads"] == 0
        count["opened"] += box["opened"] > 0
        count["colours_of_mistakes"] += sum(amount > 0 for amount in wrong)
        count["chance"] += sum(wrong) / total
        count["beads"] += box["beads"]
    for row in ask(trained, "single-colour"):
        learner = row.pop("learner")
        assert row == {column: expected[learner][column] for column in row}
    for learner, count in expected.items():
        mistakes = [row for row in ask(trained, "mistakes") if row["learner"] == learner]
        shut = [row for row in ask(trained, "never-opened") if row["learner"] == learner]
        beads = [row for row in ask(trained, "beads-by-verdict") if row["learner"] == learner]
        assert sum(row["mistakes"] for row in mistakes) == count["colours_of_mistakes"]
        chance = sum(row["chance"] * row["boxes"] for row in mistakes)
        assert chance == pytest.approx(count["chance"], abs=0.00005 * count["boxes"])
        assert sum(row["never_opened"] for row in shut) == count["boxes"] - count["opened"]
        assert sum(row["beads"] for row in beads) == count["beads"]
        assert sum(row["share_of_beads"] for row in beads) == pytest.approx(1, abs=2e-4)


def test_certainty_is_averaged_over_opened_boxes_with_beads(trained: Store) -> None:
    positions, moves = positions_of(trained), moves_of(trained)
    groups: dict[tuple[str, int], list[tuple[float, float, int]]] = defaultdict(list)
    for (learner, position_id), piles in boxes_of(trained).items():
        box = box_by_hand(piles, moves[position_id])
        if box["opened"] and box["beads"]:
            share = max(pile["beads"] for pile in piles.values()) / box["beads"]
            group = groups[learner, positions[position_id]["ply"]]
            group.append((share, 1 / len(piles), moves[position_id][int(box["favourite"])]["optimal"]))
    answer = ask(trained, "certainty")
    assert [(row["learner"], row["ply"]) for row in answer] == sorted(groups)
    for row in answer:
        group = groups[row["learner"], row["ply"]]
        means = [pytest.approx(sum(column) / len(group), abs=1e-4) for column in zip(*group, strict=True)]
        assert [row["favourite_share"], row["even_share"], row["favourite_keeps_value"]] == means


def test_openings_and_replies_have_correct_verdicts(trained: Store) -> None:
    openings, replies = ask(trained, "openings"), ask(trained, "replies")
    assert {(row["learner"], row["opening"]) for row in openings} == {
        (learner, board) for learner in ("a", "menace-x") for board in ("X........", ".X.......", "....X....")
    }
    assert {row["cells"] for row in openings} == {1, 4}
    assert {row["verdict"] for row in openings} == {"draws"}
    # If X is in the corner, the only move that draws is to the centre. If X is in the centre, the only move that draws
    # is to a corner.
    held = {(row["opening"], row["reply"]) for row in replies if row["verdict"] == "draws"}
    assert {pair for pair in held if pair[0] != ".X......."} == {("X........", "X...O...."), ("....X....", "O...X....")}
    shares: dict[tuple[str, str], float] = defaultdict(float)
    for row in openings + replies:
        shares[row["learner"], row["opening"] if "reply" in row else "first"] += row["share"]
    assert shares == pytest.approx(dict.fromkeys(shares, 1.0), abs=5e-4)
    assert len(shares) == 2 + 3
    assert [(row["learner"], row["boxes"], row["moves"], row["games"]) for row in ask(trained, "learners")] == [
        ("a", 304, 1087, 0),
        ("menace-x", 304, 1087, 300),
        ("menace-o", 289, 975, 300),
    ]


def test_given_up_lists_good_moves_without_beads(trained: Store) -> None:
    positions, moves = positions_of(trained), moves_of(trained)
    lists: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for (learner, position_id), piles in sorted(boxes_of(trained).items()):
        side = positions[position_id]["to_move"]
        for action, pile in piles.items():
            good = moves[position_id][action]["optimal"] and positions[position_id]["minimax"] != -SIGN[side]
            if good and pile["beads"] == 0 < sum(each["beads"] for each in piles.values()):
                lists[learner].append((-pile["picked"], position_id, action))
    by_hand = [
        (learner, positions[position_id]["board"], str(action))
        for learner, entries in lists.items()
        for _, position_id, action in sorted(entries)[:20]
    ]
    assert [(row["learner"], row["board"], row["move"]) for row in ask(trained, "given-up")] == by_hand
    assert ("a", ".........", "0") in by_hand


def test_strength_is_the_last_measurement(trained: Store) -> None:
    last: dict[tuple[str, str, str], Row] = {}
    for row in ask(trained, "SELECT e.*, name FROM evaluation AS e JOIN learner USING (learner_id) ORDER BY block_id"):
        last[row["name"], row["policy"], row["opponent"]] = row
    answer = ask(trained, "strength")
    assert {(row["learner"], row["policy"], row["opponent"]) for row in answer} == set(last)
    assert len(answer) == len(last) == 2 * 2 * 3
    for row in answer:
        measured = last[row["learner"], row["policy"], row["opponent"]]
        assert (row["games"], row["games_since"]) == (measured["learner_games"], 0) == (300, 0)
        assert [row[column] for column in ("win", "draw", "loss", "value")] == [
            pytest.approx(number, abs=1e-4)
            for number in (measured["win"], measured["draw"], measured["loss"], measured["win"] - measured["loss"])
        ]


def test_runs_blocks_and_results_agree(trained: Store) -> None:
    (run,) = ask(trained, "runs")
    blocks, results = ask(trained, "blocks"), ask(trained, "results")
    assert (run["state"], run["games_played"], run["blocks"]) == ("finished", 300, len(blocks))
    assert [sum(block[column] for block in blocks) for column in ("x_wins", "draws", "o_wins")] == [
        run["x_wins"],
        run["draws"],
        run["o_wins"],
    ]
    columns = ("learner", "opponent", "wins", "draws", "losses")
    assert [tuple(row[column] for column in columns) for row in results] == [
        ("menace-o", "menace-x", run["o_wins"], run["draws"], run["x_wins"]),
        ("menace-x", "menace-o", run["x_wins"], run["draws"], run["o_wins"]),
    ]


def test_boxes_view_matches_piles(trained: Store) -> None:
    positions, moves = positions_of(trained), moves_of(trained)
    numbers = {(n, box.board): (box.number, box.stage) for n in LEARNERS for box in runs.boxes_of(trained, n)}
    answer = {(row["learner"], row["position_id"]): row for row in ask(trained, "SELECT * FROM boxes")}
    by_hand = {
        (learner, position_id): {
            "learner": learner,
            "plays": positions[position_id]["to_move"],
            "box": numbers[learner, positions[position_id]["board"]][0],
            "stage": numbers[learner, positions[position_id]["board"]][1],
            "position_id": position_id,
            "board": positions[position_id]["board"],
            "ply": positions[position_id]["ply"],
        }
        | box_by_hand(piles, moves[position_id])
        for (learner, position_id), piles in boxes_of(trained).items()
    }
    assert len(by_hand) == 304 + 304 + 289
    assert answer == by_hand
    assert answer["a", 4]["beads"] == 0
    assert answer["a", 4]["favourite"] is None
    assert {row["favourite_verdict"] for row in answer.values()} == {"wins", "draws", "loses", None}


def test_learning_curve_has_every_measurement(trained: Store) -> None:
    columns = "name, plays, algorithm, preset, settings, learner_games, policy, opponent, win, draw, loss"
    tables = "evaluation JOIN learner USING (learner_id) JOIN block USING (block_id)"
    sql = f"SELECT {columns}, win - loss, run_id, block_id FROM {tables}"
    _, rows = trained.query(f"{sql} ORDER BY block_id, learner_id, policy, opponent", 10.0)
    _, curve = trained.query("SELECT * FROM learning_curve", 10.0)
    marks = [0, 1, 2, 5, 10, 20, 50, 100, 200, 300]
    assert sorted(curve) == sorted(rows)
    assert sorted({row[5] for row in curve}) == marks
    assert len(curve) == len(marks) * 2 * 2 * 3
    wide = ask(trained, "learning-curve")
    assert len(wide) == len(marks) * 2 * 2
    values = {(row[0], *row[5:8]): row[11] for row in curve}
    for row, opponent in itertools.product(wide, ("random", "optimal", "best_response")):
        value = values[row["learner"], row["games"], row["policy"], opponent]
        assert row[f"against_{opponent}"] == pytest.approx(value, abs=1e-4)


def steps_of(store: Store, sql: str) -> int:
    """Return the number of steps that SQLite needs to run a statement, in thousands."""
    ticks: list[None] = []
    store.database.set_progress_handler(lambda: ticks.append(None), 1000)
    store.database.execute(sql).fetchall()
    store.database.set_progress_handler(None, 0)
    return len(ticks)


@pytest.mark.parametrize("kind", ["trained", "visited", "valued"])
def test_learners_are_summarised_as_in_the_view(kind: str, request: pytest.FixtureRequest) -> None:
    store = request.getfixturevalue(kind)
    sums = "count(*) AS boxes, sum(moves) AS moves, sum(beads) AS beads, sum(opened > 0) AS boxes_opened"
    boxes = {row.pop("learner"): row for row in ask(store, f"SELECT learner, {sums} FROM boxes GROUP BY learner")}
    columns = ("boxes", "moves", "beads", "boxes_opened")
    assert {row["learner"]: {column: row[column] for column in columns} for row in ask(store, "learners")} == boxes
    assert 5 * steps_of(store, QUERIES["learners"]) < steps_of(store, "SELECT * FROM boxes")


def test_learning_curve_sorts_only_its_rows(trained: Store) -> None:
    plan = [str(row["detail"]) for row in ask(trained, f"EXPLAIN QUERY PLAN {QUERIES['learning-curve']}")]
    assert [step for step in plan if "TEMP B-TREE" in step] == ["USE TEMP B-TREE FOR ORDER BY"]


@pytest.mark.parametrize("view", ["choices", "boxes"])
def test_view_cost_is_linear_in_learners(view: str, tmp_path: Path) -> None:
    steps = []
    with fresh_database(tmp_path / "menace.db") as store:
        for learners in (2, 8):
            for number in range(learners):
                new_learner(store, f"{learners}-{number}", "X")
            steps.append(steps_of(store, f"SELECT * FROM {view}"))
    assert steps[1] / steps[0] == pytest.approx((2 + 8) / 2, rel=0.2)


def test_favourite_games_cost_per_pair_is_small(tmp_path: Path) -> None:
    with fresh_database(tmp_path / "menace.db") as store:
        for number in range(4):
            for side in SIGN:
                new_learner(store, f"{side}{number}", side)
        pairs = len(ask(store, "favourite-games"))
        assert (pairs, steps_of(store, QUERIES["favourite-games"]) <= 2 * pairs) == (4 * 4, True)


REFUSED = [
    ("INSERT INTO rules VALUES ('other', '3x3x3', 'full')", "UNIQUE constraint failed"),
    ("UPDATE rules SET symmetry = 'half'", "symmetry IN"),
    ("UPDATE position SET outcome = 'Z' WHERE outcome = 'X'", "outcome IN"),
    ("UPDATE position SET outcome = 'draw' WHERE position_id = 0", "(to_move IS NULL) = (outcome IS NOT NULL)"),
    ("UPDATE position SET plies_to_end = 0 WHERE position_id = 0", "(outcome IS NOT NULL) = (plies_to_end = 0)"),
    ("UPDATE position SET images = 0", "images >= 1"),
    ("UPDATE position SET minimax = 2", "minimax IN"),
    ("UPDATE move SET next_position_id = position_id WHERE position_id = 9", "next_position_id > position_id"),
    ("UPDATE move SET next_position_id = 0 WHERE position_id = 9", "next_position_id > position_id"),
    ("UPDATE move SET multiplicity = 0", "multiplicity >= 1"),
    ("UPDATE move SET optimal = 2", "optimal IN"),
    ("UPDATE learner SET name = 'a'", "UNIQUE constraint failed"),
    ("UPDATE learner SET plays = 'Z'", "plays IN"),
    ("UPDATE learner SET settings = '{'", "json_valid(settings)"),
    ("UPDATE learner SET settings = '[]'", "json_type(settings)"),
    ("UPDATE run SET options = '3'", "json_type(options)"),
    ("UPDATE run SET options = '{a: 1}'", "json_valid(options)"),
    ("UPDATE learner SET games = -1", "games >= 0"),
    ("UPDATE learner SET epsilon = 1.5", "epsilon BETWEEN"),
    ("UPDATE matchbox SET beads = -1", "beads BETWEEN"),
    ("UPDATE matchbox SET beads = 67108864", "beads BETWEEN"),
    ("UPDATE matchbox SET beads = 'many'", "cannot store TEXT value in INTEGER column"),
    ("UPDATE matchbox SET picked = -1", "picked >= 0"),
    # The file stores the move to corner 8 as a move to corner 0.
    ("INSERT INTO matchbox VALUES (1, 0, 8, 1, 0)", "FOREIGN KEY constraint failed"),
    ("UPDATE matchbox SET learner_id = 99 WHERE learner_id = 1", "FOREIGN KEY constraint failed"),
    ("UPDATE run SET kind = 'holiday'", "kind IN"),
    ("UPDATE run SET x_learner_id = NULL", "x_learns <= (x_learner_id IS NOT NULL)"),
    ("UPDATE run SET o_learner_id = NULL", "o_learns <= (o_learner_id IS NOT NULL)"),
    ("UPDATE run SET games_played = games_wanted + 1", "games_played BETWEEN"),
    ("UPDATE block SET games = games + 1", "games = x_wins + draws + o_wins"),
    ("UPDATE block SET draws = -1, o_wins = games - x_wins + 1", "draws >= 0"),
    ("UPDATE block SET kind = 'sleep'", "kind IN"),
    ("UPDATE block SET run_id = 99", "FOREIGN KEY constraint failed"),
    ("INSERT INTO game VALUES (1, 1, 1, '4', '0', '1', 'board', 'Z')", "outcome IN"),
    ("INSERT INTO game VALUES (1, 1, 1, '4', '0', '1', 'board', NULL)", "NOT NULL constraint failed"),
    ("INSERT INTO game VALUES (1, 1, 1, '4', '0', '1', 'fire', 'X')", "ended_by IN"),
    ("INSERT INTO game VALUES (1, 1, 0, '4', '0', '1', 'board', 'X')", "number >= 1"),
    *(
        (f"INSERT INTO game VALUES (1, 1, 1, '{actions}', '0', '1', 'board', 'X')", "json_valid('[' || actions")
        for actions in ("a", "-4", "4,", ",4", "4 ", "4.5", "[4]", "04", '"4"')
    ),
    ("INSERT INTO game VALUES (1, 1, 1, '4', '2', '1', 'board', 'X')", "explored NOT GLOB"),
    ("INSERT INTO game VALUES (1, 1, 1, '4', '0', 'x', 'board', 'X')", "learned NOT GLOB"),
    ("INSERT INTO game VALUES (1, 1, 1, '4,0', '0', '1', 'board', 'X')", "length(explored)"),
    ("INSERT INTO game VALUES (1, 1, 1, '', '0', '0', 'resignation', 'O')", "length(explored)"),
    ("INSERT INTO game VALUES (1, 1, 1, '4,0', '00', '1', 'board', 'X')", "length(learned) = length(explored)"),
    ("INSERT INTO adjustment VALUES (1, 1, 0, 0, 4, -1)", "beads_after >= 0"),
    ("UPDATE evaluation SET policy = 'mood'", "policy IN"),
    ("UPDATE evaluation SET opponent = 'human'", "opponent IN"),
    ("UPDATE evaluation SET win = 1.1", "win BETWEEN"),
    ("UPDATE evaluation SET loss = -0.1", "loss BETWEEN"),
]
ACCEPTED = [
    "UPDATE position SET minimax = 1 WHERE position_id = 0",
    "UPDATE matchbox SET beads = 67108863, picked = 0",
    "UPDATE matchbox SET beads = 0",
    "UPDATE run SET x_learner_id = NULL, x_learns = 0, x_player = 'random'",
    "UPDATE run SET games_played = games_wanted",
    "UPDATE block SET games = games + 1, draws = draws + 1",
    "INSERT INTO matchbox VALUES (2, 1, 4, 1, 0)",
    "INSERT INTO game VALUES (1, 1, 1, '4', '0', '1', 'board', 'X')",
    "INSERT INTO game VALUES (1, 1, 1, '4,0,12', '010', '111', 'board', 'X')",
    "INSERT INTO game VALUES (1, 1, 1, '', '', '', 'resignation', 'O')",
    "UPDATE run SET options = '{}'",
    "INSERT INTO adjustment VALUES (1, 1, 0, 0, 4, 0)",
    "UPDATE evaluation SET win = 1.0, draw = 0.0, loss = 0.0",
]


@pytest.fixture
def connection(trained: Store) -> Iterator[sqlite3.Connection]:
    """Yield a connection in a transaction that is rolled back."""
    connection: sqlite3.Connection = trained.database
    connection.execute("BEGIN")
    yield connection
    connection.execute("ROLLBACK")


@pytest.mark.parametrize(("sql", "reason"), REFUSED)
def test_checks_reject_bad_rows(sql: str, reason: str, connection: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError, match=re.escape(reason)):
        connection.execute(sql)


@pytest.mark.parametrize("sql", ACCEPTED)
def test_valid_rows_are_accepted(sql: str, connection: sqlite3.Connection) -> None:
    assert connection.execute(sql).rowcount > 0


def test_people_query_counts_results(visited: Store) -> None:
    (row,) = ask(visited, "people")
    outcomes = [game.outcome for game in visited.games()]
    assert (row["person"], row["machine"], row["person_plays"]) == ("", "a", "O")
    assert (row["learns"], row["games"]) == (1, 2)
    assert (row["wins"], row["draws"], row["losses"]) == tuple(outcomes.count(o) for o in ("O", "draw", "X"))


def test_recounts_query_shows_changes(visited: Store) -> None:
    (row,) = ask(visited, "recounts")
    assert (row["learner"], row["board"], row["move"], row["change"]) == ("a", ".........", "4", 5)
    assert row["taken_back"] == 0
