-- Learners that keep two values of a move: their mean is its value, and half of their difference stands beside it.
ALTER TABLE action_value RENAME TO old_action_value;
ALTER TABLE imported RENAME TO old_imported;

CREATE TABLE action_value (
    -- what a learner that values moves expects of one, or the odds that it gives it
    learner_id      INTEGER NOT NULL REFERENCES learner (learner_id), -- the learner
    position_id     INTEGER NOT NULL, -- the position that the move is made from
    action          INTEGER NOT NULL, -- the move
    value           REAL    NOT NULL CHECK (abs(value) < 9e999), -- finite; its value, or its odds
    updates         INTEGER NOT NULL DEFAULT 0 CHECK (updates >= 0), -- how often it was learned from
    half_difference REAL             CHECK (abs(half_difference) < 9e999), -- half of first - second, of two values; else NULL
    PRIMARY KEY (learner_id, position_id, action),
    FOREIGN KEY (position_id, action) REFERENCES move (position_id, action)
) STRICT, WITHOUT ROWID;

CREATE TABLE imported (
    -- an entry of what a learner had learned elsewhere when it came into this database
    block_id        INTEGER NOT NULL REFERENCES block (block_id), -- the block that it was committed in
    learner_id      INTEGER NOT NULL REFERENCES learner (learner_id), -- whose it is
    position_id     INTEGER NOT NULL REFERENCES position (position_id), -- the position
    action          INTEGER          CHECK (action >= 0), -- the move; NULL for the value of the position itself
    amount          ANY     NOT NULL CHECK (typeof(amount) IN ('integer', 'real')), -- beads, value or odds then
    updates         INTEGER NOT NULL CHECK (updates >= 0), -- how often it had been learned from
    half_difference REAL             CHECK (abs(half_difference) < 9e999), -- as in action_value, then
    UNIQUE (block_id, position_id, action)
) STRICT;

INSERT INTO action_value SELECT learner_id, position_id, action, value, updates, NULL FROM old_action_value;
INSERT INTO imported SELECT block_id, learner_id, position_id, action, amount, updates, NULL FROM old_imported;
DROP TABLE old_action_value;
DROP TABLE old_imported;

PRAGMA user_version = 7;
