"""The class Database of the Python API: its methods are the commands, with Python values as arguments."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from menace.analysis.listings import list_games, list_games_of_run, list_runs
from menace.analysis.position import PositionView, show
from menace.errors import MenaceError
from menace.files.optional_libraries import need_extra
from menace.files.tables import Listing, Table
from menace.games import DEFAULT_GAME, GAMES, get_game
from menace.games.base import Game, Side, SideText
from menace.games.plugins import is_file, register
from menace.games.symmetry import SymmetryUse
from menace.ledger import database_file
from menace.ledger.queries import query
from menace.ledger.store import Run, Store

# Opening a database and asking it needs no numpy; what does is imported by the methods that use it.
if TYPE_CHECKING:
    from menace.analysis.history import GameEntry, ReplayedGame
    from menace.analysis.strength_reports import Comparison, Matchup, Named, Sample
    from menace.arena.play import Progress
    from menace.exporting import Exported
    from menace.figures.game_picture import Picture
    from menace.figures.kind import Plotted
    from menace.games.networkx_graph import GameGraph
    from menace.games.positions import Positions
    from menace.learners.machine import Machine
    from menace.learners.policy import PolicyName
    from menace.ledger.log.replay import MachineGame
    from menace.ledger.log.verification import Verified
    from menace.notebook.learner import Learner, Opponent, Player
    from menace.people.session import Session
    from menace.text.bead_colours import Scheme
    from menace.text.wording import Part

    Compared: TypeAlias = Named | Learner  # who can stand in a table


class Database:
    """A menace database, made if it is missing. A context manager; it is also closed when the program ends.

    Args:
        path: of the file; `:memory:` stands for none: a new database in memory, gone when it is closed.
        game: of a new file, as `menace init --game` takes it, or a game of your own; None stands for `tictactoe`.
        variant: of that game; None stands for the game's own choice, such as `3x3x3`.
        symmetry: of a new file: whether all images of a board are one position; None stands for `full`. If the file
            exists, these three are checked where they are given.

    Raises:
        StoreError, SchemaMismatch: if the file is no menace database, damaged, or newer than this program.
        InvalidGame: if there is no such game, or the file is of another one.

    >>> with Database("doctest.db") as db:
    ...     run = db.selfplay(games=1_000, seed=1)
    ...     db["menace-x"].games
    1000
    """

    def __init__(
        self,
        path: str | os.PathLike[str] = "menace.db",
        game: str | Game | None = None,
        variant: str | None = None,
        symmetry: SymmetryUse | None = None,
    ) -> None:
        self.store: Store = _open_or_create(path, game, variant, symmetry)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self.store.close()

    def __repr__(self) -> str:
        try:
            rules, names = self.store.rules(), ", ".join(self)
        except (MenaceError, AttributeError) as error:  # a debugger also shows objects that were not opened
            return f"<Database: {error}>"
        without = "" if rules.symmetry == "full" else " without symmetry"
        return f"<{self.store.path}: {rules.name} {rules.variant}{without}, machines: {names or 'none yet'}>"

    # Learners.

    def __getitem__(self, name: str) -> Learner:
        """Return a learner by name. Raises UnknownLearner if there is none."""
        from menace.notebook.learner import Learner

        return Learner(self.store, self.store.learner(name).learner_id)

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the learners, the oldest first."""
        return iter([row.name for row in self.store.learners()])

    def __len__(self) -> int:
        return len(self.store.learners())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.store.has_learner(name)

    def new(
        self,
        name: str,
        plays: SideText,
        preset: str = "menace",
        seed: int | None = None,
        colours: Scheme | None = None,
        numbering: Scheme | None = None,
        **settings: object,
    ) -> Learner:
        """Make a learner.

        Args:
            name: a new one.
            plays: its side, `X` or `O`.
            preset: the source of its settings, one of PRESETS.
            seed: of a random start, 0 to 2^63 - 1; None takes one from the system. Used only where the start is random.
            colours: of its beads, `menace` or `michie`; None stands for the preset's.
            numbering: of cells, likewise.
            settings: values that replace some of the preset's: `beads=(8, 4, 2, 1)`.

        Raises:
            InvalidPlayer, UnknownPreset, InvalidSetting: if name, side, preset or settings are not valid.
        """
        from menace.ledger.learners import new_learner

        row = new_learner(self.store, name, plays, preset, settings, seed, colours, numbering)
        return self[row.name]

    def add(self, name: str, machine: Machine) -> Learner:
        """Keep a machine from memory, with all that it has learned, as a learner of this database.

        The log begins there: its games were played elsewhere, so `verify` takes this table as given, and replays what
        the learner learns from then on. The machine itself stays as it is.

        Args:
            name: a new one.
            machine: of this database's game: `menace.Machine(..., positions=db.positions)`, a learner's `machine()`.

        Raises:
            InvalidPlayer, InvalidGame, InvalidSetting, UnknownPreset: if the name is not allowed or taken, or the
                machine is of another game, or not one that can be kept.

        >>> from menace import Machine
        >>> machine = Machine("menace", "X")
        >>> machine.learn(["4", "1", "0", "8", "6", "2", "3"])
        'X'
        >>> db.add("adam", machine)
        <adam plays X: menace, 1 game>
        """
        from menace.ledger.runs import import_machine

        return self[import_machine(self.store, machine, name).name]

    def merge(self, paths: Iterable[str | os.PathLike[str]], into: str | None = None) -> list[Learner]:
        """Take the machines of several files in, each as a learner of its own, or added up into one.

        Args:
            paths: of files that pages of a site downloaded; or of other databases of this game, if they stay apart.
            into: the name of one machine, to which each file adds what it has learned beyond the machine that was
                exported; None keeps the machines apart, called by their files.

        Raises:
            InvalidPlayer, InvalidGame, StoreError: if a file is neither, of another game, or not of a machine of this
                database; nothing is written then.
        """
        from menace.site.merge_machines import merge, merge_sum

        rows = merge(self.store, [*paths]) if into is None else [merge_sum(self.store, [*paths], into)]
        return [self[row.name] for row in rows]

    # Runs.

    def selfplay(
        self,
        x: Player | None = None,
        o: Player | None = None,
        games: int = 10_000,
        seed: int | None = None,
        phases: str | None = None,
        *,
        continue_when_ruined: bool = False,
        marks: str = "1-2-5",
        progress: Progress | None = None,
    ) -> Run:
        """Let two learners play each other, and return the finished run.

        Args:
            x: the learner that plays X; None stands for `menace-x`, which is made if it is missing.
            o: the same for O.
            games: their number, 1 to 10^12.
            seed: 0 to 2^63 - 1; None takes one from the system.
            phases: how much the learners explore, `article` or `GAMES:X:O,...`; None leaves it to their settings.
            continue_when_ruined: whether to continue, with lost games, when no bead is left for a first move; else the
                run ends there.
            marks: after how many games to measure them: `1-2-5`, `every:500`, `log:20` (20 in each power of ten), or a
                list such as `0,100,220`. The start and the end are marks, too.
            progress: called some times a second, and at the end, with the games played and those ordered. What it
                raises ends the run after a block that is committed, as Ctrl-C does on the command line: `resume`
                continues it.

        Raises:
            UnknownLearner, InvalidPlayer, InvalidRun: if the arguments are not valid; nothing is written then.

        >>> calls = []
        >>> run = db.selfplay(games=100, seed=2, progress=lambda played, ordered: calls.append((played, ordered)))
        >>> calls[-1]
        (100, 100)
        """
        from menace.ledger import runs, training

        order = runs.SelfPlay(_named(x), _named(o), games, seed, phases, continue_when_ruined, marks)
        return training.carry_out(self.store, runs.order(self.store, order), progress)

    def resume(self, run_id: int | None = None, progress: Progress | None = None) -> Run:
        """Continue an interrupted run (the latest, if None), and return it finished; `progress` as in `selfplay`.

        Raises:
            UnknownRun, InvalidRun: if there is no such run, or it has ended.
        """
        from menace.ledger import runs, training

        return training.carry_out(self.store, runs.unfinished_run(self.store, run_id), progress)

    def abandon(self, run_id: int) -> Run:
        """End an interrupted run where it stands, and return it. Raises as `resume`."""
        from menace.ledger.runs import abandon

        return abandon(self.store, run_id)

    @property
    def runs(self) -> Listing[Run]:
        """Every run, the oldest first."""
        return list_runs(self.store)

    # Queries and analysis.

    def show(self, board: str, learner: Player | None = None) -> PositionView:
        """Return a position seen from one of its boards, with a learner's box for it.

        Raises:
            InvalidBoard, UnreachableBoard, UnknownLearner: if there is no such board, or learner.
        """
        return show(self.store, board, _named(learner))

    def query(self, question: str, time_limit: float = 10.0) -> Table:
        """Answer a named query, or SQL, without changing anything.

        Raises:
            UnknownQuery, QueryFailed: if there is no such query, SQLite refuses it, or it takes longer than
                `time_limit` seconds.
        """
        return query(self.store, question, time_limit)

    def evaluate(self, x: Opponent, o: Opponent, policy: PolicyName = "behaviour") -> Matchup:
        """Return the exact probabilities of the outcomes when two players meet. See `menace.evaluate`."""
        from menace.analysis.strength_reports import matchup_of
        from menace.notebook.learner import player_of

        return matchup_of(self.store, player_of(self.store, x, "X"), player_of(self.store, o, "O"), policy)

    def compare(self, *players: Compared | Iterable[Compared], policy: PolicyName = "behaviour") -> Comparison:
        """Return the exact outcomes of every X against every O, of these players or of all learners."""
        from menace.analysis.strength_reports import comparison, each_of
        from menace.notebook.learner import player_of

        listed: list[Compared] = list(each_of(players))
        both: list[Named] = [player_of(self.store, player, side) for player in listed for side in Side]
        return comparison(self.store, both, policy)

    def sample(
        self, x: Opponent, o: Opponent, games: int, policy: PolicyName = "behaviour", seed: int | None = None
    ) -> Sample:
        """Play games in which nobody learns, and return their shares of outcomes beside the exact ones."""
        from menace.analysis.strength_reports import sample
        from menace.notebook.learner import name_or_table

        players = name_or_table(self.store, x, "X"), name_or_table(self.store, o, "O")
        return sample(self.store, *players, games, policy, seed)

    def verify(self, since: int | None = None) -> Verified:
        """Replay the log, and compare all that was learned. Raises VerificationFailed if something differs."""
        from menace.ledger.log.verification import verify

        return verify(self.store, since)

    @property
    def positions(self) -> Positions:
        """The positions of the game, as arrays."""
        from menace.ledger.positions import positions_of

        return positions_of(self.store)

    def graph(self, part: Part = "all", learner: Player | None = None) -> GameGraph:
        """Return the game graph as a networkx DiGraph, whole or in part, with a learner's beads or values."""
        from menace.exporting.learner_graph import game_graph  # networkx

        return game_graph(self.store, part, _named(learner))

    # Games with people.

    def play(
        self,
        opponent: Opponent,
        person: SideText | None = None,
        seed: int | None = None,
        name: str | None = None,
        policy: PolicyName = "behaviour",
    ) -> Session:
        """Begin a session with a machine: `.move()` makes a move, `.finish()` lets it learn from the game.

        Args:
            opponent: a learner, a fixed opponent, or a function or another player of `menace.policy_of`.
            person: the person's side; None stands for the side that the learner does not play, or X.
            seed: of the machine's moves, 0 to 2^63 - 1; None takes one from the system.
            name: of the person, kept with the games; None keeps none.
            policy: how a learner plays: its `behaviour`, or `greedy`, always its best move.

        Raises:
            UnknownLearner, InvalidPlayer, InvalidRun: if opponent, side, name or seed are not valid.
        """
        from menace.learners.machine import Machine
        from menace.learners.policy import Policy
        from menace.notebook.learner import name_or_table
        from menace.people.session import Session

        plays = opponent.plays if isinstance(opponent, Machine | Policy) else Side(person or "X").other
        return Session(self.store, name_or_table(self.store, opponent, plays), person, seed, name, policy)

    @property
    def games(self) -> Listing[GameEntry]:
        """Every recorded game, the oldest first."""
        return list_games(self.store)

    def games_of(self, run: Run | int, first: int = 1, count: int = 1) -> Listing[MachineGame]:
        """Return games of a run between machines, from its game number `first` on, played again from the log.

        Raises:
            UnknownRun, InvalidRun: if there is no such run, or it has not so many games, or they are people's.
        """
        return list_games_of_run(self.store, run.run_id if isinstance(run, Run) else run, first, count)

    def replay(self, game_id: int) -> ReplayedGame:
        """Return a recorded game ply by ply, with the machine's boxes as they were then."""
        from menace.analysis.history import replay_game

        return replay_game(self.store, game_id)

    # Files.

    def backup(self, path: str | os.PathLike[str]) -> None:
        """Copy the database, even while others write to it. Raises StoreError if there is a file at `path`."""
        self.store.backup(path)

    def export(self, path: str | os.PathLike[str], part: Part = "all", learner: Player | None = None) -> Exported:
        """Write the game graph; the format follows from the ending of `path`."""
        from menace.exporting import export  # networkx

        return export(self.store, path, part=part, learner=_named(learner))

    def picture(
        self, path: str | os.PathLike[str] | None = None, part: Part = "optimal", learner: Player | None = None
    ) -> Picture:
        """Draw the game graph, and write it to `path`, whose ending says the format; a notebook shows it."""
        need_extra("matplotlib", "plot")
        from menace.figures.game_picture import picture

        return picture(self.store, path, part=part, learner=_named(learner))

    def plot(
        self,
        kind: str,
        path: str | os.PathLike[str] | None = None,
        names: Sequence[Player] = (),
        **options: Any,
    ) -> Plotted:
        """Draw learners as a figure (extra `plot`), which shows itself in a notebook.

        Args:
            kind: such as `outcomes`; `menace plot --help` and menace.figures.kinds.KINDS list all kinds.
            path: of a file to write; None writes none. Its ending gives the format: .svg, .png or .pdf, or .csv for the
                numbers of the figure.
            names: of the learners, or patterns such as `men*`; none stands for all learners.
            options: those of `menace plot KIND`; `opponent`, `by` and `stage` accept several values.

        Raises:
            OutputError: if there is no such kind, option of that kind or format, there is nothing to draw, or the file
                cannot be written.
            InvalidSetting: if learners are to be grouped by what none of them has.
            UnknownLearner: if there is no such learner.
            MissingExtra: if matplotlib is not installed.
        """
        from menace.figures.kinds import plot
        from menace.notebook.learner import name_of

        return plot(self.store, kind, path, [name_of(name) for name in names] or list(self), options)


