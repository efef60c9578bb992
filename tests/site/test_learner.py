"""Tests that the site's JavaScript gives the same results as the kernel and the server."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from kernel_games import outcomes_by_position
from scripts_in_node import load_scripts, run_in_node

from menace import play_games
from menace.analysis.bead_names import BeadNames
from menace.arena.play import Arena, pick_uniformly, raw_numbers
from menace.explorer.content.drawable_boxes import session_record
from menace.explorer.content.sessions import one_game, training_game, training_progress
from menace.games import get_game
from menace.games.base import ONGOING, Side
from menace.games.enumeration import enumerate_positions
from menace.games.positions import Positions
from menace.learners.machine import Machine
from menace.learners.opponents.fixed import fixed_policy, fixed_weights
from menace.learners.policy import PolicyName
from menace.ledger.create_and_open import create_database
from menace.ledger.learners import named_machine, new_learner
from menace.ledger.positions import positions_of
from menace.ledger.runs import order as order_run
from menace.people.session import Session
from menace.site.play_tables import game_tables, graph_tables, opponents_in, site_learner_record
from menace.text.bead_colours import OWN
from menace.text.narration import for_scripts

GAMES = 1000
SEEDS = (0, 1, 2**32 - 1, 2**32, 123456789012345678, 2**63 - 1)
DRIVER = """
const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
const numbers = cases.seeds.map(text => {
  const chance = new menace.Chance(BigInt(text));
  const raw = Array.from({ length: 20 }, () => { chance.draw(); return [chance.high, chance.low]; });
  const later = new menace.Chance(BigInt(text), 1000);
  later.draw();
  const alike = [3, 4, 7].map(index => menace.pickAlike(BigInt(text), index, 8));
  return { raw, later: [later.high, later.low], alike };
});
const played = cases.meetings.map(({ game, players, seed, games }) => {
  const tables = cases.games[game], graph = new menace.Graph(tables);
  const kept = players.map(player => typeof player === "string" ? null : menace.tableCopy(player));
  const seated = players.map((player, side) => typeof player === "string"
    ? menace.fixedOf(graph, tables.players[player])
    : menace.playerOf(graph, player, kept[side]));
  const chance = new menace.Chance(BigInt(seed)), moves = [], outcomes = [0, 0, 0];
  for (let number = 0; number < games; number += 1) {
    const { outcome, record } = menace.playGame(graph, seated, chance);
    outcomes[1 - outcome] += 1;
    moves.push(record.map(ply => ply.move));
  }
  const random = menace.outcomesEverywhere(graph, ...seated.map((player, side) => (kept[side] ? player
    : menace.fixedOf(graph, tables.players.random)).policy()));
  return { outcomes, moves, used: chance.used, kept, random };
});
console.log(JSON.stringify({ numbers, played }));
"""


class Matchup(NamedTuple):
    """Two players and the game that they play. A player is either a preset with settings or a fixed opponent."""

    game: str
    x: tuple[str, dict[str, object]] | str
    o: tuple[str, dict[str, object]] | str


def preset(name: str, **settings: object) -> tuple[str, dict[str, object]]:
    return name, settings


TRIES = {"epsilon": 0.4, "epsilon_decay": 0.99, "epsilon_least": 0.1}
MEETINGS = {
    "plain": Matchup("tictactoe", preset("menace"), preset("menace")),
    "resigns": Matchup("tictactoe", preset("michie-1961"), preset("scroggs")),
    "unmerged": Matchup("tictactoe", preset("manchester-sunday"), "perfect"),
    "last bead": Matchup("tictactoe", preset("menace", credit="last", loss=-3), preset("article")),
    "any cell": Matchup("tictactoe", preset("menace", when_empty="random", loss=-4, boxes="all"), "optimal"),
    "floor": Matchup("tictactoe", preset("menace", floor=1, beads="2", loss=-2), "imperfect:0.1"),
    "fullest": Matchup("tictactoe", preset("article-code"), preset("article-code", **TRIES)),
    "values": Matchup("tictactoe", preset("zhang"), preset("menace")),
    "moves": Matchup("tictactoe", preset("menace"), preset("sala")),
    "odds": Matchup("tictactoe", preset("michie-1963"), preset("menace", loss=-2)),
    "kept apart": Matchup("tictactoe none", preset("menace"), preset("menace")),
    "HER": Matchup("hexapawn", preset("menace"), preset("gardner-1962")),
    "HER that is rewarded": Matchup("hexapawn", "random", preset("gardner-1962", win=1, credit="all")),
    "nim": Matchup("nim", preset("menace"), preset("article-code", **TRIES)),
    "colours": Matchup("tictactoe", preset("menace", when_empty="restock-colour", loss=-2), "optimal"),
    "bounds": Matchup("tictactoe", preset("ucb1"), preset("menace")),
}


@cache
def positions_named(game: str) -> Positions:
    name, _, symmetry = game.partition(" ")
    return enumerate_positions(get_game(name), symmetry or "full")


def player_of(positions: Positions, side: int, player: tuple[str, dict[str, object]] | str) -> Machine | str:
    if isinstance(player, str):
        return player
    name, settings = player
    return Machine(name, "XO"[side], positions, **settings)  # type: ignore[arg-type]


@cache
def seat_players(name: str) -> tuple[Machine | str, Machine | str]:
    """Return the two players of a matchup. Players that do not learn have different initial values."""
    game, *players = MEETINGS[name]
    positions = positions_named(game)
    seats = [player_of(positions, side, player) for side, player in enumerate(players)]
    for player in seats:
        if isinstance(player, Machine) and not player.has_beads:
            player.learned.amount[:] = np.random.default_rng(1).integers(1, 4, len(player.learned.amount)) / 7
            player.learned.count[:] = np.random.default_rng(2).integers(0, 9, len(player.learned.count))
    return seats[0], seats[1]


def table_of(player: Machine | str) -> Any:
    if isinstance(player, str):
        return player
    return site_learner_record(player, BeadNames(player.positions, OWN))


def tables_of(positions: Positions) -> dict[str, Any]:
    players = {name: fixed_weights(name, positions).tolist() for name in opponents_in(positions)}
    return {"graph": graph_tables(positions), "players": players}


@pytest.fixture(scope="module")
def in_browser() -> dict[str, Any]:
    """Run the JavaScript learner in all matchups, and return its results and its random numbers."""
    meetings = [
        {
            "game": meeting.game,
            "players": [table_of(setup) for setup in seat_players(name)],
            "seed": str(seed),
            "games": GAMES,
        }
        for seed, (name, meeting) in enumerate(MEETINGS.items(), start=2**62)
    ]
    games = {game: tables_of(positions_named(game)) for game in {setup.game for setup in MEETINGS.values()}}
    answer = run_in_node(DRIVER, {"seeds": list(map(str, SEEDS)), "games": games, "meetings": meetings})
    return {"numbers": answer["numbers"], **dict(zip(MEETINGS, answer["played"], strict=True))}


def halves(number: int) -> list[int]:
    return [number >> 32, number & 0xFFFFFFFF]


def test_seed_gives_the_same_numbers_as_in_python(in_browser: dict[str, Any]) -> None:
    for seed, numbers in zip(SEEDS, in_browser["numbers"], strict=True):
        assert numbers["raw"] == [halves(int(number)) for number in np.random.PCG64(seed).random_raw(20)]
        assert numbers["later"] == halves(int(np.random.PCG64(seed).advance(1000).random_raw()))
        assert numbers["alike"] == [pick_uniformly(seed, index, 8) for index in (3, 4, 7)]


@pytest.mark.parametrize("name", MEETINGS)
def test_thousand_games_give_the_same_beads_as_the_kernel(in_browser: dict[str, Any], name: str) -> None:
    seed, result = 2**62 + list(MEETINGS).index(name), in_browser[name]
    positions, players = positions_named(MEETINGS[name].game), seat_players(name)
    arena, numbers = Arena(positions), raw_numbers(seed, 0)
    machines = [player.copy() if isinstance(player, Machine) else player for player in players]
    session = [
        arena.fixed_player(player)
        if isinstance(player, str)
        else player.kernel_player(arena.graph, learns=player.has_beads)
        for player in machines
    ]
    moves, outcomes, used = [], np.zeros(3, int), 0
    for _ in range(GAMES):
        played = arena.play(session[0], session[1], numbers, 1, 1.0)
        moves.append(arena.plies[1][: played.numbers].tolist())
        outcomes += played.outcomes
        used += played.numbers
    assert result["moves"] == moves
    assert (result["outcomes"], result["used"]) == (outcomes.tolist(), used)
    for machine, kept in zip(machines, result["kept"], strict=True):
        if isinstance(machine, Machine) and machine.has_beads:
            assert kept["weight"] == machine.learned.amount.tolist()
            assert kept["picked"] == machine.learned.count.tolist()
            assert kept["epsilon"] == (machine.learned.epsilon or 0.0)
    policies = [
        player.policy() if isinstance(player, Machine) else fixed_policy("random", positions, side)
        for side, player in enumerate(machines)
    ]
    assert np.abs(np.array(result["random"]) - outcomes_by_position(*policies)).max() < 1e-12


@pytest.mark.parametrize("name", ["resigns", "HER"])
def test_some_compared_games_end_by_resignation(in_browser: dict[str, Any], name: str) -> None:
    positions = positions_named(MEETINGS[name].game)
    ends = [int(positions.next_position[moves[-1]]) for moves in in_browser[name]["moves"]]
    assert (positions.outcome[ends] == ONGOING).any()


@pytest.mark.parametrize("side", [0, 1])
def test_machine_is_ruined_when_all_boxes_for_its_first_move_are_empty(side: int) -> None:
    positions = positions_named("tictactoe")
    openings = positions.next_position[: int(positions.first_move[1])].tolist() if side else [0]
    tables = []
    for emptied in (openings, openings[1:], openings):
        machine = Machine("scroggs", "XO"[side], positions)
        for position in emptied:
            machine.learned.amount[positions.first_move[position] : positions.first_move[position + 1]] = 0
        tables.append(table_of(machine))
    tables[2]["rule"]["when_empty"] = "restock"
    script = """
      const { graph, learners } = JSON.parse(require("fs").readFileSync(0, "utf8"));
      const made = new menace.Graph({ graph });
      console.log(JSON.stringify(learners.map(each => menace.playerOf(made, each, menace.tableCopy(each)).isSpent())));
    """
    assert run_in_node(script, {"graph": graph_tables(positions), "learners": tables}) == [True, False, False]


READER = """
  globalThis.localStorage = { getItem: () => text };
  let text = "";
  const { graph, learner, kept, wrong, clauses } = JSON.parse(require("fs").readFileSync(0, "utf8"));
  menace.clauses = clauses;
  const game = { title: "tictactoe 3x3x3", graph: new menace.Graph({ graph }) };
  const now = { ...menace.fresh(game, learner), ...kept };
  const refusal = changes => {
    text = JSON.stringify({ ...now, ...changes });
    let message = "";
    try {
      menace.read(text, game, learner);
    } catch (error) {
      message = error.message;
    }
    return [message, menace.storedMemory(game, learner) === undefined];
  };
  text = JSON.stringify({ ...now, __proto__x: 1, extra: "x" });
  const read = menace.read(text, game, learner);
  const long = { curve: Array.from({ length: 300000 }, (_, games) => [games, 0.5]), score: Array(300000).fill(0) };
  console.log(JSON.stringify({
    same: JSON.stringify(read) === JSON.stringify(now),
    recalled: JSON.stringify(menace.storedMemory(game, learner)) === JSON.stringify(now),
    unreleased: refusal({ format: "menace machine" })[0],
    wrong: wrong.map(([part, value]) => refusal({ [part]: value })),
    missing: Object.keys(now).map(part => refusal({ [part]: undefined })),
    long: Object.entries(long).map(([part, value]) => refusal({ games: 10 ** 9, people: 10 ** 6, [part]: value })),
  }));
