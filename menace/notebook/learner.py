"""Define the `Learner` class of the Python API, and the strength curve of a learner."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from menace.analysis import expected_beads, grades, learning_curves, listings, position
from menace.analysis.history import Moment
from menace.arena.play import Progress
from menace.errors import InvalidPlayer, MenaceError
from menace.files.optional_libraries import has_extra
from menace.files.tables import Listing
from menace.games.base import Side, SideText
from menace.learners import player_to_policy
from menace.learners.box import Box, found_box
from menace.learners.machine import Machine
from menace.learners.opponents.functions import tabulate
from menace.learners.policy import PolicyFunction, PolicyName, check_policy_name
from menace.ledger import learners, runs, training
from menace.ledger.log import replay
from menace.ledger.positions import positions_of
from menace.ledger.store import LearnerRow, Run, Store
from menace.text.bead_colours import Naming
from menace.text.wording import counted

if TYPE_CHECKING:
    from menace.figures.kinds import Plotted
    from menace.labels import Printed
    from menace.labels.kit import LabelSheet


class StrengthCurve(learning_curves.Curve):
    """Strength against the number of games, available as rows, a pandas DataFrame or a figure.

    This class extends `menace.analysis.learning_curves.Curve`. A notebook displays the curve as the figure that `menace
    plot strength` draws, or as a table if matplotlib is not installed.

    >>> curve = db["menace-x"].curve()
    >>> list(curve.points), round(curve.points[100]["random"].win, 3)
    ([0, 1, 2, 5, 10, 20, 50, 100], 0.709)
    """

    def _repr_html_(self) -> str | None:
        return None if self._can_be_drawn else super()._repr_html_()

    def _repr_svg_(self) -> str | None:
        if not self._can_be_drawn:
            return None
        from menace.figures.curves import strength_figure
        from menace.figures.panels import notebook_svg, render

        return notebook_svg(render(strength_figure([[self]]), "svg"))

    @property
    def _can_be_drawn(self) -> bool:
        return bool(self.points) and has_extra("matplotlib")


class Learner:
    """A learner in a database. Every property access reads the database again.

    >>> db["menace-x"]
    <menace-x plays X: menace, 100 games>
    >>> db["menace-x"].settings["win"], len(db["menace-x"].boxes)
    (3, 304)
    """

    def __init__(self, store: Store, learner_id: int) -> None:
        self._store, self._id = store, learner_id

    def __str__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Learner) and (self._store, self._id) == (other._store, other._id)

    def __hash__(self) -> int:
        return hash((id(self._store), self._id))

    @property
    def _row(self) -> LearnerRow:
        return self._store.learner_if_not_deleted(self._id)

    def __repr__(self) -> str:
        try:
            row = self._row
        except (MenaceError, AttributeError) as error:
            return f"<Learner: {error}>"
        return f"<{row.name} plays {row.plays}: {row.preset}, {counted(row.games, 'game')}>"

    @property
    def name(self) -> str:
        """The name of the learner."""
        return self._row.name

    @property
    def plays(self) -> Side:
        """The learner's side, `X` or `O`."""
        return self._row.plays

    @property
    def games(self) -> int:
        """The number of games from which the learner has learned."""
        return self._row.games

    @property
    def settings(self) -> Mapping[str, object]:
        """The learner's settings by name. A learner's settings never change."""
        return MappingProxyType(asdict(learners.settings_of(self._row)))

    @property
    def naming(self) -> Naming:
        """The colours of the learner's beads and the numbering of its cells."""
        return self._row.naming

    def machine(self) -> Machine:
        """Return an in-memory copy of the learner. Changes to the copy do not affect the database."""
        with self._store.snapshot():
            return learners.load_machine(self._store, positions_of(self._store), self._row)

    # The following methods read what the learner has learned.

    def box(self, board: str | int) -> Box:
        """Return the learner's box for a board or a box number.

        Args:
            board: the board as text, or the number of one of the learner's matchboxes.

        Raises:
            InvalidBoard: if the text is not a board.
            UnreachableBoard: if no game reaches the board.
            InvalidBox: if the learner has no box for the board, if it is not the learner's turn, or if no box has this
                number.
        """
        return found_box(self.find_box(board), self.name, self.plays, board)

    def find_box(self, board: str | int) -> Box | None:
        """Return the result of `box`, or None if the learner has no box for the board or is not to move."""
        return position.show(self._store, str(board), self.name).box

    @property
    def boxes(self) -> tuple[Box, ...]:
        """All boxes of the learner."""
        return self.machine().boxes

    def history(self, board: str) -> Listing[Moment]:
        """Return the history of a box from the log, with its initial contents and its contents after each change.

        Raises:
            InvalidBoard: if the text is not a board.
            UnreachableBoard: if no game reaches the board.
            InvalidPlayer: if the learner has no box for the board.
        """
        return listings.list_history(self._store, board, self.name)

    def strength(self, policy: PolicyName = "behaviour") -> grades.StrengthReport:
        """Return the learner's exact strength, and the moves that beat the learner, if any."""
        return grades.strength(self.machine(), policy)

    def mistakes(self, policy: PolicyName = "behaviour") -> grades.Mistakes:
        """Return the learner's mistakes (moves that give away a win or a draw) and their probabilities."""
        return grades.mistakes(self.machine(), policy=policy)

    def curve(self, policy: PolicyName = "behaviour") -> StrengthCurve:
        """Return the learner's exact strength against the number of games, measured at the marks of its runs."""
        check_policy_name(policy)
        return StrengthCurve(**vars(learning_curves.curve_of(self._store, self._row, policy)))

    # The following methods change the learner or write files.

    def train(
        self,
        against: Opponent,
        games: int = 10_000,
        seed: int | None = None,
        *,
        keep: bool = False,
        continue_when_ruined: bool = False,
        marks: str = "1-2-5",
        progress: Progress | None = None,
    ) -> Run:
        """Train the learner in games against a fixed opponent, or against another learner, which also learns.

        Args:
            against: a fixed opponent such as `random` (see `menace players`); a learner; or a function of the board, a
                policy or a table that `menace.policy_of` accepts. Functions, policies and tables are stored in the
                database as tables.
            games: the number of games, 1 to 10^12.
            seed: the random seed, 0 to 2^63 - 1; None draws one from the operating system.
            keep: whether an opponent that is a learner stays unchanged.
            continue_when_ruined: whether to continue, with lost games, when the learner has no bead left for its first
                move. By default, the run ends there.
            marks: when to measure the learner, as in `Database.selfplay`.
            progress: called with the numbers of games played and requested, as in `Database.selfplay`.

        Raises:
            UnknownLearner, InvalidPlayer, InvalidRun: if an argument is invalid. Nothing is written then.
        """
        opponent = opponent_name(self._store, against, self.plays.other)
        order = runs.Training(self.name, opponent, games, seed, continue_when_ruined, alone=keep, marks=marks)
        return training.carry_out(self._store, runs.order(self._store, order), progress)

    def copy(self, name: str) -> Learner:
        """Create a learner that starts with everything that this learner has learned."""
        return Learner(self._store, runs.copy_learner(self._store, self.name, name).learner_id)

    def rename(self, name: str) -> None:
        """Change the learner's name."""
        learners.rename_learner(self._store, self.name, name)

    def delete(self) -> None:
        """Delete the learner, even if it has learned from games.

        The log keeps these games, and the name can be used again.

        Raises:
            InvalidRun: if one of its runs is unfinished.
        """
        learners.delete_learner(self._store, self.name)

    def forget(self) -> int:
        """Undo the last lesson, which came from a person or a recount, and return the number of the new block.

        Raises:
            InvalidRun: if no person has taught the learner, or it has learned something else since then.
        """
        return replay.forget(self._store, replay.last_lesson(self._store, self.name))

    def labels(self, path: str | os.PathLike[str] | None = None, sheet: LabelSheet | None = None) -> Printed:
        """Create a PDF with labels, a board, an index, a shopping list and rules, and write it to `path` if given.

        This method requires the `print` extra.
        """
        from menace.labels import write_labels

        return write_labels(self._store, self.name, path, sheet)

    def expect(
        self,
        against: Opponent,
        games: int = 220,
        marks: str = "1-2-5",
        board: str | None = None,
        machines: int = 0,
        exact: bool = False,
    ) -> expected_beads.ExpectedBeads:
        """Return the learner's expected beads after a number of games, computed without changing the learner.

        This method takes the same arguments and raises the same errors as `menace.analysis.expected_beads.expect`,
        which works on machines in memory. A learner used as the opponent does not learn.

        >>> db["menace-x"].expect("perfect", games=10, marks="0").table().columns
        ('games', 'board', 'move', 'beads', 'share')
        """
        machine = self.machine()
        known: player_to_policy.Player = player_of(self._store, against, machine.plays.other)
        opponent = learners.loaded_player(self._store, machine.positions, known)
        return expected_beads.expect(machine, opponent, games, marks, board, machines, exact)

    def plot(
        self,
        kind: str,
        path: str | os.PathLike[str] | None = None,
        **options: Any,
    ) -> Plotted:
        """Draw a figure of the learner. Takes the same kind, path and options as `Database.plot`."""
        from menace.figures.kinds import plot

        return plot(self._store, kind, path, [self.name], options)


