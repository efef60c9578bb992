-- The tables of a menace database. db/README.md describes every column in more detail. The four bytes of application_id
-- spell "MENA", and user_version is the version of this schema. The database also contains the comments that are inside
-- the tables: `.schema` in the sqlite3 shell prints them.
PRAGMA application_id = 1296387649;
PRAGMA user_version = 1;

CREATE TABLE rules (
    -- The game of this database. The table contains exactly one row.
    name     TEXT NOT NULL, -- the game, such as tictactoe
    variant  TEXT NOT NULL, -- the variant, such as 3x3x3
    symmetry TEXT NOT NULL CHECK (symmetry IN ('full', 'none')) -- full if symmetric boards form one position, none if every board is a separate position
) STRICT;
CREATE UNIQUE INDEX rules_has_one_row ON rules ((1));

CREATE TABLE position (
    -- Boards that the game's symmetries map to each other form one position. Rows are sorted by ply, then by descending
    -- board.
    position_id  INTEGER PRIMARY KEY CHECK (position_id >= 0), -- the id, from 0; later positions have higher ids
    board        TEXT    NOT NULL UNIQUE, -- the canonical board: the image whose text sorts last
    ply          INTEGER NOT NULL CHECK (ply >= 0), -- the number of moves on the longest path to the position
    to_move      TEXT             CHECK (to_move IN ('X', 'O')), -- the side to move; NULL if the game is over
    outcome      TEXT             CHECK (outcome IN ('X', 'O', 'draw')), -- the winner, or draw; NULL if the game is not over
    images       INTEGER NOT NULL CHECK (images >= 1), -- the number of different boards in the position
    minimax      INTEGER NOT NULL CHECK (minimax IN (1, 0, -1)), -- the value for X under perfect play
    plies_to_end INTEGER NOT NULL CHECK (plies_to_end >= 0), -- the number of moves to the end if the winner shortens the game and the loser prolongs it
    CHECK ((to_move IS NULL) = (outcome IS NOT NULL)),
    CHECK ((outcome IS NOT NULL) = (plies_to_end = 0))
) STRICT;