"""
NO_VALUES: list[Any] = [None, True, "0.5", "", {}, [], -1, 0.5, 1e300, [None], [True], ["1"], [[]], [{}]]
KEPT: dict[str, Any] = {"games": 7, "people": 3, "numbers": 12, "turns": 12, "score": [0, 3, 4, 3]}
KEPT["lessons"] = [["win", 0.25, 1]]
KEPT["curve"] = [[0, 0.25, 0.5, 1], [3, 0.125, 0.5, 1], [7, 0, 0, 0.5]]
POINTS = [[0, "0.5", 0, 0], [0, None, 0, 0], [0, True, 0, 0], ["0", 0.5, 0, 0], [0.5, 0, 0, 0], [8, 0, 0, 0], 7, None]
POINTS += [[0], [0, 0.5], [0, 0.5, 1], [0, 0.5, 0.5, 0.5, 0.5], [0, 1.5, 0, 0], [0, 0.5, 0.5, -0.1], [0, 0.5, 1.5, 0]]


def test_only_valid_memories_are_loaded() -> None:
    positions = positions_named("tictactoe")
    machine = Machine("menace", "X", positions)
    good = {("curve", "[]"), ("lessons", "[]"), ("lessons", "null"), ("epsilon", "0.5")}
    wrong = [
        (part, value)
        for part in (
            "games",
            "people",
            "seed",
            "numbers",
            "turns",
            "weight",
            "picked",
            "epsilon",
            "score",
            "lessons",
            "curve",
        )
        for value in NO_VALUES
        if (part, json.dumps(value)) not in good
    ]
    wrong += [("curve", [point]) for point in POINTS] + [
        ("curve", [[3, 0, 0, 0.1], [3, 0, 0, 0.2]]),
        ("curve", [[3, 0, 0, 0.1], [2, 0, 0, 0.2]]),
    ]
    wrong += [("score", [0, 3, 4, 3, 6]), ("score", [0, 4]), ("people", 8), ("seed", str(2**63)), ("seed", 12)]
    beads = machine.learned.amount.tolist()
    wrong += [("lessons", [lesson]) for lesson in (["won", 0.5, 1], ["win", 2, 1], ["win", 0.5], ["win", 0.5, -1])]
    wrong += [
        ("weight", beads[1:]),
        ("weight", [*beads, 1]),
        ("weight", [2**26, *beads[1:]]),
        ("picked", [-1] * len(beads)),
    ]
    learner = {**table_of(machine), "name": "menace-x", "plays": "X", "print": "a print", "games": 0}
    static = [resources.files("menace").joinpath(room, "static") for room in ("explorer", "site")]
    script = (
        static[0].joinpath("words.js").read_text("utf-8")
        + static[1].joinpath("learner_memory.js").read_text("utf-8")
        + READER
    )
    data = {"graph": graph_tables(positions), "learner": learner, "kept": KEPT, "wrong": wrong}
    data["clauses"] = for_scripts()
    answer = run_in_node(script, data)
    assert (answer["same"], answer["recalled"]) == (True, True)
    assert answer["unreleased"].endswith("the last commit that reads it is 4378f35a.")
    for (part, value), (message, is_gone) in zip(wrong, answer["wrong"], strict=True):
        expected = f'This file is damaged: its "{part}" is not in the format that this page writes.'
        assert (message, is_gone) == (expected, True), value
    assert all(
        message.startswith(('This file is damaged: its "curve"', 'This file is damaged: its "score"'))
        for message, _ in answer["long"]
    )
    needless = {"game", "learner", "plays", "lessons"}  # the page does not need these
    parts = ["format", "version", *needless, "print", *dict(wrong), "score"]
    assert sum(bool(message) for message, _ in answer["missing"]) == len({*parts}) - len(needless)


LINKS = """
  const { graph, learner, kept, clauses } = JSON.parse(require("fs").readFileSync(0, "utf8"));
  menace.clauses = clauses;
  const game = { title: "a game", graph: new menace.Graph({ graph }) };
  const { linkOf, fromLink } = menace, now = { ...menace.fresh(game, learner), ...kept }, link = linkOf(learner, now);
  const summed = text => {
    let sum = 0x811c9dc5;
    for (const letter of text) sum = Math.imul(sum ^ letter.charCodeAt(0), 0x01000193);
    return text + (sum >>> 0).toString(16).padStart(8, "0");
  };
  const { print } = learner, head = `${print}AAA`, many = `${"_".repeat(14)}B`, long = "g".repeat(5000);
  const changed = (letter, place) => link.slice(0, place) + (letter === "A" ? "B" : "A") + link.slice(place + 1);
  const hostile = ["", "%", "A", "AA", link.slice(1), link.slice(0, -1), `${link}A`, `${link}=`, link.repeat(4000),
    ...Array.from(link, changed), ...["", `${many}AA`, `${long}BAA`, "BAA!", "BAAé"].map(text => summed(print + text)),
    ...["A", "AB", "ACg", "ACB", `${many}CC`, `A${many}C`, "ABAA__BA", `${long}BCD`].map(text => summed(head + text))];
  const refusal = (text, of = learner) => {
    try {
      return JSON.stringify(fromLink(text, game, of));
    } catch (error) {
      return error.message;
    }
  };
  const read = fromLink(link, game, learner), parts = ["games", "weight", "picked", "epsilon"];
  const weight = kept.weight.map(() => 2 ** 26 - 1), picked = kept.picked.map(() => 10 ** 15);
  console.log(JSON.stringify({
    length: link.length, shape: /^[A-Za-z0-9_-]+$/.test(link), long: linkOf(learner, { ...now, weight, picked }),
    same: parts.every(part => JSON.stringify(read[part]) === JSON.stringify(now[part])),
    most: fromLink(linkOf(learner, { ...now, games: 10 ** 15 }), game, learner).games,
    hostile: hostile.map(text => refusal(text)), other: refusal(link, { ...learner, print: "0123456789abcdef" }),
  }));
