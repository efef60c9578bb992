-- From schema 2 to 3: to take the colour with most beads is an algorithm, `favourite`, no longer a setting of menace.
-- A learner's preset is one of its algorithm: where it was made from one of the other, the nearest takes its place, and
-- its settings stay as they are. They are written as Python writes JSON, so that learners that are alike have the same
-- text; nothing in these settings has a comma or a colon of its own. Runs and blocks may be of kind `forget`, blocks
-- of kind `empty` (a run that ended at an empty first box), and learners may be deleted: their tables are built again, because SQLite cannot change a constraint. A learner keeps by
-- what its beads and cells are called; labels of older ones were printed by `menace` unless somebody said otherwise.
-- Whose beads are credited is a setting of menace since: all of a game's, as ever.
-- Run in one transaction, with foreign_keys off and legacy_alter_table on.
UPDATE learner
SET
    algorithm = 'favourite',
    preset = 'article-code',
    settings = replace(replace(json_remove(settings, '$.pick', '$.when_empty'), ',', ', '), ':', ': ')
WHERE algorithm = 'menace' AND json_extract(settings, '$.pick') = 'favourite';

UPDATE learner
SET
    preset = CASE preset WHEN 'article-code' THEN 'menace' ELSE preset END,
    settings = replace(
        replace(
            json_insert(
                json_remove(settings, '$.pick', '$.rewards', '$.epsilon', '$.epsilon_decay', '$.epsilon_least'),
                '$.credit', 'all'
            ), ',', ', '
        ), ':', ': '
    )
WHERE algorithm = 'menace' AND json_extract(settings, '$.pick') = 'bead';

-- `q-learning` is the name of plain settings now; those of before are called by their author.
UPDATE learner SET preset = 'sala' WHERE algorithm = 'q-learning' AND preset = 'q-learning';

-- Michie's odds: a forced last move counted, and B was 2. The mean of a sliding origin was another before: a learner
-- that keeps one stays of revision 1, whose log this menace does not replay.
UPDATE learner
SET
    revision = 2,
    settings = replace(
        replace(
            replace(settings, '"last": ', '"steepness": 2.0, "last": '), '"origin": ', '"counts_forced": true, "origin": '
        ),
        '}', ', "set_size": 1}'
    )
WHERE algorithm = 'odds' AND json_extract(settings, '$.origin') = 'fixed';

DROP VIEW IF EXISTS matchbox_contents;
DROP VIEW IF EXISTS boxes;
DROP VIEW IF EXISTS game_changes;
DROP VIEW IF EXISTS learning_curve;
DROP INDEX IF EXISTS block_by_run;
ALTER TABLE learner RENAME TO old_learner;
ALTER TABLE run RENAME TO old_run;
ALTER TABLE block RENAME TO old_block;

-- AUTOINCREMENT: the number of a learner that was deleted is never given to another.
CREATE TABLE learner (
    -- a machine that plays one side; its settings never change
    learner_id   INTEGER PRIMARY KEY AUTOINCREMENT, -- its number, which never changes
    name         TEXT    NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 60), -- its name
    plays        TEXT    NOT NULL CHECK (plays IN ('X', 'O')), -- its side
    algorithm    TEXT    NOT NULL, -- how it learns, such as menace
    revision     INTEGER NOT NULL CHECK (revision >= 1), -- of the algorithm: another one would learn otherwise
    preset       TEXT    NOT NULL, -- the named settings that it was made from
    settings     TEXT    NOT NULL CHECK (json_valid(settings)), -- all its settings, as a JSON object
    seed         INTEGER          CHECK (seed >= 0), -- of its random start; NULL if it did not start at random
    colours      TEXT    NOT NULL CHECK (colours IN ('menace', 'michie')), -- what its beads are called by
    numbering    TEXT    NOT NULL CHECK (numbering IN ('menace', 'michie')), -- what cells are called by
    games        INTEGER NOT NULL DEFAULT 0 CHECK (games >= 0), -- how many games it has learned from
    epsilon      REAL             CHECK (epsilon BETWEEN 0 AND 1), -- its chance to explore next; NULL if it never does
    outcome_mean REAL             CHECK (outcome_mean BETWEEN -1 AND 1), -- weighted mean of results, if it keeps one
    outcome_weight REAL           CHECK (outcome_weight >= 1), -- sum of their weights, where the newest weighs 1
    set_sum      REAL             CHECK (abs(set_sum) <= set_games), -- sum of the results that are not in it yet
    set_games    REAL             CHECK (set_games >= 0), -- how many these are
    created_at   TEXT    NOT NULL, -- when it was made, UTC
    deleted_at   TEXT -- when it was deleted, UTC; NULL while it is there
) STRICT;

CREATE TABLE run (
    -- one order to train, to play, or to change beads
    run_id       INTEGER PRIMARY KEY, -- its number
    kind         TEXT    NOT NULL CHECK (kind IN ('selfplay', 'train', 'copy', 'play', 'recount', 'forget')), -- what was ordered
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
    kind           TEXT    NOT NULL CHECK (kind IN ('games', 'human', 'copy', 'recount', 'forget', 'empty')), -- what it did
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

INSERT INTO learner
SELECT
    learner_id, name, plays, algorithm, revision, preset, settings, seed, 'menace', 'menace', games, epsilon, outcome_mean,
    NULL, NULL, NULL, created_at, NULL
FROM old_learner;
INSERT INTO run SELECT * FROM old_run;
INSERT INTO block SELECT * FROM old_block;

DROP TABLE old_learner;
DROP TABLE old_run;
DROP TABLE old_block;
PRAGMA user_version = 3;
