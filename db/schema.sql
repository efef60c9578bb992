-- The tables of a menace database. db/README.md explains every column.
-- application_id is "MNCE" as four bytes; user_version is the version of this schema.
PRAGMA application_id = 1296974661;
PRAGMA user_version = 1;

CREATE TABLE rules (
    name     TEXT NOT NULL,
    variant  TEXT NOT NULL,
    symmetry TEXT NOT NULL CHECK (symmetry IN ('full', 'none'))
) STRICT;
CREATE UNIQUE INDEX rules_has_one_row ON rules ((1));

CREATE TABLE position (
    position_id  INTEGER PRIMARY KEY CHECK (position_id >= 0),
    board        TEXT    NOT NULL UNIQUE,
    ply          INTEGER NOT NULL CHECK (ply >= 0),
    to_move      TEXT             CHECK (to_move IN ('X', 'O')),
    outcome      TEXT             CHECK (outcome IN ('X', 'O', 'draw')),
    images       INTEGER NOT NULL CHECK (images IN (1, 2, 4, 8)),
    minimax      INTEGER NOT NULL CHECK (minimax IN (1, 0, -1)),
    plies_to_end INTEGER NOT NULL CHECK (plies_to_end >= 0),
    CHECK ((to_move IS NULL) = (outcome IS NOT NULL)),
    CHECK ((outcome IS NOT NULL) = (plies_to_end = 0))
) STRICT;

