"""Grade players exactly: compute their strength, refutation, mistakes and contradictions."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from menace.analysis.board_report import LineOfPlay, play_on_boards
from menace.arena import exact_strength
from menace.drawing.boards import board_svg
from menace.errors import InvalidPlayer
from menace.files.tables import Table, Tabular, html_table
from menace.games import DEFAULT_GAME, get_game
from menace.games.base import Board, Game, Side, SideText, join_names
from menace.games.enumeration import enumerate_positions, tictactoe, without_symmetry
from menace.games.positions import Positions
from menace.games.symmetry import SymmetricGame
from menace.learners.opponents.fixed import STANDARD, fixed_opponent, fixed_policy
from menace.learners.opponents.functions import note_on_chance
from menace.learners.player_to_policy import Player, policy_of
from menace.learners.policy import Policy, PolicyName, ask, changed_answer, check_policy_name
from menace.ledger.learners import loaded_player
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.ledger.training import measure
from menace.text.wording import OPPONENTS, RESULTS, VERDICTS, counted, ends_of, percent

PLAIN = (
    *("name", "plays", "policy", "game", "symmetric", "boards_asked", "varies"),
    *("value", "exploitability", "unbeatable"),
)
RESULT = ("win", "draw", "loss")
STRENGTHS = (
    *("name", "plays", "policy", "opponent", *RESULT, "exploitability"),
    *("line", "line_probability", "line_ended_by"),
)
HEADER = ("board", "move", "instead of", "result", "makes it", "comes there (random)", "(optimal)")
SHOWN = 10  # number of mistakes shown in the repr of a list of mistakes
DRAWN = 3  # number of mistakes that a grade prints and draws
SAME = 1e-12  # smaller differences between probabilities are rounding errors


class Mistake(NamedTuple):
    """A move after which a player can no longer force a result that it could force before.

    Attributes:
        board: the canonical board, or if a function was called for every board, a board on which it errs. Such a
            mistake also represents images of the board on which the function makes the same move equally often.
        moves: the names of the equivalent moves; empty if the player resigns on the board.
        probability: the probability, 0 to 1, that the player makes one of these moves on the board.
        before: the best result that the player could force before the move (1 for a win, 0 for a draw, -1 for a loss).
        after: the best result that the player can force after the move.
        reach_random: the probability that the player's game against `random` reaches this board.
        reach_optimal: the probability that the player's game against `optimal` reaches this board.
    """

    board: Board
    moves: tuple[str, ...]
    probability: float
    before: int
    after: int
    reach_random: float
    reach_optimal: float

    @property
    def cost_random(self) -> float:
        """The average loss of value per game against `random`; turning a win into a loss counts as 2."""
        return self.reach_random * self.probability * (self.before - self.after)

    @property
    def cost_optimal(self) -> float:
        """The average loss of value per game against `optimal`.

        Summed over a player's mistakes, this cost equals the value of the game minus the player's own value.
        """
        return self.reach_optimal * self.probability * (self.before - self.after)

    @property
    def in_words(self) -> str:
        """A phrase that describes the mistake."""
        moves = join_names(self.moves) or "to resign"
        return (
            f"{moves} at {self.board} ({percent(self.probability).strip()}) {VERDICTS[self.after]} instead of"
            f" {VERDICTS[self.before]}; {percent(self.reach_random).strip()} of games {OPPONENTS['random']} come there"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the mistake and its costs as a dictionary of plain values."""
        own = self._asdict() | {"moves": list(self.moves)}
        return own | {"cost_random": self.cost_random, "cost_optimal": self.cost_optimal}

    @property
    def row(self) -> tuple[str, ...]:
        """The mistake as a row of text with the columns HEADER."""
        shares = (percent(share).strip() for share in (self.probability, self.reach_random, self.reach_optimal))
        moves = " ".join(self.moves) or "resigns"
        return (self.board, moves, VERDICTS[self.before], VERDICTS[self.after], *shares)