CREATE TABLE move (
    -- An edge of the game graph, from one position to another.
    position_id      INTEGER NOT NULL REFERENCES position (position_id), -- the position before the move
    action           INTEGER NOT NULL CHECK (action >= 0), -- the action on the canonical board; the lowest of all equivalent actions
    next_position_id INTEGER NOT NULL REFERENCES position (position_id), -- the position after the move
    multiplicity     INTEGER NOT NULL CHECK (multiplicity >= 1), -- the number of actions that lead to the next position
    minimax          INTEGER NOT NULL CHECK (minimax IN (1, 0, -1)), -- the value of the next position for X
    optimal          INTEGER NOT NULL CHECK (optimal IN (0, 1)), -- 1 if the move keeps the value of its position, otherwise 0
    PRIMARY KEY (position_id, action),
    UNIQUE (position_id, next_position_id),
    CHECK (next_position_id > position_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX move_by_next_position ON move (next_position_id);

CREATE TABLE move_name (
    -- The name of an action that one side can take. The name is valid from `position_id` until the `position_id` of the
    -- next row for the same side and action.
    to_move     TEXT    NOT NULL CHECK (to_move IN ('X', 'O')), -- the side that makes the move
    action      INTEGER NOT NULL, -- the action
    position_id INTEGER NOT NULL, -- the first position for which the name is valid
    name        TEXT    NOT NULL, -- the name of the move
    PRIMARY KEY (to_move, action, position_id),
    FOREIGN KEY (position_id, action) REFERENCES move (position_id, action)
) STRICT, WITHOUT ROWID;

-- AUTOINCREMENT ensures that the id of a deleted learner is never reused.
CREATE TABLE learner (
    -- A machine that plays one side. The settings of a learner never change.
    learner_id   INTEGER PRIMARY KEY AUTOINCREMENT, -- the learner's id, which never changes
    name         TEXT    NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 60), -- the learner's unique name
    plays        TEXT    NOT NULL CHECK (plays IN ('X', 'O')), -- the side that it plays
    algorithm    TEXT    NOT NULL, -- the learning algorithm, such as menace
    revision     INTEGER NOT NULL CHECK (revision >= 1), -- the revision of the algorithm; different revisions learn differently
    preset       TEXT    NOT NULL, -- the preset from which the learner was created
    settings     TEXT    NOT NULL CHECK (json_valid(settings) AND json_type(settings) = 'object'), -- all settings of the learner, as a JSON object
    seed         INTEGER          CHECK (seed >= 0), -- the seed of the learner's initial values; NULL if these values are not random
    colours      TEXT    NOT NULL CHECK (colours IN ('menace', 'michie')), -- the scheme of bead colours
    numbering    TEXT    NOT NULL CHECK (numbering IN ('menace', 'michie')), -- the scheme of cell numbers
    games        INTEGER NOT NULL DEFAULT 0 CHECK (games >= 0), -- the number of games that the learner has learned from
    epsilon      REAL             CHECK (epsilon BETWEEN 0 AND 1), -- the probability that the learner explores in its next game; NULL if its algorithm has no epsilon
    outcome_mean REAL             CHECK (outcome_mean BETWEEN -1 AND 1), -- the weighted mean of the learner's results; NULL if its algorithm does not use this mean
    outcome_weight REAL           CHECK (outcome_weight >= 1), -- the sum of the weights in outcome_mean; the newest result has the weight 1
    set_sum      REAL             CHECK (abs(set_sum) <= set_games), -- the sum of the results that outcome_mean does not yet include
    set_games    REAL             CHECK (set_games >= 0), -- the number of results that outcome_mean does not yet include
    created_at   TEXT    NOT NULL, -- when the learner was created, UTC
    deleted_at   TEXT -- when the learner was deleted, UTC; NULL if it was not deleted
) STRICT;

CREATE TABLE matchbox (
    -- The beads of one colour in one matchbox.
    learner_id  INTEGER NOT NULL REFERENCES learner (learner_id), -- the learner that has the box
    position_id INTEGER NOT NULL, -- the position of the box
    action      INTEGER NOT NULL, -- the move that the colour stands for
    beads       INTEGER NOT NULL CHECK (beads BETWEEN 0 AND 67108863), -- the number of beads, from 0 to the maximum size of a pile
    picked      INTEGER NOT NULL DEFAULT 0 CHECK (picked >= 0), -- the number of games in which the learner picked this move and learned from the game
    PRIMARY KEY (learner_id, position_id, action),
    FOREIGN KEY (position_id, action) REFERENCES move (position_id, action)
) STRICT, WITHOUT ROWID;

CREATE TABLE state_value (
    -- The value that a learner assigns to a position.
    learner_id  INTEGER NOT NULL REFERENCES learner (learner_id), -- the learner
    position_id INTEGER NOT NULL REFERENCES position (position_id), -- the position
    value       REAL    NOT NULL CHECK (abs(value) < 9e999), -- the value, which is finite
    updates     INTEGER NOT NULL DEFAULT 0 CHECK (updates >= 0), -- the number of times that the value was updated
    PRIMARY KEY (learner_id, position_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE action_value (
    -- The value or the odds that a learner assigns to a move.
    learner_id      INTEGER NOT NULL REFERENCES learner (learner_id), -- the learner
    position_id     INTEGER NOT NULL, -- the position before the move
    action          INTEGER NOT NULL, -- the move
    value           REAL    NOT NULL CHECK (abs(value) < 9e999), -- the value or the odds, which are finite
    updates         INTEGER NOT NULL DEFAULT 0 CHECK (updates >= 0), -- the number of times that the value was updated
    half_difference REAL             CHECK (abs(half_difference) < 9e999), -- half the difference between the two values of the move; NULL if the move has one value
    PRIMARY KEY (learner_id, position_id, action),
    FOREIGN KEY (position_id, action) REFERENCES move (position_id, action)
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
    -- One command that trains learners, plays games or changes beads.
    run_id       INTEGER PRIMARY KEY, -- the id of the run
    kind         TEXT    NOT NULL CHECK (kind IN ('selfplay', 'train', 'copy', 'import', 'play', 'recount', 'forget')), -- the kind of command
    x_player     TEXT    NOT NULL, -- the name of X's player when the run started
    o_player     TEXT    NOT NULL, -- the name of O's player when the run started
    x_learner_id INTEGER          REFERENCES learner (learner_id), -- the learner that played X; NULL if X was not a learner
    o_learner_id INTEGER          REFERENCES learner (learner_id), -- the learner that played O; NULL if O was not a learner
    x_learns     INTEGER NOT NULL CHECK (x_learns IN (0, 1)), -- 1 if X learned, otherwise 0
    o_learns     INTEGER NOT NULL CHECK (o_learns IN (0, 1)), -- 1 if O learned, otherwise 0
    games_wanted INTEGER NOT NULL CHECK (games_wanted >= 0), -- the number of requested games
    games_played INTEGER NOT NULL DEFAULT 0 CHECK (games_played BETWEEN 0 AND games_wanted), -- the number of committed games
    seed         INTEGER NOT NULL CHECK (seed >= 0), -- the seed of the run's random numbers
    options      TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(options) AND json_type(options) = 'object'), -- other options, as a JSON object
    version      TEXT    NOT NULL, -- the version of menace that started the run
    started_at   TEXT    NOT NULL, -- when the run started, UTC
    finished_at  TEXT, -- when the run ended or was abandoned, UTC; NULL if it is running or can be resumed
    CHECK (x_learns <= (x_learner_id IS NOT NULL)),
    CHECK (o_learns <= (o_learner_id IS NOT NULL))
) STRICT;

CREATE TABLE policy (
    -- A player that is neither a learner nor a fixed opponent, such as a Python function. Its moves are stored as
    -- weights.
    name    TEXT NOT NULL PRIMARY KEY, -- the name in the table run: the original name, @, and the first digits of the hash
    plays   TEXT NOT NULL CHECK (plays IN ('X', 'O')), -- the side that it plays
    hash    TEXT NOT NULL CHECK (length(hash) = 64), -- the SHA-256 of the game, the side and the weights, in hexadecimal
    weights BLOB NOT NULL -- the weights: a 32-bit little-endian integer for each move of the game
) STRICT;

-- AUTOINCREMENT ensures that no id is ever used twice.
CREATE TABLE block (
    -- One committed step of a run.
    block_id       INTEGER PRIMARY KEY AUTOINCREMENT, -- the id of the block; ids only increase
    run_id         INTEGER NOT NULL REFERENCES run (run_id), -- the run to which the block belongs
    kind           TEXT    NOT NULL CHECK (kind IN ('games', 'human', 'copy', 'import', 'recount', 'forget', 'ruin')), -- the kind of step
    games          INTEGER NOT NULL CHECK (games >= 0), -- the number of games in the block
    x_wins         INTEGER NOT NULL CHECK (x_wins >= 0), -- the number of games that X won
    draws          INTEGER NOT NULL CHECK (draws >= 0), -- the number of drawn games
    o_wins         INTEGER NOT NULL CHECK (o_wins >= 0), -- the number of games that O won
    numbers_before INTEGER NOT NULL CHECK (numbers_before >= 0), -- the number of random numbers that the run used before this block
    numbers        INTEGER NOT NULL CHECK (numbers >= 0), -- the number of random numbers that this block used
    created_at     TEXT    NOT NULL, -- when the block was committed, UTC
    CHECK (games = x_wins + draws + o_wins)
) STRICT;
CREATE INDEX block_by_run ON block (run_id);

CREATE TABLE game (
    -- A game with a person.
    game_id  INTEGER PRIMARY KEY, -- the id of the game
    block_id INTEGER NOT NULL REFERENCES block (block_id), -- the block that contains the game
    number   INTEGER NOT NULL CHECK (number >= 1), -- the number of the game within the block, from 1
    actions  TEXT    NOT NULL, -- the actions on the actual board in order of play, separated by commas
    explored TEXT    NOT NULL CHECK (explored NOT GLOB '*[^01]*'), -- a digit for each ply: 1 if the machine explored, otherwise 0
    learned  TEXT    NOT NULL CHECK (learned NOT GLOB '*[^01]*'), -- a digit for each ply: 1 if a learner learns from the move, otherwise 0
    ended_by TEXT    NOT NULL CHECK (ended_by IN ('board', 'resignation')), -- how the game ended
    outcome  TEXT    NOT NULL CHECK (outcome IN ('X', 'O', 'draw')), -- the winner, or draw
    UNIQUE (block_id, number),
    CHECK (json_valid('[' || actions || ']') AND actions NOT GLOB '*[^0-9,]*'),
    CHECK (length(explored) = 1 + length(actions) - length(replace(actions, ',', '')) - (actions = ''))
    CHECK (length(learned) = length(explored))
) STRICT;

CREATE TABLE change (
    -- The change that a game with a person made to one entry of a learner's state.
    game_id     INTEGER NOT NULL REFERENCES game (game_id), -- the game
    learner_id  INTEGER NOT NULL REFERENCES learner (learner_id), -- the learner
    ply         INTEGER NOT NULL CHECK (ply >= 0), -- the number of moves made so far in the game
    position_id INTEGER NOT NULL REFERENCES position (position_id), -- the position after these moves
    action      INTEGER          CHECK (action >= 0), -- the move; NULL for the value of the position itself
    before      ANY     NOT NULL CHECK (typeof(before) IN ('integer', 'real')), -- the beads or the value before the game
    put_back    INTEGER NOT NULL CHECK (put_back >= 0), -- the number of beads with which an empty box was restocked during the game
    after       ANY     NOT NULL CHECK (typeof(after) IN ('integer', 'real')), -- the beads or the value after the game
    UNIQUE (game_id, learner_id, position_id, action)
) STRICT;

CREATE TABLE adjustment (
    -- A pile of beads that a person recounted.
    block_id     INTEGER NOT NULL REFERENCES block (block_id), -- the block that contains the recount
    learner_id   INTEGER NOT NULL REFERENCES learner (learner_id), -- the learner that has the box
    position_id  INTEGER NOT NULL, -- the position of the box
    action       INTEGER NOT NULL, -- the move that the colour stands for
    beads_before INTEGER NOT NULL CHECK (beads_before >= 0), -- the number of beads of this colour before the recount
    beads_after  INTEGER NOT NULL CHECK (beads_after >= 0), -- the number of beads of this colour after the recount
    PRIMARY KEY (block_id, learner_id, position_id, action),
    FOREIGN KEY (position_id, action) REFERENCES move (position_id, action)
) STRICT, WITHOUT ROWID;

CREATE TABLE imported (
    -- An entry of the state with which a learner was imported into this database.
    block_id        INTEGER NOT NULL REFERENCES block (block_id), -- the block that contains the import
    learner_id      INTEGER NOT NULL REFERENCES learner (learner_id), -- the learner
    position_id     INTEGER NOT NULL REFERENCES position (position_id), -- the position
    action          INTEGER          CHECK (action >= 0), -- the move; NULL for the value of the position itself
    amount          ANY     NOT NULL CHECK (typeof(amount) IN ('integer', 'real')), -- the beads, the value or the odds at the time of the import
    updates         INTEGER NOT NULL CHECK (updates >= 0), -- the number of updates of the entry before the import
    half_difference REAL             CHECK (abs(half_difference) < 9e999), -- the value of half_difference in action_value at the time of the import
    UNIQUE (block_id, position_id, action)
) STRICT;

CREATE TABLE evaluation (
    -- The exact strength of a learner after a block, against one opponent.
    block_id      INTEGER NOT NULL REFERENCES block (block_id), -- the block after which the strength was measured
    learner_id    INTEGER NOT NULL REFERENCES learner (learner_id), -- the learner
    learner_games INTEGER NOT NULL CHECK (learner_games >= 0), -- the number of games that the learner had learned from
    policy        TEXT    NOT NULL CHECK (policy IN ('behaviour', 'greedy')), -- the policy of the learner: behaviour chooses moves as in training, greedy always plays the best move
    opponent      TEXT    NOT NULL CHECK (opponent IN ('random', 'optimal', 'best_response')), -- the opponent; best_response is the player that exploits the learner the most
    win           REAL    NOT NULL CHECK (win BETWEEN 0 AND 1.000000001), -- the probability that the learner wins
    draw          REAL    NOT NULL CHECK (draw BETWEEN 0 AND 1.000000001), -- the probability of a draw
    loss          REAL    NOT NULL CHECK (loss BETWEEN 0 AND 1.000000001), -- the probability that the learner loses
    PRIMARY KEY (block_id, learner_id, policy, opponent),
    CHECK (abs(win + draw + loss - 1) < 1e-9)
) STRICT, WITHOUT ROWID;
CREATE INDEX evaluation_by_learner ON evaluation (learner_id, learner_games);

CREATE TABLE lesson (
    -- A lesson with a class, or the game in progress at a kiosk; the log contains all finished games.
    lesson_id INTEGER PRIMARY KEY, -- the id of the lesson
    state     TEXT NOT NULL CHECK (json_valid(state) AND json_type(state) = 'object') -- a lesson's code, pupils and choices, or a kiosk's machine and moves, as a JSON object
) STRICT;
