"""Find a player's mistakes: the moves that may give away a result it could be sure of, and how often they occur."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from menace.analysis.strength_reports import loaded_player, policy_to_measure
from menace.arena.exact_strength import reach
from menace.files.tables import Table, Tabular, html_table
from menace.games.base import Board, Side, SideText
from menace.games.positions import Positions
from menace.learners.opponents.fixed import STANDARD, fixed_policy
from menace.learners.player import Player
from menace.learners.policy import Policy, PolicyName
from menace.ledger.positions import positions_of
from menace.ledger.store import Store
from menace.text.wording import OPPONENTS, VERDICTS, counted, percent

HEADER = ("board", "move", "instead of", "result", "makes it", "comes there (random)", "(optimal)")
COLUMNS = (
    *("name", "plays", "policy", "board", "moves", "probability", "before", "after"),
    *("reach_random", "reach_optimal", "cost_random", "cost_optimal"),
)
SHOWN = 10  # mistakes in its repr and in notebooks


@dataclass(frozen=True)
class Mistake:
    """A move after which a player can no longer be sure of the result that it could be sure of before.

    Attributes:
        board: the canonical board.
        moves: the names of the equivalent moves; empty if the player resigns there.
        probability: the probability that the player makes one of these moves at this board, 0 to 1.
        before: the result that the player could be sure of: 1 a win, 0 a draw, -1 a loss.
        after: the result that it can be sure of after the move.
        reach_random: the probability that its game against `random` reaches this board.
        reach_optimal: the probability that its game against `optimal` reaches this board.
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
        """The average loss of value in a game against `random`; a lost win counts 2, a lost draw 1."""
        return self.reach_random * self.probability * (self.before - self.after)

    @property
    def cost_optimal(self) -> float:
        """The average loss of value in a game against `optimal`.

        The sum over a player's mistakes is the value of the game minus the player's own value.
        """
        return self.reach_optimal * self.probability * (self.before - self.after)

    @property
    def row(self) -> tuple[str, ...]:
        """The mistake in words, in the columns of HEADER."""
        shares = (percent(share).strip() for share in (self.probability, self.reach_random, self.reach_optimal))
        moves = " ".join(self.moves) or "resigns"
        return (self.board, moves, VERDICTS[self.before], VERDICTS[self.after], *shares)


@dataclass(frozen=True, repr=False)
class Mistakes(Tabular):
    """All mistakes of a player, sorted by their cost against `random`, then against `optimal`, the most costly first.

    Attributes:
        name: the name of the player.
        plays: its side.
        policy: the policy of a machine: `behaviour`, as it trains, or `greedy`.
        all: its mistakes.

    >>> mistakes("perfect", plays="O")
    perfect plays O (behaviour) and never errs
    """

    name: str
    plays: Side
    policy: PolicyName
    all: tuple[Mistake, ...]

    def __iter__(self) -> Iterator[Mistake]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)

    def __getitem__(self, number: int) -> Mistake:
        return self.all[number]

    @property
    def title(self) -> str:
        """The number of mistakes and what they cost."""
        who = f"{self.name} plays {self.plays} ({self.policy})"
        if not self.all:
            return f"{who} and never errs"
        boards = counted(len({mistake.board for mistake in self}), "board")
        sums = {name: sum(getattr(mistake, f"cost_{name}") for mistake in self) for name in STANDARD}
        costs = " and ".join(f"{cost:.4f} {OPPONENTS[name]}" for name, cost in sums.items())
        return f"{who} and errs on {boards}; a game costs it {costs} (a win counts 1, a loss -1)"

    def __repr__(self) -> str:
        rows = [HEADER, *(mistake.row for mistake in self.all[:SHOWN])]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        more = [f"and {counted(len(self) - SHOWN, 'more mistake')}"] if len(self) > SHOWN else []
        return "\n".join([self.title, *(lines if self.all else []), *more])

    def table(self) -> Table:
        """Return a row for each mistake, as in `--json`; several equivalent `moves` are separated by spaces.

        >>> mistakes("random", plays="O").table().rows[0][:5]
        ('random', 'O', 'behaviour', 'X........', '1 3')
        """
        rows = [
            (
                *(self.name, self.plays, self.policy, mistake.board, " ".join(mistake.moves) or None),
                *(mistake.probability, mistake.before, mistake.after, mistake.reach_random, mistake.reach_optimal),
                *(mistake.cost_random, mistake.cost_optimal),
            )
            for mistake in self
        ]
        return Table(COLUMNS, rows)

    def in_words(self) -> Table:
        """Return a row for each mistake, below the cost of all of them."""
        return Table(HEADER, [mistake.row for mistake in self], self.title)

    def _repr_html_(self) -> str:
        words = self.in_words()
        return html_table(words.columns, words.rows, words.title)  # all rows, whereas other tables are cut


