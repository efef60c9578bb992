"""User-facing words and phrases, shared by the terminal, labels, pages and figures.

Players, outcomes, verdicts, formats and parts of the game, each defined once; percentages, counts and ordinals; and
suggested commands. The keys here are also the names on the command line and in files.
"""

from __future__ import annotations

import itertools
import os
import re
import shlex
from collections.abc import Collection, Iterable, Mapping
from typing import Literal, TypeAlias, TypeVar, get_args

T = TypeVar("T")
LONGEST_SHOWN = 40  # characters of a wrong value or text, in a message
Measure: TypeAlias = Literal["losses", "wins", "draws", "score"]
Form: TypeAlias = Literal["csv", "json"]  # of what commands print for other programs
TableForm: TypeAlias = Form | Literal["latex", "markdown"]  # the same, and tables of papers
Part: TypeAlias = Literal["all", "optimal", "played", "X-optimal", "O-optimal"]

# The opponents against which strength is measured.
OPPONENTS = {
    "random": "against random play",
    "optimal": "against optimal play",
    "best_response": "against the best response",
}

OUTCOMES = ("X wins", "draws", "O wins")  # of games, in the order in which they are counted
RESULTS = ("wins", "draws", "losses")  # of a learner
MEASURES: dict[Measure, str] = {
    "losses": "games lost",
    "wins": "games won",
    "draws": "games drawn",
    "score": "score (wins plus half the draws)",
}

SCORE_WITHOUT_DRAWS = "score (wins)"

# Under perfect play, by minimax value: what the value is to X and O, to the player to move, and what is at stake.
VALUES = {1: "X wins", 0: "a draw", -1: "O wins"}
VERDICTS = {1: "wins", 0: "draws", -1: "loses"}
VERDICTS_ON_SEVERAL = {"wins": "win", "draws": "draw", "loses": "lose"}
STAKES = {1: "X's win", 0: "the draw", -1: "O's win"}
ENDED = {1: "won", 0: "drew", -1: "lost"}  # how a game ended for a player

# By the name of a symmetry that turns a board: how to turn a board by hand, and how it lies then.
TURNS = {
    "identity": ("as on the label", "as it is"),
    "half turn": ("half turn", "turned half round"),
    "quarter turn clockwise": ("quarter turn clockwise", "turned a quarter clockwise"),
    "quarter turn anticlockwise": ("quarter turn anticlockwise", "turned a quarter anticlockwise"),
    "left-right mirror": ("mirror left and right", "mirrored left and right"),
    "top-bottom mirror": ("mirror top and bottom", "mirrored top and bottom"),
    "diagonal mirror": ("mirror over the diagonal \\", "mirrored over the diagonal \\"),
    "antidiagonal mirror": ("mirror over the diagonal /", "mirrored over the diagonal /"),
}


def called(name: str) -> str:
    """Return what people call a machine: MENACE, where nobody has given it another name.

    >>> called("menace-x"), called("menace-2")
    ('MENACE', 'menace-2')
    """
    return "MENACE" if name in ("menace-x", "menace-o") else name


def rewards_of(settings: Mapping[str, object]) -> dict[str, str]:
    """Return what each box of a game gets after it, with a sign, if all get alike, as Michie's; else nothing.

    >>> rewards_of({"win": 3, "draw": 1, "loss": 0, "credit": "all"}), rewards_of({"alpha": 0.5})
    ({'win': '+3', 'draw': '+1', 'loss': '+0'}, {})
    """
    if settings.get("credit") != "all":
        return {}
    return {name: f"{settings[name]:+}".replace("-", "\N{MINUS SIGN}") for name in ("win", "draw", "loss")}


FIGURE_FORMATS = ("svg", "png", "pdf")
PLOT_FORMATS = (*FIGURE_FORMATS, "csv")  # of figures whose numbers are a table, too
EXPORT_FORMATS = {
    "gexf": "for Gephi, laid out and coloured by who wins under perfect play",
    "graphml": "for yEd, Cytoscape, igraph, R",
    "dot": "for Graphviz, with the boards drawn",
    "json": "nodes and edges, for d3, networkx, and programs of your own",
    "csv": "two tables: game.csv makes the folder game/, with positions.csv and moves.csv",
}
SITE = "site"  # what is exported as a folder of pages
PARTS: tuple[Part, ...] = get_args(Part)

NOISE = 1e-14  # what rounding can leave of a mean that is 0; the least of odds is 2^-40, about 1e-12
ROUNDS_TO_A_TENTH = 0.0005  # a smaller share would show as 0.0%
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def percent(share: float) -> str:
    """Return a share, 0 to 1, as a percentage in six characters; what is neither 0 nor 1 never looks like it.

    >>> percent(0.25), percent(1.0), percent(0.99999), percent(0.00001)
    (' 25.0%', '100.0%', '>99.9%', ' <0.1%')
    """
    if 0 < share < ROUNDS_TO_A_TENTH:
        return " <0.1%"
    if 1 - ROUNDS_TO_A_TENTH <= share < 1 - 1e-12:
        return ">99.9%"
    return f"{share:6.1%}"


