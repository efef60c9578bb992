"""The exceptions that menace raises.

    MenaceError
    ├── InvalidBoard            (ValueError)   the text is not a board
    │   └── UnreachableBoard                   no game can reach the board
    ├── IllegalMove             (ValueError)   the position does not allow the action
    ├── InvalidGame             (ValueError)   there is no such game or variant, or the game breaks a law
    │   ├── MissingGame                        there is no game with that name
    │   └── BrokenGame                         the game breaks a law that every game must obey
    ├── InvalidSetting          (ValueError)   a setting is unknown, of the wrong type or out of range
    ├── InvalidPlayer           (ValueError)   the player does not exist, or cannot play that side
    ├── UnknownLearner          (ValueError)   the database has no learner with that name
    ├── UnknownPreset           (ValueError)   there is no preset with that name
    ├── UnknownRun              (ValueError)   the database has no run with that number
    ├── UnknownQuery            (ValueError)   there is no named query with that name
    ├── InvalidRun              (ValueError)   the run cannot be created or continued as requested
    ├── UnknownGame             (ValueError)   the database has no recorded game with that number
    ├── InvalidBox              (ValueError)   the learner has no box with that number
    ├── InvalidBeads            (ValueError)   the text does not name a bead or a box, or a number of beads
    ├── OutputError                            a file cannot be written, or its format is unknown
    ├── MissingExtra                           an optional library is not installed
    ├── QueryFailed             (ValueError)   SQLite refused the SQL, or the query took too long
    ├── VerificationFailed                     the database does not match its log
    └── StoreError                             the database file cannot be opened, read or written
        ├── NoDatabase                         there is no file at that path
        ├── NotOurs                            the file belongs to another program
        │   └── EmptyDatabase                  the database has no tables
        ├── NotOpenHere                        the database is closed, or open in another thread
        ├── Overwritten                        the file was overwritten or truncated while in use
        ├── SchemaMismatch                     a newer or older version of menace wrote the file
        │   └── OlderSchema                    an older version wrote the file; `open_database` upgrades it
        ├── RevisionMismatch                   another revision of its algorithm trained the learner
        └── DatabaseBusy                       another program kept the database locked for too long

Every message shows the wrong value, states what was expected, and suggests a remedy.
"""


class MenaceError(Exception):
    """The base class of all exceptions that menace raises deliberately.

    >>> from menace.games import get_game
    >>> try:
    ...     get_game("chess")
    ... except MenaceError as error:
    ...     type(error).__name__, isinstance(error, ValueError)
    ('MissingGame', True)
    """


class InvalidBoard(MenaceError, ValueError):
    """The text is not a valid board in this game."""


class UnreachableBoard(InvalidBoard):
    """The text is a valid board, but no game can reach it."""


class IllegalMove(MenaceError, ValueError):
    """The action is not allowed on the given board."""


class InvalidGame(MenaceError, ValueError):
    """The game, variant or symmetry does not exist, or the game breaks a law that every game must obey."""


class MissingGame(InvalidGame):
    """No game with that name is built in, installed by a package, or defined in a file given by the user."""


class BrokenGame(InvalidGame):
    """A game breaks a law that every game must obey."""


class InvalidSetting(MenaceError, ValueError):
    """A setting is unknown, has the wrong type, or is out of range."""


class InvalidPlayer(MenaceError, ValueError):
    """The player does not exist, or cannot play the given side."""


class UnknownLearner(MenaceError, ValueError):
    """The database has no learner with the given name."""


class UnknownPreset(MenaceError, ValueError):
    """There is no preset with the given name."""


class UnknownRun(MenaceError, ValueError):
    """The database has no run with the given number."""


class UnknownQuery(MenaceError, ValueError):
    """There is no named query with the given name."""


class InvalidRun(MenaceError, ValueError):
    """The run cannot be created or continued as requested."""


class UnknownGame(MenaceError, ValueError):
    """The database has no recorded game with the given number."""


class InvalidBox(MenaceError, ValueError):
    """The learner has no box with the given number or for the given board."""


class InvalidBeads(MenaceError, ValueError):
    """The text does not name one of the machine's beads or boxes, or is not a valid number of beads."""


class OutputError(MenaceError):
    """A file cannot be written, or its format is unknown."""


class MissingExtra(MenaceError):
    """An optional library is not installed. The message names the extra that installs the library."""


class QueryFailed(MenaceError, ValueError):
    """SQLite refused the SQL, or the query exceeded its time limit."""


class VerificationFailed(MenaceError):
    """A table of learned values differs from the result of replaying the log."""


class StoreError(MenaceError):
    """A database file cannot be opened, read or written."""


class NoDatabase(StoreError):
    """There is no database at that path."""


class NotOurs(StoreError):
    """The file is not an SQLite database, or it belongs to another program."""


class EmptyDatabase(NotOurs):
    """The file is an SQLite database that contains no tables."""


class NotOpenHere(StoreError):
    """The database is closed, or was opened in another thread."""


class Overwritten(StoreError):
    """Another file was copied over the database, or the file was truncated."""


class SchemaMismatch(StoreError):
    """The database was written by a newer or older version of menace."""


class OlderSchema(SchemaMismatch):
    """The database was written by an older version of menace."""


class RevisionMismatch(StoreError):
    """The learner was trained by another revision of its algorithm, which learns differently from the same games."""


class DatabaseBusy(StoreError):
    """Other programs kept the database locked for too long."""