def _named(player: Player | None) -> str | None:
    """Return a player's name, or None for None."""
    if player is None:
        return None
    from menace.notebook.learner import name_of

    return name_of(player)


def _open_or_create(
    path: str | os.PathLike[str], game: str | Game | None, variant: str | None, symmetry: SymmetryUse | None
) -> Store:
    if database_file.is_missing_or_empty(path):
        return database_file.create_database(path, game or DEFAULT_GAME, variant, symmetry or "full")
    store = database_file.open_database(path)
    try:
        _check_game(store, game, variant, symmetry)
    except BaseException:
        store.close()
        raise
    return store


def _check_game(store: Store, game: str | Game | None, variant: str | None, symmetry: SymmetryUse | None) -> None:
    """Check that a file has the game that was given, if one was, and register a game from outside."""
    rules = store.rules()
    name = game
    if game is not None and (not isinstance(game, str) or is_file(game)):
        own = get_game(game, variant or (rules.variant if isinstance(game, str) else None))
        name, variant = own.name, own.variant
        if own.name not in GAMES:
            register(own)
    if isinstance(name, str) and variant is None and name != rules.name:
        variant = get_game(name).variant
    wanted = (name or rules.name, variant or rules.variant, symmetry or rules.symmetry)
    if wanted != tuple(rules):
        raise database_file.wrong_game_error(store.path, rules, f"{wanted[0]} {wanted[1]} (symmetry {wanted[2]})")