def ends_of(items: Iterable[T], draws: bool) -> list[T]:
    """Return all three items (of wins, draws, losses), or the two of a game that has no draws.

    >>> ends_of(OUTCOMES, draws=True), ends_of(OUTCOMES, draws=False)
    (['X wins', 'draws', 'O wins'], ['X wins', 'O wins'])
    """
    first, middle, last = items
    return [first, middle, last] if draws else [first, last]


def measure_text(measure: Measure, draws: bool) -> str:
    """Return what is measured in words; `draws` says whether the game has any.

    >>> measure_text("score", draws=True), measure_text("score", draws=False)
    ('score (wins plus half the draws)', 'score (wins)')
    """
    return SCORE_WITHOUT_DRAWS if measure == "score" and not draws else MEASURES[measure]


def turned(symmetry: str) -> str:
    """Return how a board that a symmetry has carried to another one lies there.

    Args:
        symmetry: its name; one that only its game knows is shown as it is.

    >>> turned("half turn"), turned("left wing for right wing")
    ('the board turned half round', 'the board with left wing for right wing')
    """
    return f"the board {TURNS[symmetry][1] if symmetry in TURNS else f'with {symmetry}'}"


def games_text(games: float) -> str:
    """Return a round number of games as an axis says it.

    >>> [games_text(games) for games in (0, 100, 1_000, 2_500, 100_000, 1_000_000)]
    ['0', '100', '1k', '2.5k', '100k', '1M']
    """
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if games >= size:
            return f"{games / size:g}{letter}"
    return f"{games:g}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "game"), counted(1200, "game"), counted(2, "box")
    ('1 game', '1,200 games', '2 boxes')
    """
    plural = f"{noun}es" if noun.endswith("x") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def without_noise(amount: float) -> float:
    """Return a number for people; what is as near to 0 as rounding errors are is 0.

    >>> without_noise(2.8e-17), without_noise(1e-12), without_noise(4)
    (0.0, 1e-12, 4)
    """
    return 0.0 if 0 < abs(amount) < NOISE else amount


def amount_text(amount: float, unit: str) -> str:
    """Return a learner's amount for a move: beads as a count, values and odds in four digits.

    >>> amount_text(4, "beads"), amount_text(0.5, "value")
    ('4 beads', '0.5')
    """
    return counted(int(amount), "bead") if unit == "beads" else f"{without_noise(amount):.4g}"


def ordinal(number: int) -> str:
    """Return a number, counted from 1, as an ordinal.

    >>> ordinal(1), ordinal(12), ordinal(23)
    ('first', '12th', '23rd')
    """
    if 1 <= number <= len(ORDINALS):
        return ORDINALS[number - 1]
    ending = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """Return a suggestion for the middle of a message about an unknown name, or nothing if no known one is similar.

    >>> did_you_mean("monte", ["menace", "monte-carlo"]), did_you_mean("x", ["menace"])
    ('did you mean monte-carlo? ', '')
    """
    from difflib import get_close_matches  # which only an error needs

    return "".join(f"did you mean {name}? " for name in get_close_matches(str(word)[:LONGEST_SHOWN], known, n=1))


def unused_name(name: str, taken: Collection[str], sign: str = " ") -> str:
    """Return a name that is not taken: the name itself, or with a number from 2 on after a sign.

    >>> unused_name("adam", {"eva"}), unused_name("adam", {"adam", "adam 2"})
    ('adam', 'adam 3')
    """
    numbered = (f"{name}{sign}{number}" for number in itertools.count(2))
    return next(free for free in itertools.chain([name], numbered) if free not in taken)


WINDOWS_WORD = re.compile(r"[\w./:\\=+-]+")  # is the same to the Command Prompt and PowerShell without quotes


def command_text(*words: str, db: str, **options: str) -> str:
    """Return a command as a person can type it, on the same database.

    Args:
        words: the command, then its arguments.
        db: the database's path; left out if it is the command's default.
        options: values by the names of options.

    >>> command_text("show", ".........", db="my own.db", learner="menace-x")
    "menace show ......... --learner=menace-x --db 'my own.db'"
    >>> command_text("strength", "-x", db="menace.db")
    'menace strength -- -x'
    """
    command, *arguments = words
    given = [f"--{name}={value}" for name, value in options.items()]
    if db != (os.environ.get("MENACE_DB") or "menace.db"):
        given += [f"--db={db}"] if db.startswith("-") else ["--db", db]
    if any(argument.startswith("-") for argument in arguments):
        return " ".join(map(quoted, ["menace", command, *given, "--", *arguments]))
    return " ".join(map(quoted, ["menace", command, *arguments, *given]))


def quoted(word: str) -> str:
    """Return a word of a command as a shell takes it; on Windows in double quotes, which both of its shells know.

    >>> quoted("menace-x"), quoted("my own.db")
    ('menace-x', "'my own.db'")
    """
    if os.name != "nt":
        return shlex.quote(word)
    return word if WINDOWS_WORD.fullmatch(word) else f'"{word}"'  # no name or path has a double quote there
