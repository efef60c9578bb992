"""Where a player errs: the moves by which it may give away what it could be sure of, and how often it comes there."""

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
SHOWN = 10  # where it shows itself


@dataclass(frozen=True)
class Mistake:
    """A move after which a player can no longer be sure of what it could be sure of before.

    Attributes:
        board: the canonical one.
        moves: the names of the moves there that are equivalent to it; none if it resigns there.
        probability: that it makes one of them at this board, 0 to 1.
        before: the result that it could be sure of, as it sees it: 1 a win, 0 a draw, -1 a loss.
        after: likewise, once it has moved.
        reach_random: the probability that its game with `random` comes to this board.
        reach_optimal: the same of its game with `optimal`.
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
        """What it gives away by it in a game with `random`, on average: of a win 2, of a draw 1, each by its chance."""
        return self.reach_random * self.probability * (self.before - self.after)

    @property
    def cost_optimal(self) -> float:
        """The same in a game with `optimal`. All of a player's sum to the value of the game less what it achieves."""
        return self.reach_optimal * self.probability * (self.before - self.after)

    @property
    def row(self) -> tuple[str, ...]:
        """Itself in words, by HEADER."""
        shares = (percent(share).strip() for share in (self.probability, self.reach_random, self.reach_optimal))
        moves = " ".join(self.moves) or "resigns"
        return (self.board, moves, VERDICTS[self.before], VERDICTS[self.after], *shares)


@dataclass(frozen=True, repr=False)
class Mistakes(Tabular):
    """All mistakes of a player, the most costly against `random` first, then against `optimal`.

    Attributes:
        name: of the player.
        plays: its side.
        policy: of a machine: as it trains (`behaviour`), or at its best (`greedy`).
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
        """Say how many there are, and what they cost."""
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
        """Return a row for each mistake, as `--json` has it; several equivalent `moves` have spaces between.

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
        """Return a row for each mistake, below what all of them cost."""
        return Table(HEADER, [mistake.row for mistake in self], self.title)

    def _repr_html_(self) -> str:
        words = self.in_words()
        return html_table(words.columns, words.rows, words.title)  # all, where other tables begin


def mistakes(
    player: Player, plays: SideText | None = None, policy: PolicyName = "behaviour", positions: Positions | None = None
) -> Mistakes:
    """Return where a player errs: every board that it may come to, and the moves there that give something away.

    Args:
        player: a machine, or any other player, see `policy_of`.
        plays: the side, `X` or `O`; None stands for that of a machine or a policy, and for X of a function.
        policy: a machine as it trains (`behaviour`) or at its best (`greedy`).
        positions: the game; None stands for the machine's or policy's own, else tic-tac-toe.

    Raises:
        InvalidPlayer: if it cannot play that side, or the side is unknown.

    >>> first = mistakes(lambda board, moves: moves[0], plays="O")[0]
    >>> first.board, first.moves, first.before, first.after, round(first.reach_random, 3)
    ('X........', ('1', '3'), 0, -1, 0.444)
    """
    return _mistakes(policy_to_measure(player, policy, plays, positions))


def mistakes_of(store: Store, name: str, policy: PolicyName = "behaviour", plays: SideText | None = None) -> Mistakes:
    """Return what `mistakes` does, for a learner of a database as it stands, or a fixed opponent that plays `plays`.

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