"""


@pytest.mark.parametrize(
    ("game", "setup", "most"),
    [("hexapawn", preset("menace"), 200), ("tictactoe", preset("article-code", **TRIES), 2_000)],
)
def test_link_restores_the_memory_and_invalid_links_are_refused(
    game: str, setup: tuple[str, dict[str, Any]], most: int
) -> None:
    name, settings = setup
    machine = Machine(name, "O", positions_named(game), **settings)
    trained = machine.copy()
    play_games("random", trained, games=200, seed=1)
    table = table_of(trained)
    data = {
        "graph": graph_tables(positions_named(game)),
        "learner": table_of(machine),
        "kept": {"games": 200, **{part: table[part] for part in ("weight", "picked", "epsilon")}},
        "clauses": for_scripts(),
    }
    site, explorer = (resources.files("menace").joinpath(room, "static") for room in ("site", "explorer"))
    scripts = [explorer.joinpath("words.js"), *(site.joinpath(name) for name in ("learner_memory.js", "link.js"))]
    answer = run_in_node("\n".join([*(script.read_text("utf-8") for script in scripts), LINKS]), data)
    assert answer["shape"]
    assert answer["length"] < most
    assert answer["same"]
    assert answer["most"] == 10**15
    assert (answer["long"] is None) == (game == "tictactoe")
    assert set(answer["hostile"]) <= {
        "This link is damaged or incomplete; copy the whole link.",
        OTHER.format(machine.name),
    }
    assert answer["other"] == OTHER.format(machine.name)


OTHER = "This link is for a machine of another site, or for another export of {}."


SEED = 2**61 + 5
TRAINED = 7  # shown games
ALIKE = ("token", "said", "recorded", "error")  # keys whose values depend on where the game is stored
BROWSER = """
const { tables, learner, rival, clauses, order, games, seeds } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const element = { dataset: { print: learner.print, version: "0" }, addEventListener() {} };
const storage = items => ({ getItem: key => items[key] ?? null, setItem: (key, text) => { items[key] = text; } });
Object.assign(globalThis, { localStorage: storage({}), sessionStorage: storage({}), location: { search: "", hash: "" },
  document: { getElementById: () => element, querySelectorAll: () => [] }, addEventListener() {} });
