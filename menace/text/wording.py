"""Words and phrases for users, shared by the terminal, labels, pages and figures.

This module defines the words for players, outcomes, verdicts, formats and parts of the game. The module also formats
percentages, counts, ordinals and suggested commands. The keys of the dictionaries are also used as names on the command
line and in files.
"""

from __future__ import annotations

import itertools
import os
import re
import shlex
from collections.abc import Collection, Iterable
from typing import Literal, TypeAlias, TypeVar, get_args

T = TypeVar("T")
LONGEST_SHOWN = 40  # maximum number of characters of an invalid value that a message quotes
Measure: TypeAlias = Literal["losses", "wins", "draws", "score"]
Scale: TypeAlias = Literal["linear", "log"]  # the scale of the axis that shows the number of games
Form: TypeAlias = Literal["csv", "json"]  # formats in which commands print data for other programs
TableForm: TypeAlias = Form | Literal["latex", "markdown"]  # also includes table formats for papers
Part: TypeAlias = Literal["all", "optimal", "played", "X-optimal", "O-optimal"]

# Strength is measured against these opponents; `best_response` is the best response to the learner.
OPPONENTS = {
    "random": "against random play",
    "optimal": "against optimal play",
    "best_response": "against the best response",
}

OUTCOMES = ("X wins", "draws", "O wins")  # the outcomes of a game, in the order in which they are counted
RESULTS = ("wins", "draws", "losses")  # results from a learner's point of view
MEASURES: dict[Measure, str] = {
    "losses": "games lost",
    "wins": "games won",
    "draws": "games drawn",
    "score": "score (wins plus half the draws)",
}

SCORE_WITHOUT_DRAWS = "score (wins)"

# Words for a minimax value: the outcome under perfect play, the verdict for the player to move, and what is at stake.
VALUES = {1: "X wins", 0: "a draw", -1: "O wins"}
VERDICTS = {1: "wins", 0: "draws", -1: "loses"}
VERDICTS_ON_SEVERAL = {"wins": "win", "draws": "draw", "loses": "lose"}
STAKES = {1: "X's win", 0: "the draw", -1: "O's win"}
ENDED = {1: "won", 0: "drew", -1: "lost"}  # the result of a game from a player's point of view

# This dictionary maps each named symmetry to an instruction for turning a board by hand and a description of the turned
# board.
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
    """Return a machine's display name, which is MENACE for the two default machines and its own name for any other.

    >>> called("menace-x"), called("menace-2"), called("beginner-3")
    ('MENACE', 'menace-2', 'Beginner')
    """
    return "MENACE" if name in ("menace-x", "menace-o") else BEGINNER.capitalize() if is_beginner(name) else name


BEGINNER = "beginner"  # the first machine that a browser's user teaches from scratch; the next is beginner-2


def is_beginner(name: str) -> bool:
    """Return whether a machine was created for a person to teach.

    >>> is_beginner("beginner"), is_beginner("beginner-12"), is_beginner("menace-x")
    (True, True, False)
    """
    return re.fullmatch(rf"{BEGINNER}(-\d+)?", name) is not None


FIGURE_FORMATS = ("svg", "png", "pdf")
PLOT_FORMATS = (*FIGURE_FORMATS, "csv")  # for figures whose data can also be exported
EXPORT_FORMATS = {
    "gexf": "for Gephi, with a layout and with colours that show who wins under perfect play",
    "graphml": "for yEd, Cytoscape, igraph, R",
    "dot": "for Graphviz, with drawings of the boards",
    "json": "nodes and edges, for d3, networkx, and your own programs",
    "csv": "two tables; game.csv creates the folder game/ with positions.csv and moves.csv",
}
SITE = "site"  # the export format that writes a folder of web pages
PARTS: tuple[Part, ...] = get_args(Part)

NOISE = 1e-14  # amounts below this are rounding errors; the smallest odds are 2^-40, about 1e-12
ROUNDS_TO_A_TENTH = 0.0005  # shares below this round to 0.0%
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def percent(share: float) -> str:
    """Return a share from 0 to 1 as a six-character percentage.

    Only shares of exactly 0 and 1 are shown as 0% and 100%.

    >>> percent(0.25), percent(1.0), percent(0.99999), percent(0.00001)
    (' 25.0%', '100.0%', '>99.9%', ' <0.1%')
    """
    if 0 < share < ROUNDS_TO_A_TENTH:
        return " <0.1%"
    if 1 - ROUNDS_TO_A_TENTH <= share < 1 - 1e-12:
        return ">99.9%"
    return f"{share:6.1%}"