CREATE TABLE move (
    position_id      INTEGER NOT NULL REFERENCES position,
    action           INTEGER NOT NULL CHECK (action >= 0),
    next_position_id INTEGER NOT NULL REFERENCES position,
    multiplicity     INTEGER NOT NULL CHECK (multiplicity >= 1),
    minimax          INTEGER NOT NULL CHECK (minimax IN (1, 0, -1)),
    optimal          INTEGER NOT NULL CHECK (optimal IN (0, 1)),
    PRIMARY KEY (position_id, action),
    UNIQUE (position_id, next_position_id),
    CHECK (next_position_id > position_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX move_by_next_position ON move (next_position_id);

CREATE TABLE learner (
    learner_id   INTEGER PRIMARY KEY,
    name         TEXT    NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 60),
    plays        TEXT    NOT NULL CHECK (plays IN ('X', 'O')),
    algorithm    TEXT    NOT NULL,
    preset       TEXT    NOT NULL,
    settings     TEXT    NOT NULL CHECK (json_valid(settings)),
    seed         INTEGER          CHECK (seed >= 0),
    games        INTEGER NOT NULL DEFAULT 0 CHECK (games >= 0),
    epsilon      REAL             CHECK (epsilon BETWEEN 0 AND 1),
    outcome_mean REAL             CHECK (outcome_mean BETWEEN -1 AND 1),
    created_at   TEXT    NOT NULL
) STRICT;

CREATE TABLE matchbox (
    learner_id  INTEGER NOT NULL REFERENCES learner,
    position_id INTEGER NOT NULL,
    action      INTEGER NOT NULL,
    beads       INTEGER NOT NULL CHECK (beads BETWEEN 0 AND 67108863),
    drawn       INTEGER NOT NULL DEFAULT 0 CHECK (drawn >= 0),
    PRIMARY KEY (learner_id, position_id, action),
    FOREIGN KEY (position_id, action) REFERENCES move
) STRICT, WITHOUT ROWID;

CREATE TABLE state_value (
    learner_id  INTEGER NOT NULL REFERENCES learner,
    position_id INTEGER NOT NULL REFERENCES position,
    value       REAL    NOT NULL,
    updates     INTEGER NOT NULL DEFAULT 0 CHECK (updates >= 0),
    PRIMARY KEY (learner_id, position_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE action_value (
    learner_id  INTEGER NOT NULL REFERENCES learner,
    position_id INTEGER NOT NULL,
    action      INTEGER NOT NULL,
    value       REAL    NOT NULL,
    updates     INTEGER NOT NULL DEFAULT 0 CHECK (updates >= 0),
    PRIMARY KEY (learner_id, position_id, action),
    FOREIGN KEY (position_id, action) REFERENCES move
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
    run_id       INTEGER PRIMARY KEY,
    kind         TEXT    NOT NULL CHECK (kind IN ('selfplay', 'train', 'copy', 'play', 'recount')),
    x_player     TEXT    NOT NULL,
    o_player     TEXT    NOT NULL,
    x_learner_id INTEGER          REFERENCES learner,
    o_learner_id INTEGER          REFERENCES learner,
    x_learns     INTEGER NOT NULL CHECK (x_learns IN (0, 1)),
    o_learns     INTEGER NOT NULL CHECK (o_learns IN (0, 1)),
    games_wanted INTEGER NOT NULL CHECK (games_wanted >= 0),
    games_played INTEGER NOT NULL DEFAULT 0 CHECK (games_played BETWEEN 0 AND games_wanted),
    seed         INTEGER NOT NULL CHECK (seed >= 0),
    options      TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(options)),
    version      TEXT    NOT NULL,
    started_at   TEXT    NOT NULL,
    finished_at  TEXT,
    CHECK (x_learns <= (x_learner_id IS NOT NULL)),
    CHECK (o_learns <= (o_learner_id IS NOT NULL))
) STRICT;

-- AUTOINCREMENT: the log only grows, a number is never given twice.
CREATE TABLE block (
    block_id       INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id         INTEGER NOT NULL REFERENCES run,
    kind           TEXT    NOT NULL CHECK (kind IN ('games', 'human', 'adjustment')),
    games          INTEGER NOT NULL CHECK (games >= 0),
    x_wins         INTEGER NOT NULL CHECK (x_wins >= 0),
    draws          INTEGER NOT NULL CHECK (draws >= 0),
    o_wins         INTEGER NOT NULL CHECK (o_wins >= 0),
    numbers_before INTEGER NOT NULL CHECK (numbers_before >= 0),
    numbers        INTEGER NOT NULL CHECK (numbers >= 0),
    created_at     TEXT    NOT NULL,
    CHECK (games = x_wins + draws + o_wins)
) STRICT;
CREATE INDEX block_by_run ON block (run_id);

CREATE TABLE game (
    game_id  INTEGER PRIMARY KEY,
    block_id INTEGER NOT NULL REFERENCES block,
    number   INTEGER NOT NULL CHECK (number >= 1),
    actions  TEXT    NOT NULL,
    explored TEXT    NOT NULL,
    learned  TEXT    NOT NULL,
    ended_by TEXT    NOT NULL CHECK (ended_by IN ('board', 'resignation')),
    outcome  TEXT    NOT NULL CHECK (outcome IN ('X', 'O', 'draw')),
    UNIQUE (block_id, number)
) STRICT;

CREATE TABLE adjustment (
    block_id     INTEGER NOT NULL REFERENCES block,
    learner_id   INTEGER NOT NULL REFERENCES learner,
    position_id  INTEGER NOT NULL,
    action       INTEGER NOT NULL,
    beads_before INTEGER NOT NULL CHECK (beads_before >= 0),
    beads_after  INTEGER NOT NULL CHECK (beads_after >= 0),
    PRIMARY KEY (block_id, learner_id, position_id, action),
    FOREIGN KEY (position_id, action) REFERENCES move
) STRICT, WITHOUT ROWID;

CREATE TABLE evaluation (
    block_id      INTEGER NOT NULL REFERENCES block,
    learner_id    INTEGER NOT NULL REFERENCES learner,
    learner_games INTEGER NOT NULL CHECK (learner_games >= 0),
    policy        TEXT    NOT NULL CHECK (policy IN ('behaviour', 'greedy')),
    opponent      TEXT    NOT NULL CHECK (opponent IN ('random', 'optimal', 'best')),
    win           REAL    NOT NULL CHECK (win BETWEEN 0 AND 1.000000001),
    draw          REAL    NOT NULL CHECK (draw BETWEEN 0 AND 1.000000001),
    loss          REAL    NOT NULL CHECK (loss BETWEEN 0 AND 1.000000001),
    PRIMARY KEY (block_id, learner_id, policy, opponent),
    CHECK (abs(win + draw + loss - 1) < 1e-9)
) STRICT, WITHOUT ROWID;
CREATE INDEX evaluation_by_learner ON evaluation (learner_id, learner_games);
