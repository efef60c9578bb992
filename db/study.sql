-- The tables of a study, which measures the exact strength of machines on a grid of settings, opponents and seeds (see
-- docs/studies.md). The setting and the seed determine a machine, so only the measurements are stored.

CREATE TABLE study (
    -- The latest design. The table contains exactly one row.
    study_id INTEGER PRIMARY KEY CHECK (study_id = 1), -- always 1
    design   TEXT NOT NULL CHECK (json_valid(design) AND json_type(design) = 'object') -- the design, as a JSON object
) STRICT;

CREATE TABLE setting (
    -- One cell of the grid: a setting together with an opponent.
    setting_id INTEGER PRIMARY KEY, -- the id of the setting
    definition TEXT    NOT NULL UNIQUE CHECK (json_valid(definition) AND json_type(definition) = 'object'), -- the game, side, preset, settings, opponent and phases, as a JSON object
    algorithm  TEXT    NOT NULL, -- the learning algorithm of the machines
    revision   INTEGER NOT NULL CHECK (revision >= 1) -- the revision of the algorithm
) STRICT;

CREATE TABLE policy (
    -- An opponent that menace does not include, such as a Python function. Its moves are stored as weights.
    hash    TEXT NOT NULL PRIMARY KEY, -- the SHA-256 of the game, the side and the weights, in hexadecimal
    name    TEXT NOT NULL, -- the name of the opponent
    weights BLOB NOT NULL -- the weights: a 32-bit little-endian integer for each move of the game
) STRICT;

CREATE TABLE chunk (
    -- A group of machines with the same setting that were trained together.
    chunk_id   INTEGER PRIMARY KEY, -- the id of the group
    setting_id INTEGER NOT NULL REFERENCES setting (setting_id), -- the setting
    first_seed INTEGER NOT NULL, -- the lowest seed in the group
    last_seed  INTEGER NOT NULL, -- the highest seed in the group
    machines   INTEGER NOT NULL CHECK (machines >= 1), -- the number of machines
    written_at TEXT    NOT NULL, -- when the results were written
    seconds    REAL    NOT NULL CHECK (seconds >= 0), -- the processor time in seconds
    host       TEXT    NOT NULL, -- the name of the computer that trained the machines
    versions   TEXT    NOT NULL, -- the versions of menace, NumPy and Python
    error      TEXT -- the error message; NULL if the training succeeded
) STRICT;

CREATE TABLE strength (
    -- The exact strength of one machine at one mark, as probabilities. All games that are neither won nor lost are
    -- draws.
    setting_id     INTEGER NOT NULL REFERENCES setting (setting_id), -- the setting of the machine
    seed           INTEGER NOT NULL CHECK (seed >= 0), -- the seed of the machine
    games          INTEGER NOT NULL CHECK (games >= 0), -- the number of games that the machine had learned from
    greedy         INTEGER NOT NULL CHECK (greedy IN (0, 1)), -- 1 if the greedy policy was measured, 0 if the behaviour policy was measured
    random_wins    REAL    NOT NULL CHECK (random_wins    BETWEEN 0.0 AND 1.0), -- the probability of a win against random play
    random_losses  REAL    NOT NULL CHECK (random_losses  BETWEEN 0.0 AND 1.0), -- the probability of a loss against random play
    optimal_wins   REAL    NOT NULL CHECK (optimal_wins   BETWEEN 0.0 AND 1.0), -- the probability of a win against optimal play
    optimal_losses REAL    NOT NULL CHECK (optimal_losses BETWEEN 0.0 AND 1.0), -- the probability of a loss against optimal play
    best_response_wins   REAL NOT NULL CHECK (best_response_wins   BETWEEN 0.0 AND 1.0), -- the probability of a win against the best response
    best_response_losses REAL NOT NULL CHECK (best_response_losses BETWEEN 0.0 AND 1.0), -- the probability of a loss against the best response
    PRIMARY KEY (setting_id, seed, games, greedy)
) STRICT, WITHOUT ROWID;

CREATE TABLE score (
    -- The score of one machine that `menace study search` trained.
    setting_id INTEGER NOT NULL REFERENCES setting (setting_id), -- the setting of the machine
    games      INTEGER NOT NULL CHECK (games >= 0), -- the number of games that the machine had learned from
    measure    TEXT    NOT NULL, -- the measure and the policy, such as "training.losses, behaviour"
    seed       INTEGER NOT NULL CHECK (seed >= 0), -- the seed of the machine
    value      REAL    NOT NULL, -- the score
    PRIMARY KEY (setting_id, games, measure, seed)
) STRICT, WITHOUT ROWID;

CREATE VIEW strengths AS
-- The view strengths contains a row for each measured strength, together with the values of the machine's setting.
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
