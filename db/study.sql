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

CREATE TABLE mark (
    -- The marks and policies for which one row of `measurement` contains measurements. Machines with the same marks and
    -- policies share a list. A list has at most ten places, so machines with more marks and policies have several lists.
    list_id INTEGER NOT NULL CHECK (list_id >= 1), -- the id of the list
    place   INTEGER NOT NULL CHECK (place BETWEEN 0 AND 9), -- the place in the list, which is also the suffix of the columns in `measurement`
    games   INTEGER NOT NULL CHECK (games >= 0), -- the number of games that the machines had learned from
    greedy  INTEGER NOT NULL CHECK (greedy IN (0, 1)), -- 1 if the greedy policy was measured, 0 if the behaviour policy was measured
    PRIMARY KEY (list_id, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE measurement (
    -- The exact strength of one machine at each mark in one of the lists, as probabilities. The view strength shows
    -- these measurements with one row for each mark. The columns of a place are NULL if the list is shorter, or if
    -- another row of the machine contains the same mark and policy.
    setting_id INTEGER NOT NULL REFERENCES setting (setting_id), -- the setting of the machine
    list_id    INTEGER NOT NULL, -- the list of marks
    seed       INTEGER NOT NULL CHECK (seed >= 0), -- the seed of the machine
    -- the probabilities of wins and losses against random play, optimal play and the best response, for each place
    random_wins_0          REAL CHECK (random_wins_0          BETWEEN 0.0 AND 1.0),
    random_losses_0        REAL CHECK (random_losses_0        BETWEEN 0.0 AND 1.0),
    optimal_wins_0         REAL CHECK (optimal_wins_0         BETWEEN 0.0 AND 1.0),
    optimal_losses_0       REAL CHECK (optimal_losses_0       BETWEEN 0.0 AND 1.0),
    best_response_wins_0   REAL CHECK (best_response_wins_0   BETWEEN 0.0 AND 1.0),
    best_response_losses_0 REAL CHECK (best_response_losses_0 BETWEEN 0.0 AND 1.0),
    random_wins_1          REAL CHECK (random_wins_1          BETWEEN 0.0 AND 1.0),
    random_losses_1        REAL CHECK (random_losses_1        BETWEEN 0.0 AND 1.0),
    optimal_wins_1         REAL CHECK (optimal_wins_1         BETWEEN 0.0 AND 1.0),
    optimal_losses_1       REAL CHECK (optimal_losses_1       BETWEEN 0.0 AND 1.0),
    best_response_wins_1   REAL CHECK (best_response_wins_1   BETWEEN 0.0 AND 1.0),
    best_response_losses_1 REAL CHECK (best_response_losses_1 BETWEEN 0.0 AND 1.0),
    random_wins_2          REAL CHECK (random_wins_2          BETWEEN 0.0 AND 1.0),
    random_losses_2        REAL CHECK (random_losses_2        BETWEEN 0.0 AND 1.0),
    optimal_wins_2         REAL CHECK (optimal_wins_2         BETWEEN 0.0 AND 1.0),
    optimal_losses_2       REAL CHECK (optimal_losses_2       BETWEEN 0.0 AND 1.0),
    best_response_wins_2   REAL CHECK (best_response_wins_2   BETWEEN 0.0 AND 1.0),
    best_response_losses_2 REAL CHECK (best_response_losses_2 BETWEEN 0.0 AND 1.0),
    random_wins_3          REAL CHECK (random_wins_3          BETWEEN 0.0 AND 1.0),
    random_losses_3        REAL CHECK (random_losses_3        BETWEEN 0.0 AND 1.0),
    optimal_wins_3         REAL CHECK (optimal_wins_3         BETWEEN 0.0 AND 1.0),
    optimal_losses_3       REAL CHECK (optimal_losses_3       BETWEEN 0.0 AND 1.0),
    best_response_wins_3   REAL CHECK (best_response_wins_3   BETWEEN 0.0 AND 1.0),
    best_response_losses_3 REAL CHECK (best_response_losses_3 BETWEEN 0.0 AND 1.0),
    random_wins_4          REAL CHECK (random_wins_4          BETWEEN 0.0 AND 1.0),
    random_losses_4        REAL CHECK (random_losses_4        BETWEEN 0.0 AND 1.0),
    optimal_wins_4         REAL CHECK (optimal_wins_4         BETWEEN 0.0 AND 1.0),
    optimal_losses_4       REAL CHECK (optimal_losses_4       BETWEEN 0.0 AND 1.0),
    best_response_wins_4   REAL CHECK (best_response_wins_4   BETWEEN 0.0 AND 1.0),
    best_response_losses_4 REAL CHECK (best_response_losses_4 BETWEEN 0.0 AND 1.0),
    random_wins_5          REAL CHECK (random_wins_5          BETWEEN 0.0 AND 1.0),
    random_losses_5        REAL CHECK (random_losses_5        BETWEEN 0.0 AND 1.0),
    optimal_wins_5         REAL CHECK (optimal_wins_5         BETWEEN 0.0 AND 1.0),
    optimal_losses_5       REAL CHECK (optimal_losses_5       BETWEEN 0.0 AND 1.0),
    best_response_wins_5   REAL CHECK (best_response_wins_5   BETWEEN 0.0 AND 1.0),
    best_response_losses_5 REAL CHECK (best_response_losses_5 BETWEEN 0.0 AND 1.0),
    random_wins_6          REAL CHECK (random_wins_6          BETWEEN 0.0 AND 1.0),
    random_losses_6        REAL CHECK (random_losses_6        BETWEEN 0.0 AND 1.0),
    optimal_wins_6         REAL CHECK (optimal_wins_6         BETWEEN 0.0 AND 1.0),
    optimal_losses_6       REAL CHECK (optimal_losses_6       BETWEEN 0.0 AND 1.0),
    best_response_wins_6   REAL CHECK (best_response_wins_6   BETWEEN 0.0 AND 1.0),
    best_response_losses_6 REAL CHECK (best_response_losses_6 BETWEEN 0.0 AND 1.0),
    random_wins_7          REAL CHECK (random_wins_7          BETWEEN 0.0 AND 1.0),
    random_losses_7        REAL CHECK (random_losses_7        BETWEEN 0.0 AND 1.0),
    optimal_wins_7         REAL CHECK (optimal_wins_7         BETWEEN 0.0 AND 1.0),
    optimal_losses_7       REAL CHECK (optimal_losses_7       BETWEEN 0.0 AND 1.0),
    best_response_wins_7   REAL CHECK (best_response_wins_7   BETWEEN 0.0 AND 1.0),
    best_response_losses_7 REAL CHECK (best_response_losses_7 BETWEEN 0.0 AND 1.0),
    random_wins_8          REAL CHECK (random_wins_8          BETWEEN 0.0 AND 1.0),
    random_losses_8        REAL CHECK (random_losses_8        BETWEEN 0.0 AND 1.0),
    optimal_wins_8         REAL CHECK (optimal_wins_8         BETWEEN 0.0 AND 1.0),
    optimal_losses_8       REAL CHECK (optimal_losses_8       BETWEEN 0.0 AND 1.0),
    best_response_wins_8   REAL CHECK (best_response_wins_8   BETWEEN 0.0 AND 1.0),
    best_response_losses_8 REAL CHECK (best_response_losses_8 BETWEEN 0.0 AND 1.0),
    random_wins_9          REAL CHECK (random_wins_9          BETWEEN 0.0 AND 1.0),
    random_losses_9        REAL CHECK (random_losses_9        BETWEEN 0.0 AND 1.0),
    optimal_wins_9         REAL CHECK (optimal_wins_9         BETWEEN 0.0 AND 1.0),
    optimal_losses_9       REAL CHECK (optimal_losses_9       BETWEEN 0.0 AND 1.0),
    best_response_wins_9   REAL CHECK (best_response_wins_9   BETWEEN 0.0 AND 1.0),
    best_response_losses_9 REAL CHECK (best_response_losses_9 BETWEEN 0.0 AND 1.0),
    PRIMARY KEY (list_id, setting_id, seed)
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

CREATE VIEW strength AS
-- The view strength contains a row for each machine, mark and policy. All games that are neither won nor lost are draws.
-- CROSS JOIN makes SQLite find the list first, and then the machines with this list by the key of `measurement`.
SELECT setting_id, seed, games, greedy, random_wins_0 AS random_wins, random_losses_0 AS random_losses,
       optimal_wins_0 AS optimal_wins, optimal_losses_0 AS optimal_losses,
       best_response_wins_0 AS best_response_wins, best_response_losses_0 AS best_response_losses
  FROM mark CROSS JOIN measurement USING (list_id) WHERE place = 0 AND random_wins_0 IS NOT NULL
UNION ALL
SELECT setting_id, seed, games, greedy, random_wins_1, random_losses_1, optimal_wins_1, optimal_losses_1,
       best_response_wins_1, best_response_losses_1
  FROM mark CROSS JOIN measurement USING (list_id) WHERE place = 1 AND random_wins_1 IS NOT NULL
UNION ALL
SELECT setting_id, seed, games, greedy, random_wins_2, random_losses_2, optimal_wins_2, optimal_losses_2,
       best_response_wins_2, best_response_losses_2
  FROM mark CROSS JOIN measurement USING (list_id) WHERE place = 2 AND random_wins_2 IS NOT NULL
UNION ALL
SELECT setting_id, seed, games, greedy, random_wins_3, random_losses_3, optimal_wins_3, optimal_losses_3,
       best_response_wins_3, best_response_losses_3
  FROM mark CROSS JOIN measurement USING (list_id) WHERE place = 3 AND random_wins_3 IS NOT NULL
UNION ALL
SELECT setting_id, seed, games, greedy, random_wins_4, random_losses_4, optimal_wins_4, optimal_losses_4,
       best_response_wins_4, best_response_losses_4
  FROM mark CROSS JOIN measurement USING (list_id) WHERE place = 4 AND random_wins_4 IS NOT NULL
UNION ALL
SELECT setting_id, seed, games, greedy, random_wins_5, random_losses_5, optimal_wins_5, optimal_losses_5,
       best_response_wins_5, best_response_losses_5
  FROM mark CROSS JOIN measurement USING (list_id) WHERE place = 5 AND random_wins_5 IS NOT NULL
UNION ALL
SELECT setting_id, seed, games, greedy, random_wins_6, random_losses_6, optimal_wins_6, optimal_losses_6,
       best_response_wins_6, best_response_losses_6
  FROM mark CROSS JOIN measurement USING (list_id) WHERE place = 6 AND random_wins_6 IS NOT NULL
UNION ALL
SELECT setting_id, seed, games, greedy, random_wins_7, random_losses_7, optimal_wins_7, optimal_losses_7,
       best_response_wins_7, best_response_losses_7
  FROM mark CROSS JOIN measurement USING (list_id) WHERE place = 7 AND random_wins_7 IS NOT NULL
UNION ALL
SELECT setting_id, seed, games, greedy, random_wins_8, random_losses_8, optimal_wins_8, optimal_losses_8,
       best_response_wins_8, best_response_losses_8
  FROM mark CROSS JOIN measurement USING (list_id) WHERE place = 8 AND random_wins_8 IS NOT NULL
UNION ALL
SELECT setting_id, seed, games, greedy, random_wins_9, random_losses_9, optimal_wins_9, optimal_losses_9,
       best_response_wins_9, best_response_losses_9
  FROM mark CROSS JOIN measurement USING (list_id) WHERE place = 9 AND random_wins_9 IS NOT NULL;

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