class Contradiction(NamedTuple):
    """A board on which a function's answer differs from its answer on a mirrored or rotated board.

    Attributes:
        board: the board.
        moves: the names of the moves that the function makes on this board.
        image: the mirrored or rotated board, for which the function was called earlier.
        image_moves: the names of the moves that the function makes on the image.
    """

    board: Board
    moves: tuple[str, ...]
    image: Board
    image_moves: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Grade(Tabular):
    """The exact grade of a player. Each part of the grade is computed when it is first used.

    Attributes:
        player: the policy that was graded.
        symmetric: whether the player treats mirrored and rotated boards alike. menace's own players do so, and a
            function that is graded with `symmetric=True` is assumed to do so.
        asked: the numbers of the positions for which a function was called, or None for other players.
        seconds_per_move: the average time that a function took for a move, or None for other players. This time is not
            exported, and grades that differ only in this time are equal.
        varies: a board on which a function gave a different answer when it was called again, or None if no such board
            was found.

    >>> def first(board, moves):
    ...     return moves[0]
    >>> str(grade(first, plays="O")).splitlines()[4:8]  # doctest: +NORMALIZE_WHITESPACE
    ['  exploitability 1.0000',
     '  most likely refutation (probability 1): 0 1 3 2 6',
     '  errs on 62 boards',
     '    0 at ..X...... (100.0%) loses instead of draws; 22.2% of games against random play come there']
    """

    player: Policy
    symmetric: bool = True
    asked: tuple[int, ...] | None = None
    seconds_per_move: float | None = None
    varies: Board | None = None

    @property
    def name(self) -> str:
        """The name of the player. A machine that is not in a database has the name of its algorithm."""
        return self.player.name

    @property
    def plays(self) -> Side:
        """The side that the player plays."""
        return self.player.plays

    @property
    def policy(self) -> PolicyName:
        """The kind of the machine's policy: `behaviour` (as in training) or `greedy`."""
        return self.player.kind

    @property
    def game(self) -> str:
        """The title of the game, such as `tictactoe 3x3x3`."""
        return self.player.positions.title

    @property
    def draws(self) -> bool:
        """Whether the game can end in a draw."""
        return self.player.positions.has_draws

    @property
    def value(self) -> int:
        """The value of the game (1, 0 or -1) for the player's side under perfect play."""
        return exact_strength.game_value(self.player.positions, self.player.side)

    @cached_property
    def against(self) -> dict[str, exact_strength.Strength]:
        """The strength by opponent: `random`, `optimal` and `best_response`."""
        return measure(self.player)

    @property
    def against_best_response(self) -> exact_strength.Strength:
        """The player's strength against its best response."""
        return self.against["best_response"]

    @cached_property
    def exploitability(self) -> float:
        """The value of the game minus the player's value against the best response, from 0 to 2."""
        return exact_strength.exploitability_from_strength(
            self.player.positions, self.against_best_response, self.player.side
        )

    @cached_property
    def line(self) -> exact_strength.RefutingLine | None:
        """The line of play that is most likely to beat the player, or None if no opponent can beat the player."""
        return exact_strength.most_likely_refutation(self.player)

    @property
    def unbeatable(self) -> bool:
        """Whether no opponent can beat the player."""
        return self.line is None

    @cached_property
    def _play(self) -> LineOfPlay:
        positions = self.player.positions
        return play_on_boards(positions, positions.game.initial, self.line.moves if self.line else ())

    @property
    def boards(self) -> tuple[Board, ...]:
        """The boards of the refutation, starting with the first board."""
        return self._play.boards

    @property
    def actions(self) -> tuple[int, ...]:
        """The actions of the refutation."""
        return self._play.actions

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of the refutation's moves."""
        return tuple(map(self.player.positions.game.name_of, self.boards, self.actions))

    @property
    def blame(self) -> str:
        """A description of the move to blame: the move that makes the refutation a loss, or the worst mistake."""
        positions, sign, blamed = self.player.positions, self.plays.sign, ""
        values = [int(positions.minimax[positions.number_of(board)]) * sign for board in self.boards]
        for number, move in enumerate(self.moves):
            if values[number] > values[number + 1] == -1:  # only the player's own moves reduce its value
                blamed = f"{move} at {self.boards[number]} loses instead of {VERDICTS[values[number]]}"
        if blamed or not self.mistakes:
            return blamed or f"nothing; {self.plays} cannot force more"
        return self.mistakes[0].in_words

    @property
    def boards_asked(self) -> int | None:
        """The number of boards for which a function was called, or None for other players."""
        return None if self.asked is None else len(self.asked)

    @cached_property
    def contradictions(self) -> tuple[Contradiction, ...] | None:
        """The boards on which a function contradicts its answer on a mirrored or rotated board.

        The value is None if the player is symmetric.
        """
        if self.symmetric or self.asked is None:
            return None
        positions, found = self.player.positions, []
        first: dict[Board, tuple[int, dict[Board, float]]] = {}
        for position in self.asked:
            answer: dict[Board, float] = {}  # the probability of each next position
            for move in self._made(position):
                after = _canonical(positions, int(positions.next_position[move]))
                answer[after] = answer.get(after, 0.0) + float(self.player.probability[move])
            image, other = first.setdefault(_canonical(positions, position), (position, answer))
            if any(abs(answer.get(after, 0.0) - other.get(after, 0.0)) > SAME for after in {*answer, *other}):
                found.append(Contradiction(*self._made_in_words(position), *self._made_in_words(image)))
        return tuple(found)

    def _made(self, position: int) -> list[int]:
        return [move for move in self.player.positions.moves_of(position) if self.player.probability[move] > 0]

    def _made_in_words(self, position: int) -> tuple[Board, tuple[str, ...]]:
        """Return a board and the names of the moves made on it. There are no names if the player resigns."""
        described = [self.player.positions.board_and_names(move) for move in self._made(position)]
        return self.player.positions.boards[position], tuple(name for _, names in described for name in names)

    @cached_property
    def mistakes(self) -> tuple[Mistake, ...]:
        """All the player's mistakes, in descending order of their cost against `random`, then against `optimal`."""
        played, positions, sign = self.player, self.player.positions, self.plays.sign
        others = (fixed_policy(name, positions, self.plays.other.number) for name in STANDARD)
        reached = [exact_strength.reach(*self.plays.x_and_o(played, other)) for other in others]
        here = positions.moved_by(played.side) & (reached[0] > 0)
        wrong = np.flatnonzero(here[positions.position_of_move] & ~positions.optimal & (played.probability > 0))
        given_up = np.flatnonzero(here & (played.resigns > 0) & (positions.minimax * sign > -1))
        at = np.concatenate([positions.position_of_move[wrong], given_up])
        before = positions.minimax[at] * sign
        child = np.concatenate([positions.next_position[wrong], given_up])
        after = np.where(np.arange(len(at)) < len(wrong), positions.minimax[child] * sign, -1)
        probability = np.concatenate([played.probability[wrong], played.resigns[given_up]])
        random, optimal = (shares[at] for shares in reached)
        cost = probability * (before - after)
        order = np.lexsort((-cost * optimal, -cost * random))
        described = [positions.board_and_names(move) for move in wrong.tolist()]
        described += [(positions.boards[position], ()) for position in given_up.tolist()]
        texts = zip(*(described[number] for number in order.tolist()), strict=True)
        columns = (column[order].tolist() for column in (probability, before, after, random, optimal))
        listed = list(map(Mistake, *texts, *columns)) if described else []
        if positions.symmetry == "full":
            return tuple(listed)
        joined: dict[object, Mistake] = {}  # equally likely mistakes on images of one board count as one
        for mistake, *ends in zip(listed, at[order].tolist(), child[order].tolist(), strict=True):
            key = (*(_canonical(positions, end) for end in ends), round(mistake.probability / SAME))
            sums = joined.get(key, mistake._replace(reach_random=0.0, reach_optimal=0.0))
            reach_random, reach_optimal = (
                sums.reach_random + mistake.reach_random,
                sums.reach_optimal + mistake.reach_optimal,
            )
            joined[key] = sums._replace(reach_random=reach_random, reach_optimal=reach_optimal)
        return tuple(sorted(joined.values(), key=lambda mistake: (-mistake.cost_random, -mistake.cost_optimal)))

    @property
    def erring(self) -> int:
        """The number of boards on which the player errs."""
        return len({mistake.board for mistake in self.mistakes})

    def to_dict(self) -> dict[str, Any]:
        """Return the grade as a dictionary of plain values, without the time per move."""
        line, refutation, contradictions = self.line, None, None
        if line is not None:
            moves = {"boards": list(self.boards), "moves": list(self.moves)}
            refutation = {"probability": line.probability, **moves, "resigns": line.resigns}
        if self.contradictions is not None:
            contradictions = [
                {name: value if isinstance(value, str) else list(value) for name, value in each._asdict().items()}
                for each in self.contradictions
            ]
        return {name: getattr(self, name) for name in PLAIN} | {
            "against": {opponent: strength._asdict() for opponent, strength in self.against.items()},
            "refutation": refutation,
            "mistakes": [mistake.to_dict() for mistake in self.mistakes],
            "contradictions": contradictions,
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grade) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.name, self.plays, self.policy, self.game, *self.against.values()))

    def rows(self) -> list[tuple[str, ...]]:
        """Return a row for each opponent with its name and the percentages of wins, draws (if any) and losses."""
        return [
            (OPPONENTS[opponent], *(percent(share).strip() for share in ends_of(outcomes, self.draws)))
            for opponent, outcomes in self.against.items()
        ]

    @property
    def _who(self) -> str:
        return f"{self.name} plays {self.plays} ({self.policy})"

    @property
    def _results(self) -> list[str]:
        lines, results = [self._who], ends_of(RESULTS, self.draws)
        for opponent, *shares in self.rows():
            lines.append(f"  {opponent}: {', '.join(map(' '.join, zip(results, shares, strict=True)))}")
        return [*lines, f"  exploitability {self.exploitability:.4f}"]

    @property
    def notes(self) -> list[str]:
        """Notes on what the results do not show: the refutation, the mistakes, the symmetry and the time."""
        line, told = self.line, []
        if line is None:
            told.append("no opponent can beat it")
        else:
            told.append(f"most likely refutation (probability {line.probability:.6g}): {join_names(self.moves)}")
        told.append(f"errs on {counted(self.erring, 'board')}" if self.mistakes else "never errs")
        told += [f"  {mistake.in_words}" for mistake in self.mistakes[:DRAWN]]
        if self.asked is not None:
            told.append(f"asked for {counted(len(self.asked), 'board')}; {self._symmetry_note}")
        if self.varies is not None:
            told.append(note_on_chance(self.name, self.varies))
        if self.seconds_per_move is not None:
            told.append(f"{1e6 * self.seconds_per_move:,.0f} µs for each move")
        return told

    @property
    def _symmetry_note(self) -> str:
        if self.contradictions is None:
            return "assumed to treat mirrored and rotated boards alike"
        if not self.contradictions:
            return "treats mirrored and rotated boards alike"
        first = self.contradictions[0]
        return (
            f"on {len(self.contradictions):,} of these boards, the answer contradicts the answer on a mirrored or"
            f" rotated board, for example {join_names(first.moves) or 'nothing'} at {first.board}, but"
            f" {join_names(first.image_moves) or 'nothing'} at {first.image}"
        )

    def __repr__(self) -> str:
        return "\n".join([*self._results, *(f"  {note}" for note in self.notes)])

    def table(self) -> Table:
        """Return a table of one row with all the numbers of the grade."""
        shares = {
            f"{opponent}_{result}": share
            for opponent, strength in self.against.items()
            for result, share in strength._asdict().items()
        }
        row = {name: getattr(self, name) for name in PLAIN} | shares
        row |= {"mistakes": len(self.mistakes), "refutation": self.line and join_names(self.moves)}
        row["contradictions"] = None if self.contradictions is None else len(self.contradictions)
        return Table(tuple(row), [tuple(row.values())])

    def in_words(self) -> Table:
        """Return `rows` as a table, under a title with the player's name and exploitability."""
        title = f"{self._who}; exploitability {self.exploitability:.4f}"
        return Table(("", *ends_of(RESULTS, self.draws)), self.rows(), title)

    def drawings(self) -> list[str]:
        """Draw the worst mistakes as SVG, and label each wrong move with the mistake's probability."""
        game, drawn = self.player.positions.game, []
        for mistake in self.mistakes[:DRAWN]:
            actions = [game.parse_action(mistake.board, move) for move in mistake.moves]
            texts = dict.fromkeys(actions, percent(mistake.probability).strip())
            drawn.append(board_svg(game, mistake.board, texts, dict.fromkeys(actions, 1.0)))
        return drawn

    def _repr_html_(self) -> str:
        words = Grade.in_words(self)
        figures = "".join(
            f'<figure style="display: inline-block">{drawing}<figcaption>{html.escape(mistake.in_words)}</figcaption>'
            "</figure>"
            for drawing, mistake in zip(self.drawings(), self.mistakes, strict=False)
        )
        notes = "".join(f"<li>{html.escape(note)}</li>" for note in self.notes if not note.startswith(" "))
        return f"{html_table(words.columns, words.rows, words.title)}<ul>{notes}</ul>{figures}"


