"""The rows of the table. Each row contains the programs for one task, with ours first."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

from benchmarks.peers.measuring import Do, Entry, Row

NIM, CONNECT = ("nim", "1-3-5-7"), ("connect", "4x4x3")
SPIEL_NIM = "nim(pile_sizes=1;3;5;7,is_misere=false)"
SPIEL_CONNECT = "connect_four(rows=4,columns=4,x_in_row=3)"
BATCH = 4096
GAMES = 10_000  # the number of games per run, which is the default of `menace selfplay`


def call_peer(module: str, function: str, *arguments: Any, **settings: Any) -> Do:
    """Import a module in peers/, call one of its functions, and return the result."""
    do: Do = getattr(import_module(f"benchmarks.peers.{module}"), function)(*arguments, **settings)
    return do


def make_entry(
    name: str, module: str, function: str, *arguments: Any, why: str = "", slow: bool = False, **settings: Any
) -> Entry:
    """Return the entry for a program that is set up by a function in peers/."""
    return Entry(name, partial(call_peer, module, function, *arguments, **settings), why, slow)


def our_entry(function: str, *arguments: Any, **settings: Any) -> Entry:
    """Return the entry for a function in peers/ours.py."""
    return make_entry("menace", "ours", function, *arguments, **settings)


def playouts_row(title: str, game: tuple[str, str], theirs: str, others: tuple[Entry, ...] = ()) -> Row:
    """Return the row for random games."""
    return Row(
        f"Random playouts, {title}",
        "game",
        "Both sides move at random, and neither learns. The games are played one after another.",
        (
            our_entry("playouts", game),
            make_entry("menace, not compiled", "ours", "uncompiled", "random", "random", game),
            make_entry("OpenSpiel, its bots in C++", "openspiel", "bots", theirs),
            make_entry("OpenSpiel, a loop in Python", "openspiel", "loops", theirs),
            *others,
        ),
    )


PLAYOUTS = (
    playouts_row(
        "noughts and crosses",
        ("tictactoe", "3x3x3"),
        "tic_tac_toe",
        (
            make_entry("PettingZoo, `raw_env`", "pettingzoo_env", "playouts", "raw_env"),
            make_entry("PettingZoo, `env`", "pettingzoo_env", "playouts", "env"),
            make_entry("pgx, one game at a time", "pgx_env", "playouts", 1),
        ),
    ),
    Row(
        "Random playouts, noughts and crosses, many at a time",
        "game",
        f"Both sides move at random. The library pgx plays {BATCH:,} games in one compiled call, and menace plays them "
        "one after another. On accelerators, for which pgx is designed, it plays more games at once.",
        (
            our_entry("playouts"),
            make_entry(
                f"pgx, {BATCH:,} games at a time",
                "pgx_env",
                "playouts",
                BATCH,
                why="It is designed to play thousands of games in one call.",
            ),
        ),
    ),
    playouts_row("Nim 1-3-5-7", NIM, SPIEL_NIM),
    playouts_row("connect 4x4x3", CONNECT, SPIEL_CONNECT),
)

SAME_WORK = "It is compiled for this game and these two players."


def c_entry(x: str, o: str) -> Entry:
    """Return the entry for the C program that does the same work as the kernel."""
    return make_entry("C, the same work", "c_programs", "same_work", x, o, why=SAME_WORK)


def textbook_entry(name: str, source: str) -> Entry:
    """Return the entry for a textbook program."""
    return make_entry(f"a textbook's program ({source})", "textbooks", "training", name)


TRAINING = (
    Row(
        "MENACE learns, both sides",
        "game",
        "Two machines with beads play each other, and both learn. The rewards are 3 beads for a win, 1 for a draw and "
        "-1 for a loss.",
        (
            our_entry("training", "menace", "menace"),
            make_entry("menace, not compiled", "ours", "uncompiled", "menace", "menace"),
            c_entry("menace", "menace"),
            make_entry(
                "C, the fastest",
                "c_programs",
                "fastest",
                why="It stores only beads, uses one table for both sides, and is compiled for this processor. "
                "It needs 612 instructions per game, and the kernel needs 743 "
                "([Performance](performance.md#commands)).",
            ),
            make_entry("matchbox-rl, an engine a side", "matchboxes", "training"),
        ),
    ),
    Row(
        "Favourite beads learn, both sides",
        "game",
        "Two machines play the colour with the most beads, or any colour with probability 0.3. Both learn from the "
        "winner.",
        (
            our_entry("training", "article-code", "article-code", epsilon=0.3),
            textbook_entry("article", "matchboxes in Python"),
        ),
    ),
    Row(
        "TD(0) learns, both sides",
        "game",
        "Two tables of values play each other with epsilon 0.01, and both learn. They update all boards, starting with "
        "the last.",
        (
            our_entry("training", "zhang", "zhang"),
            make_entry("menace, not compiled", "ours", "uncompiled", "zhang", "zhang"),
            c_entry("zhang", "zhang"),
            textbook_entry("zhang", "Sutton and Barto's chapter 1"),
        ),
    ),
    Row(
        "Values of afterstates learn, both sides",
        "game",
        "Two tables of afterstate values play each other with epsilon 0.02, and both learn.",
        (
            our_entry("training", "value-function", "value-function"),
            make_entry("menace, not compiled", "ours", "uncompiled", "value-function", "value-function"),
            textbook_entry("gutmann", "Gutmann and others"),
        ),
    ),
    Row(
        "A table of Q values learns against random play",
        "game",
        "X learns with an epsilon that falls from 1. O moves at random and does not learn.",
        (
            our_entry("training", "q-table", "random"),
            make_entry("menace, not compiled", "ours", "uncompiled", "q-table", "random"),
            c_entry("q-table", "random"),
            textbook_entry("q_table", "notes of a course"),
        ),
    ),
    Row(
        "Q-learning, both sides, much exploration",
        "game",
        "Two tables of Q values play each other with an epsilon that falls from 1 to 0.5, and both learn.",
        (
            our_entry("training", "sala", "sala"),
            make_entry("menace, not compiled", "ours", "uncompiled", "sala", "sala"),
            c_entry("sala", "sala"),
            textbook_entry("sala", "a notebook"),
        ),
    ),
    *(
        Row(
            f"Q-learning, both sides, {title}",
            "game",
            "Two tabular Q-learners play each other with alpha 0.1 and epsilon 0.1, and both learn. Nothing is "
            "evaluated.",
            (
                our_entry("training", "q-learning", "q-learning", game),
                make_entry("menace, not compiled", "ours", "uncompiled", "q-learning", "q-learning", game),
                make_entry("OpenSpiel, `tabular_qlearner`", "openspiel", "q_learning", theirs),
            ),
        )
        for title, game, theirs in (
            ("noughts and crosses", ("tictactoe", "3x3x3"), "tic_tac_toe"),
            ("Nim 1-3-5-7", NIM, SPIEL_NIM),
        )
    ),
)

EXPLOITABILITY = tuple(
    Row(
        f"NashConv of uniform play, {title}",
        "policy pair",
        "The program computes the exact NashConv, which is the loss of both sides to their best responses.",
        (
            our_entry("nash_conv", game),
            make_entry("menace, positions made each time", "ours", "nash_conv_with_enumeration", game),
            make_entry("OpenSpiel, `pyspiel.nash_conv`", "openspiel", "nash_conv", theirs, slow=True),
            make_entry("OpenSpiel, `exploitability.nash_conv`", "openspiel", "nash_conv_in_python", theirs, slow=True),
        ),
    )
    for title, game, theirs in (
        ("noughts and crosses", ("tictactoe", "3x3x3"), "tic_tac_toe"),
        ("Nim 3-4-5", ("nim", "3-4-5"), "nim(pile_sizes=3;4;5,is_misere=false)"),
    )
)


def script_entry(name: str, library: str, call: str, count: int = 1, why: str = "") -> Entry:
    """Return the entry for a Python script. The time of a script includes the time that Python takes to start."""
    return make_entry(name, "whole_programs", "script", library, call, count, why=why, slow=True)


def command_entry(games: int) -> Entry:
    """Return the entry for a complete `menace selfplay` command."""
    return make_entry(f"`menace selfplay --games {games}`", "whole_programs", "selfplay", games, slow=True)


def runs_row(title: str, counts: str, *entries: Entry) -> Row:
    """Return a row for complete scripts and commands."""
    return Row(title, "run", counts, entries)


WHOLE = (
    runs_row(
        f"From the shell: {GAMES:,} games of MENACE, both sides learn",
        "The command `menace selfplay` creates a database, plays, stores every bead, and measures exact strength at "
        "its marks. The scripts store nothing.",
        command_entry(GAMES),
        script_entry("menace, a script", "menace", "ours.training('menace', 'menace')", GAMES),
        script_entry(
            "matchbox-rl, a script",
            "matchbox",
            "matchboxes.training()",
            GAMES,
            "The command creates a database and measures strength, but this script stores nothing. The command is "
            "faster for more than about twenty thousand games.",
        ),
    ),
    runs_row(
        f"From the shell: {GAMES:,} games of TD(0), both sides learn",
        "The time is that of a whole script, including the start of Python. The script stores nothing.",
        script_entry("menace, a script", "menace", "ours.training('zhang', 'zhang')", GAMES),
        script_entry(
            "a textbook's program (Sutton and Barto's chapter 1)", "numpy", "textbooks.training('zhang')", GAMES
        ),
    ),
    runs_row(
        f"From the shell: {GAMES:,} games of Q-learning, both sides learn",
        "The time is that of a whole script, including the start of Python. The script stores nothing.",
        script_entry("menace, a script", "menace", "ours.training('q-learning', 'q-learning')", GAMES),
        script_entry("OpenSpiel, a script", "pyspiel", "openspiel.q_learning('tic_tac_toe')", GAMES),
    ),
    runs_row(
        f"From the shell: {GAMES:,} random playouts",
        "The time is that of a whole script, including the start of Python.",
        script_entry("menace, a script", "menace", "ours.playouts()", GAMES),
        script_entry(
            "OpenSpiel, a script with its bots",
            "pyspiel",
            "openspiel.bots('tic_tac_toe')",
            GAMES,
            "It does not import NumPy and builds no table of positions. Our script is faster for more than about fifty "
            "thousand games.",
        ),
        script_entry("PettingZoo, a script", "pettingzoo", "pettingzoo_env.playouts('raw_env')", GAMES),
        script_entry(f"pgx, a script, {BATCH:,} at a time", "pgx", f"pgx_env.playouts({BATCH})", GAMES),
    ),
    runs_row(
        "From the shell: NashConv of uniform play",
        "The time is that of a whole script, including the start of Python.",
        script_entry("menace, a script", "menace", "ours.nash_conv()"),
        script_entry("OpenSpiel, a script in C++", "pyspiel", "openspiel.nash_conv('tic_tac_toe')"),
    ),
    runs_row(
        "From the shell: one game of MENACE",
        "The command plays a single game, so start-up takes most of the time.",
        command_entry(1),
        script_entry(
            "matchbox-rl, a script",
            "matchbox",
            "matchboxes.training()",
            1,
            "It imports only a few hundred lines of Python and stores nothing. The command creates a database of all "
            "positions with two machines, and measures the machines.",
        ),
    ),
)

ROWS = (*PLAYOUTS, *TRAINING, *EXPLOITABILITY, *WHOLE)
