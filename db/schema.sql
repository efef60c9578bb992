-- The tables of a menace database. db/README.md says more about every column.
-- application_id is "MENA" as four bytes; user_version is the version of this schema.
-- The comments within the tables are kept in the file: `.schema` in the sqlite3 shell prints them.
PRAGMA application_id = 1296387649;
PRAGMA user_version = 1;

CREATE TABLE rules (
    -- the game of this database; exactly one row
    name     TEXT NOT NULL, -- the game, such as tictactoe
    variant  TEXT NOT NULL, -- which member of its family, such as 3x3x3
    symmetry TEXT NOT NULL CHECK (symmetry IN ('full', 'none')) -- full: a position joins all images of a board
) STRICT;
CREATE UNIQUE INDEX rules_has_one_row ON rules ((1));

CREATE TABLE position (
    -- a class of boards that the game's symmetries carry into each other; numbered by ply, then by board, descending
    position_id  INTEGER PRIMARY KEY CHECK (position_id >= 0), -- from 0, lower than those of all that follow from it
    board        TEXT    NOT NULL UNIQUE, -- the canonical board: of all images the one whose text sorts last
    ply          INTEGER NOT NULL CHECK (ply >= 0), -- the most moves that can have been made when it is reached
    to_move      TEXT             CHECK (to_move IN ('X', 'O')), -- whose turn it is; NULL once the game is over
    outcome      TEXT             CHECK (outcome IN ('X', 'O', 'draw')), -- who has won; NULL while the game goes on
    images       INTEGER NOT NULL CHECK (images >= 1), -- how many different boards it stands for
    minimax      INTEGER NOT NULL CHECK (minimax IN (1, 0, -1)), -- value under perfect play, as X sees it
    plies_to_end INTEGER NOT NULL CHECK (plies_to_end >= 0), -- moves to the end: the winner hurries, the loser delays
    CHECK ((to_move IS NULL) = (outcome IS NOT NULL)),
    CHECK ((outcome IS NOT NULL) = (plies_to_end = 0))
) STRICT;

CREATE TABLE move (
    -- an edge of the game graph: from a position by an action to the next position
    position_id      INTEGER NOT NULL REFERENCES position (position_id), -- where it is made
    action           INTEGER NOT NULL CHECK (action >= 0), -- on the canonical board; of equivalent actions the lowest
    next_position_id INTEGER NOT NULL REFERENCES position (position_id), -- where it leads
    multiplicity     INTEGER NOT NULL CHECK (multiplicity >= 1), -- how many actions lead to that next position
    minimax          INTEGER NOT NULL CHECK (minimax IN (1, 0, -1)), -- value of the next position, as X sees it
    optimal          INTEGER NOT NULL CHECK (optimal IN (0, 1)), -- whether it keeps the value of its position
    PRIMARY KEY (position_id, action),
    UNIQUE (position_id, next_position_id),
    CHECK (next_position_id > position_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX move_by_next_position ON move (next_position_id);

CREATE TABLE move_name (
    -- what people call the moves of a side by an action, from a position on to the next row of both
    to_move     TEXT    NOT NULL CHECK (to_move IN ('X', 'O')), -- who makes the move
    action      INTEGER NOT NULL, -- its number
    position_id INTEGER NOT NULL, -- the first position in which it is called so
    name        TEXT    NOT NULL, -- what people call it
    PRIMARY KEY (to_move, action, position_id),
    FOREIGN KEY (position_id, action) REFERENCES move (position_id, action)
) STRICT, WITHOUT ROWID;

-- AUTOINCREMENT: the number of a learner that was deleted is never given to another.
CREATE TABLE learner (
    -- a machine that plays one side; its settings never change
    learner_id   INTEGER PRIMARY KEY AUTOINCREMENT, -- its number, which never changes
    name         TEXT    NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 60), -- its name
    plays        TEXT    NOT NULL CHECK (plays IN ('X', 'O')), -- its side
    algorithm    TEXT    NOT NULL, -- how it learns, such as menace
    revision     INTEGER NOT NULL CHECK (revision >= 1), -- of the algorithm: another one would learn otherwise
    preset       TEXT    NOT NULL, -- the named settings that it was made from
    settings     TEXT    NOT NULL CHECK (json_valid(settings) AND json_type(settings) = 'object'), -- all its settings, as a JSON object
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

CREATE TABLE matchbox (
    -- the beads of one colour in one box
    learner_id  INTEGER NOT NULL REFERENCES learner (learner_id), -- whose box it is
    position_id INTEGER NOT NULL, -- the position that the box is for
    action      INTEGER NOT NULL, -- the move that the colour stands for
    beads       INTEGER NOT NULL CHECK (beads BETWEEN 0 AND 67108863), -- how many there are; a pile stops growing there
    picked      INTEGER NOT NULL DEFAULT 0 CHECK (picked >= 0), -- in how many games it was picked and learned from
    PRIMARY KEY (learner_id, position_id, action),
    FOREIGN KEY (position_id, action) REFERENCES move (position_id, action)
) STRICT, WITHOUT ROWID;

CREATE TABLE state_value (
    -- what a learner that values positions expects of one
    learner_id  INTEGER NOT NULL REFERENCES learner (learner_id), -- the learner
    position_id INTEGER NOT NULL REFERENCES position (position_id), -- the position
    value       REAL    NOT NULL CHECK (abs(value) < 9e999), -- finite; its settings say what a win is worth
    updates     INTEGER NOT NULL DEFAULT 0 CHECK (updates >= 0), -- how often it was learned from
    PRIMARY KEY (learner_id, position_id)
) STRICT, WITHOUT ROWID;

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
    options      TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(options) AND json_type(options) = 'object'), -- what else was ordered, a JSON object
    version      TEXT    NOT NULL, -- the version of menace that started it
    started_at   TEXT    NOT NULL, -- when it was ordered, UTC
    finished_at  TEXT, -- when it ended or was abandoned, UTC; NULL while it goes on or can be resumed
    CHECK (x_learns <= (x_learner_id IS NOT NULL)),
    CHECK (o_learns <= (o_learner_id IS NOT NULL))
) STRICT;

