-- A study: the exact strength of machines on a grid of settings, opponents and seeds (docs/studies.md).
-- The setting and the seed determine a machine, so only the measurements are stored.

CREATE TABLE study (
    -- The design that was run last, in one row.
    study_id INTEGER PRIMARY KEY CHECK (study_id = 1), -- always 1
    design   TEXT NOT NULL CHECK (json_valid(design) AND json_type(design) = 'object') -- the design, as a JSON object
) STRICT;

CREATE TABLE setting (
    -- A cell of the grid: the machines with one setting and one opponent.
    setting_id INTEGER PRIMARY KEY, -- its id
    definition TEXT    NOT NULL UNIQUE CHECK (json_valid(definition) AND json_type(definition) = 'object'), -- game, side, preset, settings and opponent, as a JSON object
    algorithm  TEXT    NOT NULL, -- the machines' learning algorithm
    revision   INTEGER NOT NULL CHECK (revision >= 1) -- the revision of that algorithm
) STRICT;

CREATE TABLE policy (
    -- An opponent without a name, such as a Python function, as a table of its weights.
    hash    TEXT NOT NULL PRIMARY KEY, -- the SHA-256 of game, side and weights, in hexadecimal
    name    TEXT NOT NULL, -- the name shown for it
    weights BLOB NOT NULL -- a 32-bit integer for each move of the game, lowest byte first
) STRICT;

CREATE TABLE chunk (
    -- Machines of one setting that were trained together, or that failed.
    chunk_id   INTEGER PRIMARY KEY, -- its id
    setting_id INTEGER NOT NULL REFERENCES setting (setting_id), -- the setting
    first_seed INTEGER NOT NULL, -- the first seed of its machines
    last_seed  INTEGER NOT NULL, -- the last seed of its machines
    machines   INTEGER NOT NULL CHECK (machines >= 1), -- the number of machines
    written_at TEXT    NOT NULL, -- when its rows were written
    seconds    REAL    NOT NULL CHECK (seconds >= 0), -- the processor time in seconds
    host       TEXT    NOT NULL, -- the computer that trained them
    versions   TEXT    NOT NULL, -- the versions of menace, numpy and Python
    error      TEXT -- the error, or NULL
) STRICT;

CREATE TABLE strength (
    -- The exact strength of one machine after some games, as probabilities. The rest to 1 is the probability of a draw.
    setting_id     INTEGER NOT NULL REFERENCES setting (setting_id), -- its setting
    seed           INTEGER NOT NULL CHECK (seed >= 0), -- the seed of the machine
    games          INTEGER NOT NULL CHECK (games >= 0), -- the number of games it had learned from
    greedy         INTEGER NOT NULL CHECK (greedy IN (0, 1)), -- the policy: 0 for behaviour, 1 for greedy
    random_wins    REAL    NOT NULL CHECK (random_wins    BETWEEN 0.0 AND 1.0), -- against random play
    random_losses  REAL    NOT NULL CHECK (random_losses  BETWEEN 0.0 AND 1.0), -- against random play
    optimal_wins   REAL    NOT NULL CHECK (optimal_wins   BETWEEN 0.0 AND 1.0), -- against optimal play
    optimal_losses REAL    NOT NULL CHECK (optimal_losses BETWEEN 0.0 AND 1.0), -- against optimal play
    best_response_wins   REAL NOT NULL CHECK (best_response_wins   BETWEEN 0.0 AND 1.0), -- against the best response
    best_response_losses REAL NOT NULL CHECK (best_response_losses BETWEEN 0.0 AND 1.0), -- against the best response
    PRIMARY KEY (setting_id, seed, games, greedy)
) STRICT, WITHOUT ROWID;

CREATE VIEW strengths AS
-- Each strength as a row, with its setting in words.
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