@lru_cache(maxsize=2**16)
def _canonical(positions: Positions, position: int) -> Board:
    return SymmetricGame(positions.game).canonical(positions.boards[position])


class StrengthReport(Grade):
    """A grade that shows only the results of a player, like `menace strength`.

    >>> from menace.learners.machine import Machine
    >>> strength(Machine("menace", "X"))
    menace plays X (behaviour)
      against random play: wins 60.7%, draws 12.6%, losses 26.7%
      against optimal play: wins 0.0%, draws 23.6%, losses 76.4%
      against the best response: wins 2.0%, draws 8.2%, losses 89.8%
      exploitability 0.8780
    """

    def __repr__(self) -> str:
        return "\n".join(self._results)

    def table(self) -> Table:
        """Return a row for each opponent with the probabilities of the results, as in `--json`.

        The exploitability and the `line` (the most likely refutation) describe the whole policy, so every row repeats
        them. The line is a list of actions like those of a recorded game, or None if the policy cannot be beaten.
        """
        line: tuple[object, ...] = (None, None, None)
        if self.line is not None:
            ended_by = "resignation" if self.line.resigns else "board"
            line = (",".join(map(str, self.actions)), self.line.probability, ended_by)
        who = (self.name, self.plays, self.policy)
        rows = [(*who, opponent, *shares, self.exploitability, *line) for opponent, shares in self.against.items()]
        return Table(STRENGTHS, rows)

    def _repr_html_(self) -> str:
        return self.in_words()._repr_html_()


