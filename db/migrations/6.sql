-- Machines that learned elsewhere can come in: runs and blocks of the kind 'import', which keep the table as it was then.
ALTER TABLE run RENAME TO old_run;
ALTER TABLE block RENAME TO old_block;
DROP INDEX IF EXISTS block_by_run;

CREATE TABLE run (
    -- one order to train, to play, or to change beads
    run_id       INTEGER PRIMARY KEY, -- its number
    kind         TEXT    NOT NULL CHECK (kind IN ('selfplay', 'train', 'copy', 'import', 'play', 'recount', 'forget')), -- what was ordered
    x_player     TEXT    NOT NULL, -- who played X, as it was called then
    o_player     TEXT    NOT NULL, -- who played O, as it was called then
    x_learner_id INTEGER          REFERENCES learner (learner_id), -- the learner that played X, if one did
    o_learner_id INTEGER          REFERENCES learner (learner_id), -- the learner that played O, if one did
    x_learns     INTEGER NOT NULL CHECK (x_learns IN (0, 1)), -- whether X learned
    o_learns     INTEGER NOT NULL CHECK (o_learns IN (0, 1)), -- whether O learned
    games_wanted INTEGER NOT NULL CHECK (games_wanted >= 0), -- how many games were ordered
    games_played INTEGER NOT NULL DEFAULT 0 CHECK (games_played BETWEEN 0 AND games_wanted), -- of them, committed
    seed         INTEGER NOT NULL CHECK (seed >= 0), -- where its random numbers come from
    options      TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(options)), -- what else was ordered, a JSON object
    version      TEXT    NOT NULL, -- the version of menace that started it
    started_at   TEXT    NOT NULL, -- when it was ordered, UTC
    finished_at  TEXT, -- when it ended or was abandoned, UTC; NULL while it goes on or can be resumed
    CHECK (x_learns <= (x_learner_id IS NOT NULL)),
    CHECK (o_learns <= (o_learner_id IS NOT NULL))
) STRICT;

-- AUTOINCREMENT: the log only grows, a number is never given twice.
CREATE TABLE block (
    -- one committed step of a run
    block_id       INTEGER PRIMARY KEY AUTOINCREMENT, -- its number in the log, which only grows
    run_id         INTEGER NOT NULL REFERENCES run (run_id), -- the run that it is a step of
    kind           TEXT    NOT NULL CHECK (kind IN ('games', 'human', 'copy', 'import', 'recount', 'forget', 'ruin')), -- what it did
    games          INTEGER NOT NULL CHECK (games >= 0), -- games in it
    x_wins         INTEGER NOT NULL CHECK (x_wins >= 0), -- of them, won by X
    draws          INTEGER NOT NULL CHECK (draws >= 0), -- of them, drawn
    o_wins         INTEGER NOT NULL CHECK (o_wins >= 0), -- of them, won by O
    numbers_before INTEGER NOT NULL CHECK (numbers_before >= 0), -- random numbers that the run had used before
    numbers        INTEGER NOT NULL CHECK (numbers >= 0), -- random numbers that this block used
    created_at     TEXT    NOT NULL, -- when it was committed, UTC
    CHECK (games = x_wins + draws + o_wins)
) STRICT;
CREATE INDEX block_by_run ON block (run_id);

INSERT INTO run SELECT * FROM old_run;
INSERT INTO block SELECT * FROM old_block;
DROP TABLE old_block;
DROP TABLE old_run;

CREATE TABLE imported (
    -- an entry of what a learner had learned elsewhere when it came into this database
    block_id    INTEGER NOT NULL REFERENCES block (block_id), -- the block that it was committed in
    learner_id  INTEGER NOT NULL REFERENCES learner (learner_id), -- whose it is
    position_id INTEGER NOT NULL REFERENCES position (position_id), -- the position
    action      INTEGER          CHECK (action >= 0), -- the move; NULL for the value of the position itself
    amount      ANY     NOT NULL CHECK (typeof(amount) IN ('integer', 'real')), -- beads, value or odds then
    updates     INTEGER NOT NULL CHECK (updates >= 0), -- how often it had been learned from
    UNIQUE (block_id, position_id, action)
) STRICT;

-- The view that `choices` takes the place of.
DROP VIEW IF EXISTS matchbox_contents;

-- Moves have names in SQL, too. menace asks the game for them, and fills the table.
CREATE TABLE move_name (
    -- what people call the moves of a side by an action, from a position on to the next row of both
    to_move     TEXT    NOT NULL CHECK (to_move IN ('X', 'O')), -- who makes the move
    action      INTEGER NOT NULL, -- its number
    position_id INTEGER NOT NULL, -- the first position in which it is called so
    name        TEXT    NOT NULL, -- what people call it
    PRIMARY KEY (to_move, action, position_id),
    FOREIGN KEY (position_id, action) REFERENCES move (position_id, action)
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 6;