CREATE TABLE policy (
    -- a player of runs that is no learner and has no name of menace's, such as a Python function, as a table
    name    TEXT NOT NULL PRIMARY KEY, -- that runs have: what it was called, @, and the first digits of its hash
    plays   TEXT NOT NULL CHECK (plays IN ('X', 'O')), -- its side
    hash    TEXT NOT NULL CHECK (length(hash) = 64), -- the SHA-256 of game, side and weights, in hexadecimal digits
    weights BLOB NOT NULL -- a 32-bit whole number for each move of the game, lowest byte first
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

CREATE TABLE game (
    -- the record of a game with a person
    game_id  INTEGER PRIMARY KEY, -- its number
    block_id INTEGER NOT NULL REFERENCES block (block_id), -- the block that it was committed in
    number   INTEGER NOT NULL CHECK (number >= 1), -- which game of its block
    actions  TEXT    NOT NULL, -- in the order of play, on the actual board, separated by commas
    explored TEXT    NOT NULL CHECK (explored NOT GLOB '*[^01]*'), -- a 0 or 1 a ply: whether the machine explored
    learned  TEXT    NOT NULL CHECK (learned NOT GLOB '*[^01]*'), -- a 0 or 1 a ply: 0 where nobody learns from the move
    ended_by TEXT    NOT NULL CHECK (ended_by IN ('board', 'resignation')), -- how it ended
    outcome  TEXT    NOT NULL CHECK (outcome IN ('X', 'O', 'draw')), -- who won
    UNIQUE (block_id, number),
    CHECK (json_valid('[' || actions || ']') AND actions NOT GLOB '*[^0-9,]*'),
    CHECK (length(explored) = 1 + length(actions) - length(replace(actions, ',', '')) - (actions = ''))
    CHECK (length(learned) = length(explored))
) STRICT;

CREATE TABLE change (
    -- what a game with a person changed in one entry of what a learner has learned
    game_id     INTEGER NOT NULL REFERENCES game (game_id), -- the game
    learner_id  INTEGER NOT NULL REFERENCES learner (learner_id), -- who learned
    ply         INTEGER NOT NULL CHECK (ply >= 0), -- moves made in the game before
    position_id INTEGER NOT NULL REFERENCES position (position_id), -- the position that was reached then
    action      INTEGER          CHECK (action >= 0), -- the move; NULL for the value of the position itself
    before      ANY     NOT NULL CHECK (typeof(before) IN ('integer', 'real')), -- beads or value before the game
    put_back    INTEGER NOT NULL CHECK (put_back >= 0), -- first beads that an empty box got back during the game
    after       ANY     NOT NULL CHECK (typeof(after) IN ('integer', 'real')), -- beads or value since
    UNIQUE (game_id, learner_id, position_id, action)
) STRICT;

CREATE TABLE adjustment (
    -- a pile of beads that a person counted again
    block_id     INTEGER NOT NULL REFERENCES block (block_id), -- the block that it was committed in
    learner_id   INTEGER NOT NULL REFERENCES learner (learner_id), -- whose bead it is
    position_id  INTEGER NOT NULL, -- the position of the box
    action       INTEGER NOT NULL, -- the move that the colour stands for
    beads_before INTEGER NOT NULL CHECK (beads_before >= 0), -- beads of this colour before
    beads_after  INTEGER NOT NULL CHECK (beads_after >= 0), -- beads of this colour since
    PRIMARY KEY (block_id, learner_id, position_id, action),
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

CREATE TABLE evaluation (
    -- the exact strength of a learner after a block, against one opponent
    block_id      INTEGER NOT NULL REFERENCES block (block_id), -- the block after which it was measured
    learner_id    INTEGER NOT NULL REFERENCES learner (learner_id), -- the learner
    learner_games INTEGER NOT NULL CHECK (learner_games >= 0), -- games that it had learned from by then
    policy        TEXT    NOT NULL CHECK (policy IN ('behaviour', 'greedy')), -- as it learns, or its best
    opponent      TEXT    NOT NULL CHECK (opponent IN ('random', 'optimal', 'best_response')), -- best_response: exploits the learner most
    win           REAL    NOT NULL CHECK (win BETWEEN 0 AND 1.000000001), -- the probability that the learner wins
    draw          REAL    NOT NULL CHECK (draw BETWEEN 0 AND 1.000000001), -- of a draw
    loss          REAL    NOT NULL CHECK (loss BETWEEN 0 AND 1.000000001), -- that it loses
    PRIMARY KEY (block_id, learner_id, policy, opponent),
    CHECK (abs(win + draw + loss - 1) < 1e-9)
) STRICT, WITHOUT ROWID;
CREATE INDEX evaluation_by_learner ON evaluation (learner_id, learner_games);