Opponent: TypeAlias = player_to_policy.Player | Learner
Player: TypeAlias = str | Learner


def name_of(player: Player) -> str:
    """Return a player's name.

    Raises:
        InvalidPlayer: if the player is neither a name nor a learner in a database.

    >>> name_of("random"), name_of(db["menace-x"])
    ('random', 'menace-x')
    """
    if isinstance(player, Learner):
        return player.name
    if not isinstance(player, str):
        raise InvalidPlayer(f"{player!r} is not a player here; give the name of a machine or a fixed opponent")
    return player


P = TypeVar("P")


def player_of(store: Store, player: P | Learner, plays: SideText) -> P | str | PolicyFunction:
    """Return a player's name.

    A function in a file is returned as a function, and a player without a name is returned unchanged.
    """
    return learners.player_or_function(store, name_of(player), plays) if isinstance(player, str | Learner) else player


def opponent_name(store: Store, player: Opponent, plays: SideText) -> str:
    """Return a player's name or, for a function or another player without a name, the name of its table.

    >>> opponent_name(store, "random", "X"), opponent_name(store, lambda board, moves: moves[0], "O")
    ('random', 'lambda@d9da4ba60e96')
    """
    if isinstance(player, str | Learner):
        return learners.player_name(store, name_of(player), plays)
    return tabulate(player_to_policy.policy_of(player, plays, positions_of(store))).name