class Mistakes(Grade):
    """A grade that shows all mistakes of a player, like `menace mistakes`.

    >>> mistakes("perfect", plays="O")
    perfect plays O (behaviour) and never errs
    """

    def __iter__(self) -> Iterator[Mistake]:
        return iter(self.mistakes)

    def __len__(self) -> int:
        return len(self.mistakes)

    def __getitem__(self, number: int) -> Mistake:
        return self.mistakes[number]

    @property
    def title(self) -> str:
        """The number of boards on which the player errs, and the cost of its mistakes."""
        if not self.mistakes:
            return f"{self._who} and never errs"
        sums = {name: sum(getattr(mistake, f"cost_{name}") for mistake in self) for name in STANDARD}
        costs = " and ".join(f"{cost:.4f} {OPPONENTS[name]}" for name, cost in sums.items())
        errs = f"errs on {counted(self.erring, 'board')}"
        return f"{self._who} and {errs}; a game costs it {costs} (a win counts 1, a loss -1)"

    def __repr__(self) -> str:
        rows = [HEADER, *(mistake.row for mistake in self.mistakes[:SHOWN])]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        more = [f"and {counted(len(self) - SHOWN, 'more mistake')}"] if len(self) > SHOWN else []
        return "\n".join([self.title, *(lines if self.mistakes else []), *more])

    def table(self) -> Table:
        """Return a row for each mistake, as in `--json`. Equivalent `moves` are separated by spaces.

        >>> mistakes("random", plays="O").table().rows[0][:5]
        ('random', 'O', 'behaviour', 'X........', '1 3')
        """
        who = (self.name, self.plays, self.policy)
        rows = [
            (*who, each.board, " ".join(each.moves) or None, *each[2:], each.cost_random, each.cost_optimal)
            for each in self
        ]
        return Table(("name", "plays", "policy", *Mistake._fields, "cost_random", "cost_optimal"), rows)

    def in_words(self) -> Table:
        """Return a row for each mistake, under a title with the total cost of all mistakes."""
        return Table(HEADER, [mistake.row for mistake in self], self.title)

    def _repr_html_(self) -> str:
        words = self.in_words()
        return html_table(words.columns, words.rows, words.title)  # shows all rows; notebooks truncate other tables