def ends_of(items: Iterable[T], draws: bool) -> list[T]:
    """Return all three items for wins, draws and losses, or only the first and last if the game has no draws.

    >>> ends_of(OUTCOMES, draws=True), ends_of(OUTCOMES, draws=False)
    (['X wins', 'draws', 'O wins'], ['X wins', 'O wins'])
    """
    first, middle, last = items
    return [first, middle, last] if draws else [first, last]


def measure_text(measure: Measure, draws: bool) -> str:
    """Return the description of a measure.

    Args:
        measure: the measure's name.
        draws: whether games can end in a draw.

    >>> measure_text("score", draws=True), measure_text("score", draws=False)
    ('score (wins plus half the draws)', 'score (wins)')
    """
    return SCORE_WITHOUT_DRAWS if measure == "score" and not draws else MEASURES[measure]


def turned(symmetry: str) -> str:
    """Return a description of a board to which a symmetry has been applied.

    Args:
        symmetry: the name of the symmetry, which is shown unchanged if there is no description for it.

    >>> turned("half turn"), turned("left wing for right wing")
    ('the board turned half round', 'the board with left wing for right wing')
    """
    return f"the board {TURNS[symmetry][1] if symmetry in TURNS else f'with {symmetry}'}"


def games_text(games: float) -> str:
    """Return an axis label for a round number of games.

    >>> [games_text(games) for games in (0, 100, 1_000, 2_500, 100_000, 1_000_000)]
    ['0', '100', '1k', '2.5k', '100k', '1M']
    """
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if games >= size:
            return f"{games / size:g}{letter}"
    return f"{games:g}"


def counted(number: int, noun: str) -> str:
    """Return a number followed by its noun, in the plural unless the number is 1.

    >>> counted(1, "game"), counted(1200, "game"), counted(2, "box")
    ('1 game', '1,200 games', '2 boxes')
    """
    plural = f"{noun}es" if noun.endswith("x") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def without_noise(amount: float) -> float:
    """Return 0.0 if the amount differs from 0 only by rounding errors, otherwise the unchanged amount.

    >>> without_noise(2.8e-17), without_noise(1e-12), without_noise(4)
    (0.0, 1e-12, 4)
    """
    return 0.0 if 0 < abs(amount) < NOISE else amount


def amount_text(amount: float, unit: str) -> str:
    """Format a learner's amount for a move, which is a bead count, or a value or odds with four digits.

    Args:
        amount: the amount.
        unit: `beads`, `value` or `odds`.

    >>> amount_text(4, "beads"), amount_text(0.5, "value")
    ('4 beads', '0.5')
    """
    return counted(int(amount), "bead") if unit == "beads" else f"{without_noise(amount):.4g}"


def ordinal(number: int) -> str:
    """Return the word or abbreviation for an ordinal number, counting from 1.

    >>> ordinal(1), ordinal(12), ordinal(23)
    ('first', '12th', '23rd')
    """
    if 1 <= number <= len(ORDINALS):
        return ORDINALS[number - 1]
    ending = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """Return a "did you mean" suggestion for an unknown name, or "" if no known name is similar.

    >>> did_you_mean("monte", ["menace", "monte-carlo"]), did_you_mean("x", ["menace"])
    ('did you mean monte-carlo? ', '')
    """
    from difflib import get_close_matches  # imported here because only error messages need it

    return "".join(f"did you mean {name}? " for name in get_close_matches(str(word)[:LONGEST_SHOWN], known, n=1))


def unused_name(name: str, taken: Collection[str], sign: str = " ") -> str:
    """Return the name if it is free. Otherwise, append a separator and the first free number, starting from 2.

    Args:
        name: the desired name.
        taken: the names that are already in use.
        sign: the separator between the name and the number.

    >>> unused_name("adam", {"eva"}), unused_name("adam", {"adam", "adam 2"})
    ('adam', 'adam 3')
    """
    numbered = (f"{name}{sign}{number}" for number in itertools.count(2))
    return next(free for free in itertools.chain([name], numbered) if free not in taken)


WINDOWS_WORD = re.compile(r"[\w./:\\=+-]+")  # matches words that need no quotes in the Command Prompt and in PowerShell


def command_text(*words: str, db: str, **options: str) -> str:
    """Return a command that a person can type to work on the same database.

    Args:
        words: the command and its arguments.
        db: the path of the database, which is omitted from the result if it is the command's default.
        options: option values by option name.

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
    """Return a word of a command, quoted for the shell if necessary.

    On Windows, use double quotes, which both the Command Prompt and PowerShell accept.

    >>> quoted("menace-x"), quoted("my own.db")
    ('menace-x', "'my own.db'")
    """
    if os.name != "nt":
        return shlex.quote(word)
    # On Windows, names and paths cannot contain double quotes.
    return word if WINDOWS_WORD.fullmatch(word) else f'"{word}"'
