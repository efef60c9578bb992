"""What a site answers is what a server answers: the same keys, and to the same game with the same numbers the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_site import scripts
from test_site_learner import by_node

from menace.analysis.bead_names import BeadNames
from menace.explorer.sessions.progress import progress_of
from menace.explorer.sessions.scene import scene_of
from menace.explorer.sessions.training import one_game, training_game
from menace.games import get_game
from menace.games.base import Side
from menace.learners.policy import PolicyName
from menace.ledger.database_file import create_database
from menace.ledger.learners import named_machine, new_learner
from menace.ledger.positions import positions_of
from menace.ledger.runs import order as order_run
from menace.people.session import Session
from menace.site.play_tables import game_tables, learner_table
from menace.text.naming_schemes import OWN
from menace.text.narration import for_scripts

SEED = 2**61 + 5
TRAINED = 7  # games that are shown
ALIKE = ("token", "said", "recorded", "error")  # keys whose contents say where the game is kept
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
BEFORE = ("words.js", "drawing.js", "boards.js", "records.js", "kept.js", "game.js")
AFTER = ("site_memory.js", "site_training.js", "site_session.js", "site_source.js")
GAMES = 3


def rounded(value: Any) -> Any:
    """Return JSON with its numbers to nine decimals, and lists for tuples."""
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
def test_a_site_answers_as_a_server_does(
    tmp_path: Path, game: str, variant: str, plays: str, preset: str, greedy: bool
) -> None:
    with create_database(tmp_path / "menace.db", get_game(game, variant)) as store:
        new_learner(store, "adam", plays, preset)  # type: ignore[arg-type]
        new_learner(store, "eve", Side(plays).other)
        learner, rival = (
            {**learner_table(named_machine(store, name), BeadNames(positions_of(store), OWN)), "curve": []}
            for name in ("adam", "eve")
        )
        order = {"name": "Anna", "seed": str(SEED), "greedy": greedy, "learning": learner["learns"]}
        seeds = [str(seed) for seed in range(TRAINED if learner["learns"] else 0)]
        data = {"learner": learner, "clauses": for_scripts(), "order": order, "games": GAMES, "seeds": seeds}
        code = scripts(*BEFORE) + BROWSER + scripts(*AFTER) + PLAYED
        reply = by_node(code, {"tables": game_tables(positions_of(store)), "rival": rival, **data})
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
            ours = scene_of(store, "", session)

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
        theirs, progress = reply["progress"], progress_of(store, "adam", None, {})
        assert theirs.keys() == progress.keys() | {"training"}
        for key in ("boxes", "contents", "rival"):
            assert rounded(theirs[key]) == rounded(progress[key])
        if learner["learns"]:
            assert theirs["run"].keys() == progress["run"].keys()
            assert rounded(theirs["strength"][-1]) == rounded(progress["strength"][-1])
        assert [theirs[key] for key in ("plays", "has_draws", "games", "more")] == [
            progress[key] for key in ("plays", "has_draws", "games", "more")
        ]