G = TypeVar("G", bound=Grade)


def grade(
    player: Player,
    plays: SideText | None = None,
    game: str | Game | Positions | None = None,
    variant: str | None = None,
    *,
    symmetric: bool = False,
    policy: PolicyName = "behaviour",
) -> Grade:
    """Compute exactly how strong a player is, and return its grade.

    Args:
        player: a machine, or any other player (see `policy_of`).
        plays: the side, `X` or `O`. None selects the side of a machine or policy, and X for a function, table or array.
        game: the name of a game, its rules, or its positions; None selects the machine's or policy's own game, or
            tic-tac-toe.
        variant: the variant of the game, or None for the game's default.
        symmetric: whether to assume that a function treats mirrored and rotated boards alike, and to call it for only
            one of them. Otherwise, it is called for every board that its own moves can reach. The assumption is always
            made for games with more than a million boards.
        policy: the kind of a machine's policy, `behaviour` (as in training) or `greedy`.

    Raises:
        InvalidPlayer: if the player cannot play that side, or the side is unknown.
        InvalidGame: if there is no such game, or the player belongs to another game.

    >>> grade("perfect", plays="O").unbeatable
    True
    """
    positions = game if isinstance(game, Positions) else None
    if positions is None and (game is not None or variant is not None):
        chosen = get_game(cast(str | Game, game) or DEFAULT_GAME, variant)
        positions = _positions(chosen.name, chosen.variant) if isinstance(game, str | None) else None
        positions = positions or enumerate_positions(chosen)
    return _graded(Grade, player, plays, positions, policy, symmetric)