Object.assign(menace, { tables, clauses, machines: [learner, rival] });
"""
PLAYED = """
(async () => {
  const { source } = menace;
  let reloaded;
  const answers = [["begin", "", await source.begin(order)]];
  const last = () => answers.at(-1)[2];
  const act = async (what, move = "") => { answers.push([what, move, await source.act(what, { move })]); };
  for (let game = 0; game < games; game += 1) {
    while (last().outcome === null) {
      await act("move", last().moves.at(-1).name);
      if (reloaded || last().outcome !== null) continue;
      await act("undo");
      reloaded = [last(), await source.again()];
    }
    await act("next");
  }
  await act("move", last().moves[0].name);
  if (last().outcome === null) await act("resign");
  const shown = [];
  for (const seed of seeds) shown.push(await source.train("/game", { against: "random", seed }));
  if (seeds.length) await source.train("/game", { against: rival.print, seed: seeds[0] });
  let progress;
  source.watch(answer => { progress = answer; });
  setTimeout(() => console.log(JSON.stringify({ answers, reloaded, shown, progress })), 5);
})();
"""
BEFORE = ("words.js", "drawing.js", "boards.js", "drawable_boxes.js", "learner_memory.js", "game.js")
AFTER = ("site_memory.js", "site_training.js", "site_session.js", "site_source.js")
GAMES_EACH = 3


def rounded(value: Any) -> Any:
    """Return JSON data with numbers rounded to nine decimals and with lists in place of tuples."""
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(each) for each in value]
    return round(value, 9) if isinstance(value, float) else value


@pytest.mark.parametrize(
    ("game", "variant", "plays", "preset", "greedy"),
    [
        ("tictactoe", "3x3x3", "X", "menace", False),
        ("tictactoe", "3x3x3", "O", "article-code", True),
        ("hexapawn", "3x3", "O", "menace", True),
        ("nim", "1-2-3", "X", "zhang", False),
    ],
)
def test_site_answers_like_a_server(
    tmp_path: Path, game: str, variant: str, plays: str, preset: str, greedy: bool
) -> None:
    with create_database(tmp_path / "menace.db", get_game(game, variant)) as store:
        new_learner(store, "adam", plays, preset)  # type: ignore[arg-type]
        new_learner(store, "eve", Side(plays).other)
        learner, rival = (
            {**site_learner_record(named_machine(store, name), BeadNames(positions_of(store), OWN)), "curve": []}
            for name in ("adam", "eve")
        )
        order = {"name": "Anna", "seed": str(SEED), "greedy": greedy, "learning": learner["learns"]}
        seeds = [str(seed) for seed in range(TRAINED if learner["learns"] else 0)]
        data = {"learner": learner, "clauses": for_scripts(), "order": order, "games": GAMES_EACH, "seeds": seeds}
        code = load_scripts(*BEFORE) + BROWSER + load_scripts(*AFTER) + PLAYED
        reply = run_in_node(code, {"tables": game_tables(positions_of(store)), "rival": rival, **data})
        policy: PolicyName = "greedy" if greedy else "behaviour"
        session = Session(store, "adam", seed=SEED, name="Anna", policy=policy, learns=learner["learns"])
        acts: dict[str, Callable[[str], object]] = {
            "begin": lambda _: session.answer(),
            "move": session.move,
            "undo": lambda _: session.undo(),
            "resign": lambda _: session.resign(),
            "next": lambda _: session.next_game(),
        }
        for what, move, theirs in reply["answers"]:
            acts[what](move)
            session.record()
            ours = session_record(store, "", session)

            assert theirs.keys() == ours.keys()
            assert rounded(theirs | dict.fromkeys(ALIKE)) == rounded(ours | dict.fromkeys(ALIKE))
            assert [type(theirs[key]) for key in ALIKE] == [type(ours[key]) for key in ALIKE]
        assert reply["reloaded"][0] == reply["reloaded"][1]
        for seed, theirs in zip(seeds, reply["shown"], strict=True):
            shown = training_game(store, "adam", order_run(store, one_game("adam", "random", int(seed))))
            assert theirs.keys() == shown.keys()
            assert rounded(theirs | {"run": None}) == rounded(shown | {"run": None})
            assert theirs["run"].keys() - {"why"} == shown["run"].keys()
            for key in ("kind", "x_player", "o_player", "x_learns", "o_learns", "games_played", "state", "seed"):
                assert theirs["run"][key] == shown["run"][key], key
        if seeds:
            training_game(store, "adam", order_run(store, one_game("adam", "eve", int(seeds[0]))))
        theirs, progress = reply["progress"], training_progress(store, "adam", None, {})
        assert theirs.keys() == progress.keys() | {"training"}
        for key in ("boxes", "contents", "rival"):
            assert rounded(theirs[key]) == rounded(progress[key])
        if learner["learns"]:
            assert theirs["run"].keys() == progress["run"].keys()
            assert rounded(theirs["strength"][-1]) == rounded(progress["strength"][-1])
        assert [theirs[key] for key in ("plays", "has_draws", "games", "more")] == [
            progress[key] for key in ("plays", "has_draws", "games", "more")
        ]
