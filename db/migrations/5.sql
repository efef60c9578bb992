-- Python functions can play in runs: the file keeps each as a table of weights.
CREATE TABLE policy (
    -- a player of runs that is no learner and has no name of menace's, such as a Python function, as a table
    name    TEXT NOT NULL PRIMARY KEY, -- that runs have: what it was called, @, and the first digits of its hash
    plays   TEXT NOT NULL CHECK (plays IN ('X', 'O')), -- its side
    hash    TEXT NOT NULL CHECK (length(hash) = 64), -- the SHA-256 of game, side and weights, in hexadecimal digits
    weights BLOB NOT NULL -- a 32-bit whole number for each move of the game, lowest byte first
) STRICT;

PRAGMA user_version = 5;