def mistakes(
    player: Player, plays: SideText | None = None, policy: PolicyName = "behaviour", positions: Positions | None = None
) -> Mistakes:
    """Return the mistakes of a player: every board that it may reach, and the moves there that give something away.

    Args:
        player: a machine, or any other player (see `policy_of`).
        plays: the side, `X` or `O`; None selects that of a machine or a policy, and X for a function.
        policy: how a machine plays: `behaviour`, as it trains, or `greedy`.
        positions: the game; None selects the machine's or policy's own game, or tic-tac-toe.

    Raises:
        InvalidPlayer: if the player cannot play that side, or the side is unknown.

    >>> first = mistakes(lambda board, moves: moves[0], plays="O")[0]
    >>> first.board, first.moves, first.before, first.after, round(first.reach_random, 3)
    ('X........', ('1', '3'), 0, -1, 0.444)
    """
    return _mistakes(policy_to_measure(player, policy, plays, positions))


def mistakes_of(store: Store, name: str, policy: PolicyName = "behaviour", plays: SideText | None = None) -> Mistakes:
    """Return the mistakes of a learner in its current state, or of a fixed opponent that plays `plays`.

    Raises:
        UnknownLearner, InvalidPlayer: if there is no such player, or it plays the other side.

    >>> len(mistakes_of(store, "menace-x")), len(mistakes_of(store, "perfect", plays="O"))
    (487, 0)
    """
    with store.snapshot():
        positions = positions_of(store)
        player = loaded_player(store, positions, name)
    return mistakes(player, plays, policy, positions)


def _mistakes(played: Policy) -> Mistakes:
    positions, sign = played.positions, played.plays.sign
    others = (fixed_policy(name, positions, played.plays.other.number) for name in STANDARD)
    reached = [reach(*played.plays.x_and_o(played, other)) for other in others]

    def mistake(position: int, moves: tuple[str, ...], probability: float, after: int) -> Mistake:
        before, (random, optimal) = int(positions.minimax[position]) * sign, (float(r[position]) for r in reached)
        return Mistake(positions.boards[position], moves, probability, before, after, random, optimal)

    here = positions.moved_by(played.side) & (reached[0] > 0)
    wrong = here[positions.position_of_move] & ~positions.optimal & (played.probability > 0)
    listed = []
    for move in np.flatnonzero(wrong).tolist():
        position = int(positions.position_of_move[move])
        board = positions.boards[position]
        cells = positions.actions_for(board, int(positions.action[move]))
        names = tuple(positions.game.name_of(board, cell) for cell in cells)
        after = int(positions.minimax[positions.next_position[move]]) * sign
        listed.append(mistake(position, names, float(played.probability[move]), after))
    given_up = np.flatnonzero(here & (played.resigns > 0) & (positions.minimax * sign > -1)).tolist()
    listed += [mistake(position, (), float(played.resigns[position]), -1) for position in given_up]
    listed.sort(key=lambda mistake: (-mistake.cost_random, -mistake.cost_optimal))
    return Mistakes(played.name, played.plays, played.kind, tuple(listed))
