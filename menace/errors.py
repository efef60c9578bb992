"""The exceptions that menace raises.

    MenaceError
    ├── InvalidBoard            (ValueError)   text that is not a board
    │   └── UnreachableBoard                   a board that no game can reach
    ├── IllegalMove             (ValueError)   an action that the position does not allow
    ├── InvalidGame             (ValueError)   not a game, or a game without that variant
    │   ├── MissingGame                        a game that is not installed or named
    │   └── BrokenGame                         one that breaks a law of games
    ├── InvalidSetting          (ValueError)   a setting unknown, of the wrong type or out of range
    ├── InvalidPlayer           (ValueError)   a player that cannot take that seat
    ├── UnknownLearner          (ValueError)
    ├── UnknownPreset           (ValueError)
    ├── UnknownRun              (ValueError)
    ├── UnknownQuery            (ValueError)
    ├── InvalidRun              (ValueError)   a run that cannot be made or continued as asked
    ├── UnknownGame             (ValueError)   no recorded game of that number
    ├── InvalidBox              (ValueError)   a number that no box of the learner has
    ├── InvalidBeads            (ValueError)   text that names no bead, no box, or no number of beads
    ├── OutputError                            a file or format that cannot be written
    ├── MissingExtra                           a library that is not installed, and how to install it
    ├── QueryFailed             (ValueError)   SQL that SQLite refuses, or that took too long
    ├── VerificationFailed                     the database is not what its log says
    └── StoreError                             a file that cannot be read or written
        ├── NoDatabase
        ├── NotOurs                            another program's file
        │   └── EmptyDatabase                  a database without tables
        ├── NotOpenHere                        a database that is closed, or open in another thread
        ├── Overwritten                        the file was overwritten or truncated while in use
        ├── SchemaMismatch                     a newer or older menace wrote it
        │   └── OlderSchema                    an older one, whose file `open_database` upgrades
        ├── RevisionMismatch                   a learner of an older or newer version of its algorithm
        └── DatabaseBusy

Every message gives the value, what was expected, and what to do.
"""


class MenaceError(Exception):
    """Base of everything that menace raises on purpose.

    >>> from menace.games import get_game
    >>> try:
    ...     get_game("chess")
    ... except MenaceError as error:
    ...     type(error).__name__, isinstance(error, ValueError)
    ('MissingGame', True)
    """


class InvalidBoard(MenaceError, ValueError):
    """The text is not a board of this game."""


class UnreachableBoard(InvalidBoard):
    """The text is a board, but no game can reach it."""


class IllegalMove(MenaceError, ValueError):
    """The action is not allowed on that board."""


class InvalidGame(MenaceError, ValueError):
    """The game, variant or symmetry is not one that menace knows, or the game breaks the rules for games."""


class MissingGame(InvalidGame):
    """No game of that name is menace's own, in an installed package, or in a file that was named."""


class BrokenGame(InvalidGame):
    """A game breaks a law that every game here must hold to."""


class InvalidSetting(MenaceError, ValueError):
    """A setting is unknown, of the wrong type, or out of its range."""


class InvalidPlayer(MenaceError, ValueError):
    """A player that does not exist, or cannot take that side."""


class UnknownLearner(MenaceError, ValueError):
    """No learner of that name in this database."""


class UnknownPreset(MenaceError, ValueError):
    """No preset of that name."""


class UnknownRun(MenaceError, ValueError):
    """No run of that number in this database."""


class UnknownQuery(MenaceError, ValueError):
    """No named query of that name."""


class InvalidRun(MenaceError, ValueError):
    """A run that cannot be made or continued as asked."""


class UnknownGame(MenaceError, ValueError):
    """No recorded game of that number in this database."""


class InvalidBox(MenaceError, ValueError):
    """A number that no box of the learner has."""


class InvalidBeads(MenaceError, ValueError):
    """A text that names no bead or box of the machine, or no number of beads."""


class OutputError(MenaceError):
    """A file that cannot be written, or an unknown format."""


class MissingExtra(MenaceError):
    """A library that is needed is not installed; the message says which extra brings it."""


class QueryFailed(MenaceError, ValueError):
    """SQL that SQLite refused, or that passed its time limit."""


class VerificationFailed(MenaceError):
    """A learned table is not what the log of blocks gives."""


class StoreError(MenaceError):
    """A database file that cannot be opened, read or written."""


class NoDatabase(StoreError):
    """There is no database at that path."""


class NotOurs(StoreError):
    """The file is not an SQLite database, or another program's."""


class EmptyDatabase(NotOurs):
    """The file is a SQLite database without any table."""


class NotOpenHere(StoreError):
    """The database is closed, or was opened in another thread."""


class Overwritten(StoreError):
    """The file is not what was last written to it: another file was copied over it, or it was truncated."""


class SchemaMismatch(StoreError):
    """The database was written by a newer or an older menace."""


class OlderSchema(SchemaMismatch):
    """The database was written by an older menace."""


class RevisionMismatch(StoreError):
    """A learner was taught by another revision of its algorithm, which would learn otherwise from the same games."""


class DatabaseBusy(StoreError):
    """Other programs kept the database locked for too long."""