@lru_cache(maxsize=8)
def _positions(name: str, variant: str) -> Positions:
    return enumerate_positions(get_game(name, variant))


def _graded(
    kind: type[G],
    player: Player,
    plays: SideText | None,
    positions: Positions | None,
    policy: PolicyName,
    symmetric: bool = False,
) -> G:
    own: SideText | None = fixed_opponent(player).plays if isinstance(player, str) else getattr(player, "plays", Side.X)
    side = plays or own
    if side is None:
        raise InvalidPlayer(f"{player!r} can play either side; choose one, as in `strength({player!r}, plays='X')`")
    if not callable(player):
        played = policy_of(player, side, positions, policy)
        return kind(played, played.positions.symmetry == "full")
    check_policy_name(policy)
    game = positions or tictactoe()
    game = game if symmetric else without_symmetry(game)
    asked, symmetric = ask(player, side, game, reachable=True), game.symmetry == "full"
    numbers, per_move = tuple(asked.positions), asked.seconds / max(len(asked.positions), 1)
    return kind(asked.policy, symmetric, numbers, per_move, changed_answer(player, asked))


def strength(
    player: Player, policy: PolicyName = "behaviour", plays: SideText | None = None, positions: Positions | None = None
) -> StrengthReport:
    """Return a `grade` that shows how strong a player is, whether it can be beaten, and how.

    Args:
        player: a machine, or any other player (see `policy_of`).
        policy: the kind of a machine's policy, `behaviour` (as in training) or `greedy`.
        plays: the side, `X` or `O`. None selects the side of a machine or policy, and X for a table or an array.
        positions: the game; None selects the machine's or policy's own game, or tic-tac-toe.

    Raises:
        InvalidPlayer: if the player cannot play that side, or the side is unknown.

    >>> from menace.learners.machine import Machine
    >>> report = strength(Machine("menace", "X"))
    >>> report.against_best_response.loss > 0.5, report.line is None
    (True, False)
    >>> strength("perfect", plays="O").exploitability
    0.0
    """
    return _graded(StrengthReport, player, plays, positions, policy)


def mistakes(
    player: Player, plays: SideText | None = None, policy: PolicyName = "behaviour", positions: Positions | None = None
) -> Mistakes:
    """Return a player's mistakes: moves that give something away, on boards that the player may reach.

    The result is a `grade` that prints only mistakes. Takes the same arguments and raises the same errors as
    `strength`.

    >>> first = mistakes(lambda board, moves: moves[0], plays="O")[0]
    >>> first.board, first.moves, first.before, first.after, round(first.reach_random, 3)
    ('..X......', ('0',), 0, -1, 0.222)
    """
    return _graded(Mistakes, player, plays, positions, policy)


def strength_of(
    store: Store, player: Player, policy: PolicyName = "behaviour", plays: SideText | None = None
) -> StrengthReport:
    """Return the strength of a learner in its current state, given its name, or of any other player.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such player, or it plays the other side.

    >>> from menace.learners.machine import Machine
    >>> before, after = strength(Machine("menace", "X")), strength_of(store, "menace-x")
    >>> [round(report.against["random"].win, 3) for report in (before, after)]
    [0.607, 0.709]
    """
    with store.snapshot():
        positions = positions_of(store)
        player = loaded_player(store, positions, player)
    return strength(player, policy, plays, positions)
