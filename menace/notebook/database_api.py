"""Define the `Database` class of the Python API, whose methods correspond to the commands."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from menace.analysis.listings import list_games, list_games_of_run, list_runs
from menace.analysis.position import PositionView, show
from menace.errors import MenaceError, StoreError
from menace.files.optional_libraries import need_extra
from menace.files.tables import Listing, Table
from menace.games import DEFAULT_GAME, GAMES, get_game
from menace.games.base import Game, Side, SideText
from menace.games.plugins import is_file, register
from menace.games.symmetry import SymmetryUse
from menace.ledger import create_and_open
from menace.ledger.queries import query
from menace.ledger.store import Run, Store

# Opening and querying a database does not require numpy, so numpy is imported only in the methods that need it.
if TYPE_CHECKING:
    from menace.analysis.history import GameEntry, ReplayedGame
    from menace.analysis.matchups import Comparison, Matchup, Named, Sample
    from menace.arena.play import Progress
    from menace.exporting.graphs import Exported
    from menace.figures.game_graph import Picture
    from menace.figures.kinds import Plotted
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

    Compared: TypeAlias = Named | Learner  # a player in a comparison


class Database:
    """A menace database. The file is created if it does not exist.

    A `Database` is a context manager; a database that is still open is closed when the program ends.

    Args:
        path: the file, or `:memory:` for a database in memory, which is lost when it is closed.
        game: the game for a new file, as for `menace init --game`, or your own game; None selects `tictactoe`.
        variant: the variant of that game; None selects the game's default, such as `3x3x3`.
        symmetry: for a new file, `full` to treat all rotations and reflections of a board as one position, or `none`;
            None selects `full`. An existing file must match the given game, variant and symmetry.

    Raises:
        StoreError: if the file is not a menace database, or is damaged.
        SchemaMismatch: if the file was created by another version of menace.
        InvalidGame: if there is no such game, or the file is for another game.

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
        except (MenaceError, AttributeError) as error:  # a debugger may show an object whose __init__ method has failed
            return f"<Database: {error}>"
        without = "" if rules.symmetry == "full" else " without symmetry"
        return f"<{self.store.path}: {rules.name} {rules.variant}{without}, machines: {names or 'none yet'}>"

    # The following methods find and create learners.

    def __getitem__(self, name: str) -> Learner:
        """Return a learner by name. Raises UnknownLearner if there is no such learner."""
        from menace.notebook.learner import Learner

        return Learner(self.store, self.store.learner(name).learner_id)

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the learners, oldest first."""
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
        """Create an untrained learner.

        Args:
            name: the name of the new learner.
            plays: its side, `X` or `O`.
            preset: the preset that provides its settings, one of PRESETS.
            seed: the seed for random initial values, 0 to 2^63 - 1; None draws one from the operating system. Only
                presets with random initial values use it.
            colours: the colours of its beads, `menace` or `michie`; None selects the preset's.
            numbering: the numbering of cells, `menace` or `michie`; None selects the preset's.
            settings: values that replace settings of the preset, such as `beads=(8, 4, 2, 1)`.

        Raises:
            InvalidPlayer: if the name or the side is invalid, or the name is taken.
            UnknownPreset: if there is no such preset.
            InvalidSetting: if a setting is invalid.
        """
        from menace.ledger.learners import new_learner

        row = new_learner(self.store, name, plays, preset, settings, seed, colours, numbering)
        return self[row.name]

    def add(self, name: str, machine: Machine) -> Learner:
        """Store an in-memory machine, with everything that it has learned, as a learner of this database.

        The learner's log starts here, because its earlier games were played elsewhere. `verify` accepts the stored
        state as given and replays the blocks that follow. The machine in memory is not changed.

        Args:
            name: the name of the new learner.
            machine: a machine for this database's game: `menace.Machine(..., positions=db.positions)`, or the
                `machine()` of a learner.

        Raises:
            InvalidPlayer: if the name is invalid or taken.
            InvalidGame: if the machine plays another game.
            InvalidSetting, UnknownPreset: if the machine cannot be stored.

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
        """Import the machines from several files, either as separate learners or combined into one learner.

        Args:
            paths: files that were downloaded from pages of a site or, if `into` is None, other databases of this game.
            into: the name of a single new learner, which combines what the machine in each file has learned since the
                export; None keeps the machines separate and names them after their files.

        Raises:
            InvalidPlayer, InvalidGame, StoreError: if a file is neither a download nor a database, is for another game,
                or does not come from a machine in this database. In that case nothing is written.
        """
        from menace.site.merge_into_database import merge, merge_sum

        rows = merge(self.store, [*paths]) if into is None else [merge_sum(self.store, [*paths], into)]
        return [self[row.name] for row in rows]

    # The following methods start, continue and end runs.

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
        """Train two learners against each other, and return the finished run.

        Args:
            x: the learner that plays X; None selects `menace-x`, which is created if it is missing.
            o: the learner that plays O; None selects `menace-o`, which is created if it is missing.
            games: the number of games, 1 to 10^12.
            seed: the random seed, 0 to 2^63 - 1; None draws one from the operating system.
            phases: the exploration rates, `article` or `GAMES:X:O,...`; None uses the learners' settings.
            continue_when_ruined: whether to continue the run, with lost games, after a learner has no bead left for its
                first move. By default, the run ends there.
            marks: when to measure the learners: `1-2-5`, `every:500`, `log:20` (20 marks per power of ten), or a list
                of numbers of games such as `0,100,220`. The start and the end are always marks.
            progress: called several times a second, and at the end, with the number of games played and the number
                requested. If it raises an exception, the run stops after a committed block, as with Ctrl-C on the
                command line, and `resume` continues the run.

        Raises:
            UnknownLearner, InvalidPlayer, InvalidRun: if an argument is invalid. Nothing is written then.

        >>> calls = []
        >>> run = db.selfplay(games=100, seed=2, progress=lambda played, ordered: calls.append((played, ordered)))
        >>> calls[-1]
        (100, 100)
        """
        from menace.ledger import runs, training

        order = runs.SelfPlay(_optional_name(x), _optional_name(o), games, seed, phases, continue_when_ruined, marks)
        return training.carry_out(self.store, runs.order(self.store, order), progress)

    def resume(self, run_id: int | None = None, progress: Progress | None = None) -> Run:
        """Continue an interrupted run (by default the latest) to its end, and return the run.

        Args:
            run_id: the number of the run; None selects the latest interrupted one.
            progress: called as in `selfplay`.

        Raises:
            UnknownRun: if there is no such run.
            InvalidRun: if the run has ended.
        """
        from menace.ledger import runs, training

        return training.carry_out(self.store, runs.unfinished_run(self.store, run_id), progress)

    def abandon(self, run_id: int) -> Run:
        """End an interrupted run, and return the run. The run's learners keep what they have learned.

        Raises:
            UnknownRun: if there is no such run.
            InvalidRun: if the run has ended.
        """
        from menace.ledger.runs import abandon

        return abandon(self.store, run_id)

    @property
    def runs(self) -> Listing[Run]:
        """All runs, oldest first."""
        return list_runs(self.store)

    # The following methods read and analyse the database.

    def show(self, board: str, learner: Player | None = None) -> PositionView:
        """Return the position of a board, with a learner's box if a learner is named.

        Args:
            board: a board as text, or the number of one of the learner's boxes.
            learner: the learner whose box to include, or None.

        Raises:
            InvalidBoard: if the text is not a board.
            UnreachableBoard: if no game reaches the board.
            UnknownLearner: if there is no such learner.
        """
        return show(self.store, board, _optional_name(learner))

    def query(self, question: str, time_limit: float = 10.0) -> Table:
        """Run a named query or an SQL statement, read-only.

        Args:
            question: the name of a query, or SQL.
            time_limit: the maximum time in seconds.

        Raises:
            UnknownQuery: if there is no such query.
            QueryFailed: if SQLite rejects the statement, or it exceeds the time limit.
        """
        return query(self.store, question, time_limit)

    def evaluate(self, x: Opponent, o: Opponent, policy: PolicyName = "behaviour") -> Matchup:
        """Return the exact probabilities of the outcomes when `x` plays against `o`. See `menace.evaluate`."""
        from menace.analysis.matchups import matchup_of
        from menace.notebook.learner import player_of

        return matchup_of(self.store, player_of(self.store, x, "X"), player_of(self.store, o, "O"), policy)

    def compare(self, *players: Compared | Iterable[Compared], policy: PolicyName = "behaviour") -> Comparison:
        """Return the exact outcomes of every X player against every O player, by default for all learners."""
        from menace.analysis.matchups import comparison, each_of
        from menace.notebook.learner import player_of

        listed: list[Compared] = list(each_of(players))
        both: list[Named] = [player_of(self.store, player, side) for player in listed for side in Side]
        return comparison(self.store, both, policy)

    def sample(
        self, x: Opponent, o: Opponent, games: int, policy: PolicyName = "behaviour", seed: int | None = None
    ) -> Sample:
        """Play games without learning, and return the share of each outcome together with its exact probability."""
        from menace.analysis.matchups import sample
        from menace.notebook.learner import player_of

        return sample(self.store, player_of(self.store, x, "X"), player_of(self.store, o, "O"), games, policy, seed)

    def verify(self, since: int | None = None) -> Verified:
        """Replay the log, and compare the result with the database. Raises VerificationFailed if there is a difference.

        Args:
            since: the number of a block after which blocks are checked; None checks all blocks.
        """
        from menace.ledger.log.verification import verify

        return verify(self.store, since)

    @property
    def positions(self) -> Positions:
        """The positions of the game, as arrays."""
        from menace.ledger.positions import positions_of

        return positions_of(self.store)

    def graph(self, part: Part = "all", learner: Player | None = None) -> GameGraph:
        """Return all or part of the game graph as a networkx DiGraph, with a learner's beads or values if requested."""
        from menace.exporting.graphs import game_graph

        return game_graph(self.store, part, _optional_name(learner))

    # The following methods play and list games with people.

    def play(
        self,
        opponent: Opponent,
        person: SideText | None = None,
        seed: int | None = None,
        name: str | None = None,
        policy: PolicyName = "behaviour",
    ) -> Session:
        """Start a session against a machine.

        Call the session's `move` to make a move and its `finish` to record the game.

        Args:
            opponent: a learner, a fixed opponent, or a function or another player that `menace.policy_of` accepts.
            person: the person's side; None selects the side that the learner does not play, or X.
            seed: the random seed for the machine's moves, 0 to 2^63 - 1; None draws one from the operating system.
            name: the person's name, which is stored with the games; None stores no name.
            policy: the policy of a learner: `behaviour`, or `greedy`, with which it always makes its best move.

        Raises:
            UnknownLearner, InvalidPlayer, InvalidRun: if the opponent, side, name or seed is invalid.
        """
        from menace.learners.machine import Machine
        from menace.learners.policy import Policy
        from menace.notebook.learner import opponent_name
        from menace.people.session import Session

        plays = opponent.plays if isinstance(opponent, Machine | Policy) else Side(person or "X").other
        return Session(self.store, opponent_name(self.store, opponent, plays), person, seed, name, policy)

    @property
    def games(self) -> Listing[GameEntry]:
        """All recorded games, oldest first."""
        return list_games(self.store)

    def games_of(self, run: Run | int, first: int = 1, count: int = 1) -> Listing[MachineGame]:
        """Return some of the games of a run between machines, replayed from the log.

        Args:
            run: the run, or its number.
            first: the number of the first game to return, counting from 1.
            count: the number of games.

        Raises:
            UnknownRun: if there is no such run.
            InvalidRun: if the run does not have that many games, or its games were played with people.
        """
        return list_games_of_run(self.store, run.run_id if isinstance(run, Run) else run, first, count)

    def replay(self, game_id: int) -> ReplayedGame:
        """Return a recorded game ply by ply, with the machine's boxes as they were before each of its moves."""
        from menace.analysis.history import replay_game

        return replay_game(self.store, game_id)

    # The following methods write files.

    def backup(self, path: str | os.PathLike[str]) -> None:
        """Take a consistent copy of the database, even while other processes write to it.

        Raises:
            StoreError: if there is already a file at `path`.
        """
        self.store.backup(path)

    def export(self, path: str | os.PathLike[str], part: Part = "all", learner: Player | None = None) -> Exported:
        """Write the game graph to a file. The extension of `path` selects the format."""
        from menace.exporting.graphs import export

        return export(self.store, path, part=part, learner=_optional_name(learner))

    def picture(
        self, path: str | os.PathLike[str] | None = None, part: Part = "optimal", learner: Player | None = None
    ) -> Picture:
        """Draw the game graph for display in a notebook. If `path` is given, also write the picture to this file."""
        need_extra("matplotlib", "plot")
        from menace.figures.game_graph import picture

        return picture(self.store, path, part=part, learner=_optional_name(learner))

    def plot(
        self,
        kind: str,
        path: str | os.PathLike[str] | None = None,
        names: Sequence[Player] = (),
        **options: Any,
    ) -> Plotted:
        """Draw a figure of learners for display in a notebook. This method requires the `plot` extra.

        Args:
            kind: the kind of figure, such as `outcomes`. `menace plot --help` and menace.figures.kinds.KINDS list all
                kinds.
            path: the file to write; None writes no file. The extension selects the format: .svg, .png or .pdf, or .csv
                for the numbers of the figure.
            names: the names of learners, or patterns such as `men*`; empty for all learners.
            options: the options of `menace plot KIND`; `opponent`, `by` and `stage` accept several values.

        Raises:
            OutputError: if there is no such kind, option or format, if there is nothing to draw, or if the file cannot
                be written.
            InvalidSetting: if learners are to be grouped by a setting that none of them has.
            UnknownLearner: if there is no such learner.
            MissingExtra: if matplotlib is not installed.
        """
        from menace.figures.kinds import plot
        from menace.notebook.learner import name_of

        return plot(self.store, kind, path, [name_of(name) for name in names] or list(self), options)


def _optional_name(player: Player | None) -> str | None:
    """Return a player's name, or None for None."""
    if player is None:
        return None
    from menace.notebook.learner import name_of

    return name_of(player)


def _open_or_create(
    path: str | os.PathLike[str], game: str | Game | None, variant: str | None, symmetry: SymmetryUse | None
) -> Store:
    if create_and_open.is_missing_or_empty(path):
        return create_and_open.create_database(path, game or DEFAULT_GAME, variant, symmetry or "full")
    store = create_and_open.open_database(path)
    try:
        _check_game(store, game, variant, symmetry)
    except BaseException:
        store.close()
        raise
    return store


def _check_game(store: Store, game: str | Game | None, variant: str | None, symmetry: SymmetryUse | None) -> None:
    """Check that a file contains the given game, if any, and register the game if a user wrote it."""
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
        stored, asked = ("{} {} (symmetry {})".format(*named) for named in (rules, wanted))
        raise StoreError(f"{store.path} contains the game {stored}, not {asked}; choose another file, or omit the game")
