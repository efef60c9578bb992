-- The block that ends a run where no bead is left for a first move is of the kind 'ruin', and the option of a run that
-- goes on there is called continue_when_ruined.
ALTER TABLE block RENAME TO old_block;
DROP INDEX IF EXISTS block_by_run;

-- AUTOINCREMENT: the log only grows, a number is never given twice.
CREATE TABLE block (
    -- one committed step of a run
    block_id       INTEGER PRIMARY KEY AUTOINCREMENT, -- its number in the log, which only grows
    run_id         INTEGER NOT NULL REFERENCES run (run_id), -- the run that it is a step of
    kind           TEXT    NOT NULL CHECK (kind IN ('games', 'human', 'copy', 'recount', 'forget', 'ruin')), -- what it did
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

INSERT INTO block
SELECT
    block_id, run_id, iif(kind = 'empty', 'ruin', kind), games, x_wins, draws, o_wins, numbers_before, numbers,
    created_at
FROM old_block;
UPDATE run SET options = replace(options, '"go_on":', '"continue_when_ruined":');

DROP TABLE old_block;
PRAGMA user_version = 4;
