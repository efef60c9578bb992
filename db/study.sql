-- A study: many machines of a grid of settings, opponents and seeds, and their exact strength (docs/studies.md).
-- A machine follows from its setting and its seed, so only what was measured is kept.

CREATE TABLE study (
    -- what is asked: one row, the design that was run last
    study_id INTEGER PRIMARY KEY CHECK (study_id = 1), -- always 1
    design   TEXT NOT NULL CHECK (json_valid(design) AND json_type(design) = 'object') -- the design, as a JSON object
) STRICT;

CREATE TABLE setting (
    -- a cell of the grid: machines of one setting, with one opponent
    setting_id INTEGER PRIMARY KEY, -- its number
    definition TEXT    NOT NULL UNIQUE CHECK (json_valid(definition) AND json_type(definition) = 'object'), -- game, side, preset, settings and opponent, as a JSON object
    algorithm  TEXT    NOT NULL, -- that the machines learn by
    revision   INTEGER NOT NULL CHECK (revision >= 1) -- of that algorithm
) STRICT;

CREATE TABLE policy (
    -- an opponent that has no name, such as a Python function, as a table of its weights
    hash    TEXT NOT NULL PRIMARY KEY, -- the SHA-256 of game, side and weights, in hexadecimal digits
    name    TEXT NOT NULL, -- what it is called
    weights BLOB NOT NULL -- a 32-bit whole number for each move of the game, lowest byte first
) STRICT;

CREATE TABLE chunk (
    -- some machines of one setting that were played together, or could not be
    chunk_id   INTEGER PRIMARY KEY, -- its number
    setting_id INTEGER NOT NULL REFERENCES setting (setting_id), -- the setting
    first_seed INTEGER NOT NULL, -- of its machines
    last_seed  INTEGER NOT NULL, -- of its machines
    machines   INTEGER NOT NULL CHECK (machines >= 1), -- how many
    written_at TEXT    NOT NULL, -- when its rows were written
    seconds    REAL    NOT NULL CHECK (seconds >= 0), -- of a processor, that it took
    host       TEXT    NOT NULL, -- the computer that played it
    versions   TEXT    NOT NULL, -- of menace, numpy and Python there
    error      TEXT -- why it could not be played; NULL if it was
) STRICT;

CREATE TABLE strength (
    -- the exact strength of one machine after some games, as shares of all games; what is missing to 1 is drawn
    setting_id     INTEGER NOT NULL REFERENCES setting (setting_id), -- its setting
    seed           INTEGER NOT NULL CHECK (seed >= 0), -- of the machine
    games          INTEGER NOT NULL CHECK (games >= 0), -- that it had learned from
    greedy         INTEGER NOT NULL CHECK (greedy IN (0, 1)), -- 0: as it trains (behaviour); 1: at its best (greedy)
    random_wins    REAL    NOT NULL CHECK (random_wins    BETWEEN 0.0 AND 1.0), -- against random play
    random_losses  REAL    NOT NULL CHECK (random_losses  BETWEEN 0.0 AND 1.0), -- against random play
    optimal_wins   REAL    NOT NULL CHECK (optimal_wins   BETWEEN 0.0 AND 1.0), -- against optimal play
    optimal_losses REAL    NOT NULL CHECK (optimal_losses BETWEEN 0.0 AND 1.0), -- against optimal play
    best_response_wins   REAL NOT NULL CHECK (best_response_wins   BETWEEN 0.0 AND 1.0), -- against the best response
    best_response_losses REAL NOT NULL CHECK (best_response_losses BETWEEN 0.0 AND 1.0), -- against the best response
    PRIMARY KEY (setting_id, seed, games, greedy)
) STRICT, WITHOUT ROWID;

CREATE VIEW strengths AS
-- each strength as a row, with its setting in words
SELECT setting_id, definition ->> 'preset' AS preset, definition ->> 'plays' AS plays,
       coalesce(definition ->> '$.against.name', definition ->> 'against') AS against,
       definition ->> 'settings' AS settings, seed, games, opponent, iif(greedy, 'greedy', 'behaviour') AS policy, wins,
       max(1 - wins - losses, 0) AS draws, losses
  FROM (SELECT setting_id, seed, games, greedy, 'random' AS opponent, random_wins AS wins, random_losses AS losses
          FROM strength
        UNION ALL
        SELECT setting_id, seed, games, greedy, 'optimal', optimal_wins, optimal_losses FROM strength
        UNION ALL
        SELECT setting_id, seed, games, greedy, 'best_response', best_response_wins, best_response_losses FROM strength)
  JOIN setting USING (setting_id);
