-- A database of schema 3, as menace wrote it before 0.1.0: the game 2x3x2, learners that draw beads, that take the
-- favourite and that learn values, training, runs that ended where no bead was left for a first move and one that went on
-- there, a copy, games with people, and a run that was interrupted. Made by its own commands and dumped by Python's
-- sqlite3 (`iterdump`); never written again, so that the way from that format stays tested.
PRAGMA application_id = 1296974661;
PRAGMA user_version = 3;
BEGIN TRANSACTION;
CREATE TABLE action_value (
    -- what a learner that values moves expects of one, or the odds that it gives it
    learner_id  INTEGER NOT NULL REFERENCES learner (learner_id), -- the learner
    position_id INTEGER NOT NULL, -- the position that the move is made from
    action      INTEGER NOT NULL, -- the move
    value       REAL    NOT NULL CHECK (abs(value) < 9e999), -- finite; its value, or its odds
    updates     INTEGER NOT NULL DEFAULT 0 CHECK (updates >= 0), -- how often it was learned from
    PRIMARY KEY (learner_id, position_id, action),
    FOREIGN KEY (position_id, action) REFERENCES move (position_id, action)
) STRICT, WITHOUT ROWID;
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
INSERT INTO "block" VALUES(1,1,'games',0,0,0,0,0,0,'2026-11-22T14:54:50Z');
INSERT INTO "block" VALUES(2,1,'games',1,1,0,0,0,3,'2026-11-22T14:54:50Z');
INSERT INTO "block" VALUES(3,1,'games',1,1,0,0,3,3,'2026-11-22T14:54:50Z');
INSERT INTO "block" VALUES(4,1,'games',3,3,0,0,6,11,'2026-11-22T14:54:50Z');
INSERT INTO "block" VALUES(5,1,'games',5,4,0,1,17,16,'2026-11-22T14:54:50Z');
INSERT INTO "block" VALUES(6,1,'games',10,7,0,3,33,33,'2026-11-22T14:54:50Z');
INSERT INTO "block" VALUES(7,1,'games',30,26,0,4,66,94,'2026-11-22T14:54:50Z');
INSERT INTO "block" VALUES(8,1,'games',10,9,0,1,160,31,'2026-11-22T14:54:50Z');
INSERT INTO "block" VALUES(9,2,'games',0,0,0,0,0,0,'2026-11-22T14:54:52Z');
INSERT INTO "block" VALUES(10,2,'games',1,1,0,0,0,3,'2026-11-22T14:54:52Z');
INSERT INTO "block" VALUES(11,2,'games',1,1,0,0,3,3,'2026-11-22T14:54:52Z');
INSERT INTO "block" VALUES(12,2,'games',3,3,0,0,6,9,'2026-11-22T14:54:52Z');
INSERT INTO "block" VALUES(13,2,'games',5,4,0,1,15,16,'2026-11-22T14:54:52Z');
INSERT INTO "block" VALUES(14,2,'games',10,10,0,0,31,30,'2026-11-22T14:54:52Z');
INSERT INTO "block" VALUES(15,2,'games',30,28,0,2,61,92,'2026-11-22T14:54:52Z');
INSERT INTO "block" VALUES(16,3,'games',0,0,0,0,0,0,'2026-11-22T14:54:54Z');
INSERT INTO "block" VALUES(17,3,'games',1,1,0,0,0,3,'2026-11-22T14:54:54Z');
INSERT INTO "block" VALUES(18,3,'games',1,1,0,0,3,3,'2026-11-22T14:54:54Z');
INSERT INTO "block" VALUES(19,3,'games',3,2,0,1,6,10,'2026-11-22T14:54:54Z');
INSERT INTO "block" VALUES(20,3,'games',5,5,0,0,16,15,'2026-11-22T14:54:54Z');
INSERT INTO "block" VALUES(21,3,'games',10,10,0,0,31,30,'2026-11-22T14:54:54Z');
INSERT INTO "block" VALUES(22,4,'copy',0,0,0,0,0,0,'2026-11-22T14:54:58Z');
INSERT INTO "block" VALUES(23,5,'games',0,0,0,0,0,0,'2026-11-22T14:55:00Z');
INSERT INTO "block" VALUES(24,5,'games',1,1,0,0,0,3,'2026-11-22T14:55:01Z');
INSERT INTO "block" VALUES(25,5,'games',1,1,0,0,3,3,'2026-11-22T14:55:01Z');
INSERT INTO "block" VALUES(26,5,'games',3,3,0,0,6,9,'2026-11-22T14:55:01Z');
INSERT INTO "block" VALUES(27,5,'games',5,4,0,1,15,18,'2026-11-22T14:55:01Z');
INSERT INTO "block" VALUES(28,5,'games',10,10,0,0,33,30,'2026-11-22T14:55:01Z');
INSERT INTO "block" VALUES(29,5,'games',30,30,0,0,63,90,'2026-11-22T14:55:01Z');
INSERT INTO "block" VALUES(30,5,'games',50,50,0,0,153,150,'2026-11-22T14:55:01Z');
INSERT INTO "block" VALUES(31,5,'games',100,100,0,0,303,300,'2026-11-22T14:55:01Z');
INSERT INTO "block" VALUES(32,5,'games',200,200,0,0,603,600,'2026-11-22T14:55:01Z');
INSERT INTO "block" VALUES(33,6,'games',0,0,0,0,0,0,'2026-11-22T14:55:04Z');
INSERT INTO "block" VALUES(34,6,'games',1,1,0,0,0,3,'2026-11-22T14:55:04Z');
INSERT INTO "block" VALUES(35,6,'games',1,1,0,0,3,3,'2026-11-22T14:55:04Z');
INSERT INTO "block" VALUES(36,6,'games',3,3,0,0,6,9,'2026-11-22T14:55:04Z');
INSERT INTO "block" VALUES(37,7,'games',0,0,0,0,0,0,'2026-11-22T14:55:06Z');
INSERT INTO "block" VALUES(38,7,'games',1,1,0,0,0,3,'2026-11-22T14:55:07Z');
INSERT INTO "block" VALUES(39,7,'games',1,1,0,0,3,3,'2026-11-22T14:55:07Z');
INSERT INTO "block" VALUES(40,7,'games',3,3,0,0,6,9,'2026-11-22T14:55:07Z');
INSERT INTO "block" VALUES(41,7,'games',4,4,0,0,15,12,'2026-11-22T14:55:07Z');
INSERT INTO "block" VALUES(42,7,'empty',0,0,0,0,27,0,'2026-11-22T14:55:07Z');
INSERT INTO "block" VALUES(43,8,'human',0,0,0,0,0,0,'2026-11-22T14:55:09Z');
INSERT INTO "block" VALUES(44,8,'human',1,1,0,0,0,2,'2026-11-22T14:55:09Z');
INSERT INTO "block" VALUES(45,9,'human',0,0,0,0,0,0,'2026-11-22T14:55:10Z');
INSERT INTO "block" VALUES(46,9,'human',1,1,0,0,0,1,'2026-11-22T14:55:10Z');
INSERT INTO "block" VALUES(47,10,'human',0,0,0,0,0,0,'2026-11-22T14:55:12Z');
INSERT INTO "block" VALUES(48,10,'human',1,1,0,0,0,2,'2026-11-22T14:55:12Z');
INSERT INTO "block" VALUES(49,11,'human',0,0,0,0,0,0,'2026-11-22T14:55:13Z');
INSERT INTO "block" VALUES(50,11,'human',1,1,0,0,0,1,'2026-11-22T14:55:13Z');
INSERT INTO "block" VALUES(51,12,'human',0,0,0,0,0,0,'2026-11-22T14:55:14Z');
INSERT INTO "block" VALUES(52,12,'human',1,1,0,0,0,2,'2026-11-22T14:55:14Z');
INSERT INTO "block" VALUES(53,13,'human',0,0,0,0,0,0,'2026-11-22T14:55:15Z');
INSERT INTO "block" VALUES(54,13,'human',1,1,0,0,0,1,'2026-11-22T14:55:15Z');
INSERT INTO "block" VALUES(55,14,'games',0,0,0,0,0,0,'2026-11-22T14:55:17Z');
INSERT INTO "block" VALUES(56,14,'games',1,1,0,0,0,3,'2026-11-22T14:55:17Z');
INSERT INTO "block" VALUES(57,14,'games',1,1,0,0,3,3,'2026-11-22T14:55:17Z');
INSERT INTO "block" VALUES(58,14,'games',3,3,0,0,6,9,'2026-11-22T14:55:17Z');
INSERT INTO "block" VALUES(59,14,'games',5,5,0,0,15,15,'2026-11-22T14:55:17Z');
INSERT INTO "block" VALUES(60,14,'games',10,10,0,0,30,30,'2026-11-22T14:55:17Z');
INSERT INTO "block" VALUES(61,14,'games',30,29,0,1,60,91,'2026-11-22T14:55:17Z');
INSERT INTO "block" VALUES(62,14,'games',50,50,0,0,151,150,'2026-11-22T14:55:17Z');
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
INSERT INTO "change" VALUES(1,1,0,0,0,219,0,222);
INSERT INTO "change" VALUES(1,1,2,4,3,30,0,33);
INSERT INTO "change" VALUES(3,1,0,0,1,127,0,130);
INSERT INTO "change" VALUES(3,1,2,8,2,15,0,18);
INSERT INTO "change" VALUES(5,1,0,0,1,130,0,133);
INSERT INTO "change" VALUES(5,1,2,8,2,18,0,21);
CREATE TABLE evaluation (
    -- the exact strength of a learner after a block, against one opponent
    block_id      INTEGER NOT NULL REFERENCES block (block_id), -- the block after which it was measured
    learner_id    INTEGER NOT NULL REFERENCES learner (learner_id), -- the learner
    learner_games INTEGER NOT NULL CHECK (learner_games >= 0), -- games that it had learned from by then
    policy        TEXT    NOT NULL CHECK (policy IN ('behaviour', 'greedy')), -- as it learns, or its best
    opponent      TEXT    NOT NULL CHECK (opponent IN ('random', 'optimal', 'best')), -- best: who exploits it most
    win           REAL    NOT NULL CHECK (win BETWEEN 0 AND 1.000000001), -- the probability that the learner wins
    draw          REAL    NOT NULL CHECK (draw BETWEEN 0 AND 1.000000001), -- of a draw
    loss          REAL    NOT NULL CHECK (loss BETWEEN 0 AND 1.000000001), -- that it loses
    PRIMARY KEY (block_id, learner_id, policy, opponent),
    CHECK (abs(win + draw + loss - 1) < 1e-9)
) STRICT, WITHOUT ROWID;
INSERT INTO "evaluation" VALUES(1,1,0,'behaviour','best',0.75,0.0,0.25);
INSERT INTO "evaluation" VALUES(1,1,0,'behaviour','optimal',7.99999999999999933386e-01,0.0,0.2);
INSERT INTO "evaluation" VALUES(1,1,0,'behaviour','random',8.33333333333333259318e-01,0.0,1.66666666666666657414e-01);
INSERT INTO "evaluation" VALUES(1,1,0,'greedy','best',6.66666666666666629659e-01,5.55111512312578270211e-17,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(1,1,0,'greedy','optimal',7.33333333333333281522e-01,0.0,2.66666666666666662965e-01);
INSERT INTO "evaluation" VALUES(1,1,0,'greedy','random',7.77777777777777679091e-01,0.0,2.22222222222222209886e-01);
INSERT INTO "evaluation" VALUES(1,2,0,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(1,2,0,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(1,2,0,'behaviour','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(1,2,0,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(1,2,0,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(1,2,0,'greedy','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(2,1,1,'behaviour','best',8.1818181818181812126e-01,5.55111512312578270211e-17,1.81818181818181823228e-01);
INSERT INTO "evaluation" VALUES(2,1,1,'behaviour','optimal',8.54545454545454719053e-01,0.0,1.45454545454545475235e-01);
INSERT INTO "evaluation" VALUES(2,1,1,'behaviour','random',0.878787878787879,0.0,1.21212121212121229363e-01);
INSERT INTO "evaluation" VALUES(2,1,1,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(2,1,1,'greedy','optimal',9.99999999999999888977e-01,0.0,0.0);
INSERT INTO "evaluation" VALUES(2,1,1,'greedy','random',9.99999999999999888977e-01,0.0,0.0);
INSERT INTO "evaluation" VALUES(2,2,1,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(2,2,1,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(2,2,1,'behaviour','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(2,2,1,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(2,2,1,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(2,2,1,'greedy','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(3,1,2,'behaviour','best',8.57142857142857206298e-01,0.0,1.42857142857142849212e-01);
INSERT INTO "evaluation" VALUES(3,1,2,'behaviour','optimal',8.85714285714285787243e-01,0.0,1.14285714285714268267e-01);
INSERT INTO "evaluation" VALUES(3,1,2,'behaviour','random',9.04761904761904767191e-01,0.0,9.52380952380952328084e-02);
INSERT INTO "evaluation" VALUES(3,1,2,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(3,1,2,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(3,1,2,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(3,2,2,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(3,2,2,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(3,2,2,'behaviour','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(3,2,2,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(3,2,2,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(3,2,2,'greedy','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(4,1,5,'behaviour','best',7.39130434782608647381e-01,0.0,2.60869565217391352618e-01);
INSERT INTO "evaluation" VALUES(4,1,5,'behaviour','optimal',8.21739130434782527601e-01,0.0,1.78260869565217389132e-01);
INSERT INTO "evaluation" VALUES(4,1,5,'behaviour','random',8.52173913043478226114e-01,0.0,1.47826086956521718374e-01);
INSERT INTO "evaluation" VALUES(4,1,5,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(4,1,5,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(4,1,5,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(4,2,5,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(4,2,5,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(4,2,5,'behaviour','random',2.77777777777777790113e-01,0.0,7.22222222222222209886e-01);
INSERT INTO "evaluation" VALUES(4,2,5,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(4,2,5,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(4,2,5,'greedy','random',2.77777777777777790113e-01,0.0,7.22222222222222209886e-01);
INSERT INTO "evaluation" VALUES(5,1,10,'behaviour','best',6.29411764705882337267e-01,0.0,3.70588235294117718243e-01);
INSERT INTO "evaluation" VALUES(5,1,10,'behaviour','optimal',7.87820069204152262365e-01,0.0,2.12179930795847793145e-01);
INSERT INTO "evaluation" VALUES(5,1,10,'behaviour','random',8.25605536332179812397e-01,0.0,1.7439446366782007658e-01);
INSERT INTO "evaluation" VALUES(5,1,10,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(5,1,10,'greedy','optimal',0.8,0.0,0.2);
INSERT INTO "evaluation" VALUES(5,1,10,'greedy','random',8.66666666666666696272e-01,0.0,1.33333333333333331482e-01);
INSERT INTO "evaluation" VALUES(5,2,10,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(5,2,10,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(5,2,10,'behaviour','random',2.4444444444444440867e-01,0.0,7.55555555555555424795e-01);
INSERT INTO "evaluation" VALUES(5,2,10,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(5,2,10,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(5,2,10,'greedy','random',2.4444444444444440867e-01,0.0,7.55555555555555424795e-01);
INSERT INTO "evaluation" VALUES(6,1,20,'behaviour','best',7.23076923076923172573e-01,0.0,2.76923076923076938449e-01);
INSERT INTO "evaluation" VALUES(6,1,20,'behaviour','optimal',0.811923076923077,0.0,1.88076923076923085975e-01);
INSERT INTO "evaluation" VALUES(6,1,20,'behaviour','random',8.40769230769230935251e-01,0.0,1.59230769230769231281e-01);
INSERT INTO "evaluation" VALUES(6,1,20,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(6,1,20,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(6,1,20,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(6,2,20,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(6,2,20,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(6,2,20,'behaviour','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(6,2,20,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(6,2,20,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(6,2,20,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(7,1,50,'behaviour','best',8.56797791580400258659e-01,2.77555756156289135105e-17,1.43202208419599713584e-01);
INSERT INTO "evaluation" VALUES(7,1,50,'behaviour','optimal',9.04733378939900689807e-01,0.0,9.52666210600993240698e-02);
INSERT INTO "evaluation" VALUES(7,1,50,'behaviour','random',9.21017205821553663902e-01,0.0,7.89827941784463499752e-02);
INSERT INTO "evaluation" VALUES(7,1,50,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(7,1,50,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(7,1,50,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(7,2,50,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(7,2,50,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(7,2,50,'behaviour','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(7,2,50,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(7,2,50,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(7,2,50,'greedy','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(8,1,60,'behaviour','best',0.856979405034325,0.0,1.43020594965675068577e-01);
INSERT INTO "evaluation" VALUES(8,1,60,'behaviour','optimal',9.16106393645009453585e-01,0.0,8.38936063549908100922e-02);
INSERT INTO "evaluation" VALUES(8,1,60,'behaviour','random',9.3020031506158529222e-01,0.0,6.97996849384149159467e-02);
INSERT INTO "evaluation" VALUES(8,1,60,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(8,1,60,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(8,1,60,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(8,2,60,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(8,2,60,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(8,2,60,'behaviour','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(8,2,60,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(8,2,60,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(8,2,60,'greedy','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(9,1,60,'behaviour','best',0.856979405034325,0.0,1.43020594965675068577e-01);
INSERT INTO "evaluation" VALUES(9,1,60,'behaviour','optimal',9.16106393645009453585e-01,0.0,8.38936063549908100922e-02);
INSERT INTO "evaluation" VALUES(9,1,60,'behaviour','random',9.3020031506158529222e-01,0.0,6.97996849384149159467e-02);
INSERT INTO "evaluation" VALUES(9,1,60,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(9,1,60,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(9,1,60,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(9,2,60,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(9,2,60,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(9,2,60,'behaviour','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(9,2,60,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(9,2,60,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(9,2,60,'greedy','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(10,1,61,'behaviour','best',8.59747545582047689727e-01,0.0,1.40252454417952310272e-01);
INSERT INTO "evaluation" VALUES(10,1,61,'behaviour','optimal',9.17730140864783217047e-01,0.0,8.22698591352167690748e-02);
INSERT INTO "evaluation" VALUES(10,1,61,'behaviour','random',9.31551276705554487378e-01,0.0,0.0684487232944456);
INSERT INTO "evaluation" VALUES(10,1,61,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(10,1,61,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(10,1,61,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(10,2,61,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(10,2,61,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(10,2,61,'behaviour','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(10,2,61,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(10,2,61,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(10,2,61,'greedy','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(11,1,62,'behaviour','best',8.62410566868464512069e-01,0.0,1.37589433131535515686e-01);
INSERT INTO "evaluation" VALUES(11,1,62,'behaviour','optimal',9.19292226797730482878e-01,0.0,8.07077732022696281433e-02);
INSERT INTO "evaluation" VALUES(11,1,62,'behaviour','random',9.32850936008613573768e-01,0.0,0.0671490639913865);
INSERT INTO "evaluation" VALUES(11,1,62,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(11,1,62,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(11,1,62,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(11,2,62,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(11,2,62,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(11,2,62,'behaviour','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(11,2,62,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(11,2,62,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(11,2,62,'greedy','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(12,1,65,'behaviour','best',8.620151002343139357e-01,5.55111512312578270211e-17,0.137984899765686);
INSERT INTO "evaluation" VALUES(12,1,65,'behaviour','optimal',9.19538993181095221096e-01,0.0,8.04610068189047650255e-02);
INSERT INTO "evaluation" VALUES(12,1,65,'behaviour','random',9.32977093258454792668e-01,0.0,6.70229067415452905986e-02);
INSERT INTO "evaluation" VALUES(12,1,65,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(12,1,65,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(12,1,65,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(12,2,65,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(12,2,65,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(12,2,65,'behaviour','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(12,2,65,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(12,2,65,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(12,2,65,'greedy','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(13,1,70,'behaviour','best',9.00224719101123560527e-01,4.16333634234433702658e-17,0.0997752808988764);
INSERT INTO "evaluation" VALUES(13,1,70,'behaviour','optimal',9.2829746627334541742e-01,0.0,7.17025337266543882908e-02);
INSERT INTO "evaluation" VALUES(13,1,70,'behaviour','random',9.39050838938784493414e-01,0.0,6.09491610612152845405e-02);
INSERT INTO "evaluation" VALUES(13,1,70,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(13,1,70,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(13,1,70,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(13,2,70,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(13,2,70,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(13,2,70,'behaviour','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(13,2,70,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(13,2,70,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(13,2,70,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(14,1,80,'behaviour','best',9.00769230769230766497e-01,0.0,9.9230769230769233502e-02);
INSERT INTO "evaluation" VALUES(14,1,80,'behaviour','optimal',9.36436745888116206515e-01,0.0,6.35632541118837518512e-02);
INSERT INTO "evaluation" VALUES(14,1,80,'behaviour','random',9.45568829242549702129e-01,0.0,5.44311707574501660311e-02);
INSERT INTO "evaluation" VALUES(14,1,80,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(14,1,80,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(14,1,80,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(14,2,80,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(14,2,80,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(14,2,80,'behaviour','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(14,2,80,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(14,2,80,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(14,2,80,'greedy','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(15,1,110,'behaviour','best',9.32525629077353146456e-01,5.55111512312578270211e-17,0.0674743709226468);
INSERT INTO "evaluation" VALUES(15,1,110,'behaviour','optimal',9.58581210714469555966e-01,0.0,4.14187892855306105666e-02);
INSERT INTO "evaluation" VALUES(15,1,110,'behaviour','random',9.66069636596724734545e-01,0.0,3.39303634032753279048e-02);
INSERT INTO "evaluation" VALUES(15,1,110,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(15,1,110,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(15,1,110,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(15,2,110,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(15,2,110,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(15,2,110,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(15,2,110,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(15,2,110,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(15,2,110,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(16,1,110,'behaviour','best',9.32525629077353146456e-01,5.55111512312578270211e-17,0.0674743709226468);
INSERT INTO "evaluation" VALUES(16,1,110,'behaviour','optimal',9.58581210714469555966e-01,0.0,4.14187892855306105666e-02);
INSERT INTO "evaluation" VALUES(16,1,110,'behaviour','random',9.66069636596724734545e-01,0.0,3.39303634032753279048e-02);
INSERT INTO "evaluation" VALUES(16,1,110,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(16,1,110,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(16,1,110,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(16,3,0,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(16,3,0,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(16,3,0,'behaviour','random',2.66222222232156302546e-01,0.0,7.33777777767843697453e-01);
INSERT INTO "evaluation" VALUES(16,3,0,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(16,3,0,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(16,3,0,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(17,1,111,'behaviour','best',9.33216492943455433461e-01,0.0,0.0667835070565446);
INSERT INTO "evaluation" VALUES(17,1,111,'behaviour','optimal',9.59005293881215581386e-01,0.0,4.09947061187845643304e-02);
INSERT INTO "evaluation" VALUES(17,1,111,'behaviour','random',9.66417046460922080086e-01,0.0,3.35829535390779684855e-02);
INSERT INTO "evaluation" VALUES(17,1,111,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(17,1,111,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(17,1,111,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(17,3,1,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(17,3,1,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(17,3,1,'behaviour','random',2.66222222232156302546e-01,0.0,7.33777777767843586431e-01);
INSERT INTO "evaluation" VALUES(17,3,1,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(17,3,1,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(17,3,1,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(18,1,112,'behaviour','best',9.33893352812271704266e-01,1.38777878078144567552e-17,6.61066471877282818558e-02);
INSERT INTO "evaluation" VALUES(18,1,112,'behaviour','optimal',9.59420780767554437495e-01,0.0,4.05792192324455278096e-02);
INSERT INTO "evaluation" VALUES(18,1,112,'behaviour','random',9.66757414233277545534e-01,0.0,3.32425857667224475266e-02);
INSERT INTO "evaluation" VALUES(18,1,112,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(18,1,112,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(18,1,112,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(18,3,2,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(18,3,2,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(18,3,2,'behaviour','random',2.66222222232156302546e-01,0.0,7.33777777767843697453e-01);
INSERT INTO "evaluation" VALUES(18,3,2,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(18,3,2,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(18,3,2,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(19,1,115,'behaviour','best',9.33195654125886675522e-01,0.0,6.68043458741133244771e-02);
INSERT INTO "evaluation" VALUES(19,1,115,'behaviour','optimal',9.62180984120883597832e-01,0.0,0.0378190158791163);
INSERT INTO "evaluation" VALUES(19,1,115,'behaviour','random',9.6955183682833367964e-01,0.0,3.04481631716662821951e-02);
INSERT INTO "evaluation" VALUES(19,1,115,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(19,1,115,'greedy','optimal',9.99999999999999888977e-01,0.0,0.0);
INSERT INTO "evaluation" VALUES(19,1,115,'greedy','random',9.99999999999999888977e-01,0.0,0.0);
INSERT INTO "evaluation" VALUES(19,3,5,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(19,3,5,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(19,3,5,'behaviour','random',2.77112222237073657638e-01,0.0,7.22887777762926342361e-01);
INSERT INTO "evaluation" VALUES(19,3,5,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(19,3,5,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(19,3,5,'greedy','random',2.77777777777777790113e-01,0.0,7.22222222222222431931e-01);
INSERT INTO "evaluation" VALUES(20,1,120,'behaviour','best',9.38291139240506333329e-01,0.0,6.170886075949366667e-02);
INSERT INTO "evaluation" VALUES(20,1,120,'behaviour','optimal',9.63916649219734855691e-01,0.0,3.60833507802650957363e-02);
INSERT INTO "evaluation" VALUES(20,1,120,'behaviour','random',9.70835521486708485916e-01,0.0,2.91644785132915591863e-02);
INSERT INTO "evaluation" VALUES(20,1,120,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(20,1,120,'greedy','optimal',9.99999999999999888977e-01,0.0,0.0);
INSERT INTO "evaluation" VALUES(20,1,120,'greedy','random',9.99999999999999888977e-01,0.0,0.0);
INSERT INTO "evaluation" VALUES(20,3,10,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(20,3,10,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(20,3,10,'behaviour','random',3.32662222237322113826e-01,0.0,6.67337777762678108217e-01);
INSERT INTO "evaluation" VALUES(20,3,10,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(20,3,10,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(20,3,10,'greedy','random',3.3333333333333337034e-01,0.0,6.66666666666666740681e-01);
INSERT INTO "evaluation" VALUES(21,1,130,'behaviour','best',9.44961045488816320236e-01,0.0,5.50389545111837144575e-02);
INSERT INTO "evaluation" VALUES(21,1,130,'behaviour','optimal',9.66618794016682159053e-01,0.0,3.33812059833178895185e-02);
INSERT INTO "evaluation" VALUES(21,1,130,'behaviour','random',9.72989162730336643036e-01,0.0,2.70108372696633187992e-02);
INSERT INTO "evaluation" VALUES(21,1,130,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(21,1,130,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(21,1,130,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(21,3,20,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(21,3,20,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(21,3,20,'behaviour','random',2.49887222224780297663e-01,0.0,7.50112777775219785603e-01);
INSERT INTO "evaluation" VALUES(21,3,20,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(21,3,20,'greedy','optimal',0.0,0.0,9.99999999999999777955e-01);
INSERT INTO "evaluation" VALUES(21,3,20,'greedy','random',0.25,0.0,0.75);
INSERT INTO "evaluation" VALUES(23,4,0,'behaviour','best',0.75,0.0,0.25);
INSERT INTO "evaluation" VALUES(23,4,0,'behaviour','optimal',7.99999999999999933386e-01,0.0,0.2);
INSERT INTO "evaluation" VALUES(23,4,0,'behaviour','random',8.33333333333333259318e-01,0.0,1.66666666666666657414e-01);
INSERT INTO "evaluation" VALUES(23,4,0,'greedy','best',6.66666666666666629659e-01,5.55111512312578270211e-17,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(23,4,0,'greedy','optimal',7.33333333333333281522e-01,0.0,2.66666666666666662965e-01);
INSERT INTO "evaluation" VALUES(23,4,0,'greedy','random',7.77777777777777679091e-01,0.0,2.22222222222222209886e-01);
INSERT INTO "evaluation" VALUES(24,4,1,'behaviour','best',0.75,0.0,0.25);
INSERT INTO "evaluation" VALUES(24,4,1,'behaviour','optimal',7.99999999999999933386e-01,0.0,0.2);
INSERT INTO "evaluation" VALUES(24,4,1,'behaviour','random',8.33333333333333259318e-01,0.0,1.66666666666666657414e-01);
INSERT INTO "evaluation" VALUES(24,4,1,'greedy','best',6.66666666666666629659e-01,5.55111512312578270211e-17,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(24,4,1,'greedy','optimal',7.33333333333333281522e-01,0.0,2.66666666666666662965e-01);
INSERT INTO "evaluation" VALUES(24,4,1,'greedy','random',7.77777777777777679091e-01,0.0,2.22222222222222209886e-01);
INSERT INTO "evaluation" VALUES(25,4,2,'behaviour','best',0.75,0.0,0.25);
INSERT INTO "evaluation" VALUES(25,4,2,'behaviour','optimal',7.99999999999999933386e-01,0.0,0.2);
INSERT INTO "evaluation" VALUES(25,4,2,'behaviour','random',8.33333333333333259318e-01,0.0,1.66666666666666657414e-01);
INSERT INTO "evaluation" VALUES(25,4,2,'greedy','best',6.66666666666666629659e-01,5.55111512312578270211e-17,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(25,4,2,'greedy','optimal',7.33333333333333281522e-01,0.0,2.66666666666666662965e-01);
INSERT INTO "evaluation" VALUES(25,4,2,'greedy','random',7.77777777777777679091e-01,0.0,2.22222222222222209886e-01);
INSERT INTO "evaluation" VALUES(26,4,5,'behaviour','best',0.75,0.0,0.25);
INSERT INTO "evaluation" VALUES(26,4,5,'behaviour','optimal',7.99999999999999933386e-01,0.0,0.2);
INSERT INTO "evaluation" VALUES(26,4,5,'behaviour','random',8.33333333333333259318e-01,0.0,1.66666666666666657414e-01);
INSERT INTO "evaluation" VALUES(26,4,5,'greedy','best',6.66666666666666629659e-01,5.55111512312578270211e-17,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(26,4,5,'greedy','optimal',7.33333333333333281522e-01,0.0,2.66666666666666662965e-01);
INSERT INTO "evaluation" VALUES(26,4,5,'greedy','random',7.77777777777777679091e-01,0.0,2.22222222222222209886e-01);
INSERT INTO "evaluation" VALUES(27,4,10,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(27,4,10,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(27,4,10,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(27,4,10,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(27,4,10,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(27,4,10,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(28,4,20,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(28,4,20,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(28,4,20,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(28,4,20,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(28,4,20,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(28,4,20,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(29,4,50,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(29,4,50,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(29,4,50,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(29,4,50,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(29,4,50,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(29,4,50,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(30,4,100,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(30,4,100,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(30,4,100,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(30,4,100,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(30,4,100,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(30,4,100,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(31,4,200,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(31,4,200,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(31,4,200,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(31,4,200,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(31,4,200,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(31,4,200,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(32,4,400,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(32,4,400,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(32,4,400,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(32,4,400,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(32,4,400,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(32,4,400,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(33,4,400,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(33,4,400,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(33,4,400,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(33,4,400,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(33,4,400,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(33,4,400,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(34,4,401,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(34,4,401,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(34,4,401,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(34,4,401,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(34,4,401,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(34,4,401,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(35,4,402,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(35,4,402,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(35,4,402,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(35,4,402,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(35,4,402,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(35,4,402,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(36,4,405,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(36,4,405,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(36,4,405,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(36,4,405,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(36,4,405,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(36,4,405,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(37,5,0,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(37,5,0,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(37,5,0,'behaviour','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(37,5,0,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(37,5,0,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(37,5,0,'greedy','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(38,5,1,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(38,5,1,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(38,5,1,'behaviour','random',1.94444444444444419772e-01,0.0,8.05555555555555469204e-01);
INSERT INTO "evaluation" VALUES(38,5,1,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(38,5,1,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(38,5,1,'greedy','random',1.94444444444444419772e-01,0.0,8.05555555555555358182e-01);
INSERT INTO "evaluation" VALUES(39,5,2,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(39,5,2,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(39,5,2,'behaviour','random',1.94444444444444419772e-01,0.0,8.05555555555555358182e-01);
INSERT INTO "evaluation" VALUES(39,5,2,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(39,5,2,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(39,5,2,'greedy','random',1.94444444444444419772e-01,0.0,8.05555555555555358182e-01);
INSERT INTO "evaluation" VALUES(40,5,5,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(40,5,5,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(40,5,5,'behaviour','random',2.77777777777777790113e-01,0.0,7.22222222222222098864e-01);
INSERT INTO "evaluation" VALUES(40,5,5,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(40,5,5,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(40,5,5,'greedy','random',2.77777777777777790113e-01,0.0,7.22222222222222098864e-01);
INSERT INTO "evaluation" VALUES(42,5,9,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(42,5,9,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(42,5,9,'behaviour','random',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(42,5,9,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(42,5,9,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(42,5,9,'greedy','random',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(43,1,130,'behaviour','best',9.44961045488816320236e-01,0.0,5.50389545111837144575e-02);
INSERT INTO "evaluation" VALUES(43,1,130,'behaviour','optimal',9.66618794016682159053e-01,0.0,3.33812059833178895185e-02);
INSERT INTO "evaluation" VALUES(43,1,130,'behaviour','random',9.72989162730336643036e-01,0.0,2.70108372696633187992e-02);
INSERT INTO "evaluation" VALUES(43,1,130,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(43,1,130,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(43,1,130,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(44,1,131,'behaviour','best',9.44686682446742254093e-01,0.0,5.53133175532577459065e-02);
INSERT INTO "evaluation" VALUES(44,1,131,'behaviour','optimal',9.66550154187409860107e-01,0.0,0.0334498458125903);
INSERT INTO "evaluation" VALUES(44,1,131,'behaviour','random',9.72919691226094673908e-01,0.0,2.70803087739053850724e-02);
INSERT INTO "evaluation" VALUES(44,1,131,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(44,1,131,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(44,1,131,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(45,2,110,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(45,2,110,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(45,2,110,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(45,2,110,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(45,2,110,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(45,2,110,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(46,2,111,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(46,2,111,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(46,2,111,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(46,2,111,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(46,2,111,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(46,2,111,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(47,1,131,'behaviour','best',9.44686682446742254093e-01,0.0,5.53133175532577459065e-02);
INSERT INTO "evaluation" VALUES(47,1,131,'behaviour','optimal',9.66550154187409860107e-01,0.0,0.0334498458125903);
INSERT INTO "evaluation" VALUES(47,1,131,'behaviour','random',9.72919691226094673908e-01,0.0,2.70803087739053850724e-02);
INSERT INTO "evaluation" VALUES(47,1,131,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(47,1,131,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(47,1,131,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(48,1,132,'behaviour','best',9.45158102766798458027e-01,0.0,5.48418972332015836057e-02);
INSERT INTO "evaluation" VALUES(48,1,132,'behaviour','optimal',9.66835238100585359077e-01,0.0,3.31647618994148143944e-02);
INSERT INTO "evaluation" VALUES(48,1,132,'behaviour','random',9.73150489312235911221e-01,0.0,2.68495106877641512288e-02);
INSERT INTO "evaluation" VALUES(48,1,132,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(48,1,132,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(48,1,132,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(49,2,111,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(49,2,111,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(49,2,111,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(49,2,111,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(49,2,111,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(49,2,111,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(50,2,112,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(50,2,112,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(50,2,112,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(50,2,112,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(50,2,112,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(50,2,112,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(51,1,132,'behaviour','best',9.45158102766798458027e-01,0.0,5.48418972332015836057e-02);
INSERT INTO "evaluation" VALUES(51,1,132,'behaviour','optimal',9.66835238100585359077e-01,0.0,3.31647618994148143944e-02);
INSERT INTO "evaluation" VALUES(51,1,132,'behaviour','random',9.73150489312235911221e-01,0.0,2.68495106877641512288e-02);
INSERT INTO "evaluation" VALUES(51,1,132,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(51,1,132,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(51,1,132,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(52,1,133,'behaviour','best',9.45621555419473458492e-01,0.0,5.43784445805266386519e-02);
INSERT INTO "evaluation" VALUES(52,1,133,'behaviour','optimal',9.67115503694101485976e-01,0.0,3.28844963058986389237e-02);
INSERT INTO "evaluation" VALUES(52,1,133,'behaviour','random',9.73377386585653647799e-01,0.0,2.66226134143464215897e-02);
INSERT INTO "evaluation" VALUES(52,1,133,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(52,1,133,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(52,1,133,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(53,2,112,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(53,2,112,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(53,2,112,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(53,2,112,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(53,2,112,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(53,2,112,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(54,2,113,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(54,2,113,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(54,2,113,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(54,2,113,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(54,2,113,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(54,2,113,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(55,1,133,'behaviour','best',9.45621555419473458492e-01,0.0,5.43784445805266386519e-02);
INSERT INTO "evaluation" VALUES(55,1,133,'behaviour','optimal',9.67115503694101485976e-01,0.0,3.28844963058986389237e-02);
INSERT INTO "evaluation" VALUES(55,1,133,'behaviour','random',9.73377386585653647799e-01,0.0,2.66226134143464215897e-02);
INSERT INTO "evaluation" VALUES(55,1,133,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(55,1,133,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(55,1,133,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(55,2,113,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(55,2,113,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(55,2,113,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(55,2,113,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(55,2,113,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(55,2,113,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(56,1,134,'behaviour','best',9.45348554772892923914e-01,0.0,5.46514452271071177191e-02);
INSERT INTO "evaluation" VALUES(56,1,134,'behaviour','optimal',9.67222485205467386037e-01,0.0,3.27775147945326555953e-02);
INSERT INTO "evaluation" VALUES(56,1,134,'behaviour','random',9.73425113719168844106e-01,0.0,2.65748862808311420158e-02);
INSERT INTO "evaluation" VALUES(56,1,134,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(56,1,134,'greedy','optimal',9.99999999999999888977e-01,0.0,0.0);
INSERT INTO "evaluation" VALUES(56,1,134,'greedy','random',9.99999999999999888977e-01,0.0,0.0);
INSERT INTO "evaluation" VALUES(56,2,114,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(56,2,114,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(56,2,114,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(56,2,114,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(56,2,114,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(56,2,114,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(57,1,135,'behaviour','best',9.48442534908700229934e-01,9.71445146547012e-17,5.15574650912996729212e-02);
INSERT INTO "evaluation" VALUES(57,1,135,'behaviour','optimal',9.67733961527194597174e-01,0.0,3.2266038472805388948e-02);
INSERT INTO "evaluation" VALUES(57,1,135,'behaviour','random',9.73742896201542862399e-01,0.0,2.62571037984571792334e-02);
INSERT INTO "evaluation" VALUES(57,1,135,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(57,1,135,'greedy','optimal',9.99999999999999888977e-01,0.0,0.0);
INSERT INTO "evaluation" VALUES(57,1,135,'greedy','random',9.99999999999999888977e-01,0.0,0.0);
INSERT INTO "evaluation" VALUES(57,2,115,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(57,2,115,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(57,2,115,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(57,2,115,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(57,2,115,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(57,2,115,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(58,1,138,'behaviour','best',9.48372862658576898375e-01,4.85722573273506e-17,5.16271373414230530518e-02);
INSERT INTO "evaluation" VALUES(58,1,138,'behaviour','optimal',9.68232443714586832328e-01,0.0,3.17675562854134244106e-02);
INSERT INTO "evaluation" VALUES(58,1,138,'behaviour','random',9.74249498570927463525e-01,0.0,2.57505014290728556636e-02);
INSERT INTO "evaluation" VALUES(58,1,138,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(58,1,138,'greedy','optimal',9.99999999999999888977e-01,0.0,0.0);
INSERT INTO "evaluation" VALUES(58,1,138,'greedy','random',9.99999999999999888977e-01,0.0,0.0);
INSERT INTO "evaluation" VALUES(58,2,118,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(58,2,118,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(58,2,118,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(58,2,118,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(58,2,118,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(58,2,118,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(59,1,143,'behaviour','best',9.50849150849150670516e-01,1.73472347597680709441e-16,4.91508491508491560106e-02);
INSERT INTO "evaluation" VALUES(59,1,143,'behaviour','optimal',9.69203402441714101378e-01,0.0,3.07965975582858708659e-02);
INSERT INTO "evaluation" VALUES(59,1,143,'behaviour','random',9.74849606237917831741e-01,0.0,2.5150393762082071114e-02);
INSERT INTO "evaluation" VALUES(59,1,143,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(59,1,143,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(59,1,143,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(59,2,123,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(59,2,123,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(59,2,123,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(59,2,123,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(59,2,123,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(59,2,123,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(60,1,153,'behaviour','best',9.53290083410565314281e-01,2.08166817117216851329e-17,4.67099165894346649019e-02);
INSERT INTO "evaluation" VALUES(60,1,153,'behaviour','optimal',9.71376514013614245079e-01,0.0,2.86234859863858659423e-02);
INSERT INTO "evaluation" VALUES(60,1,153,'behaviour','random',9.76680035793039635905e-01,0.0,2.33199642069604681782e-02);
INSERT INTO "evaluation" VALUES(60,1,153,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(60,1,153,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(60,1,153,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(60,2,133,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(60,2,133,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(60,2,133,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(60,2,133,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(60,2,133,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(60,2,133,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(61,1,183,'behaviour','best',9.60079840319361332845e-01,0.0,3.99201596806387226656e-02);
INSERT INTO "evaluation" VALUES(61,1,183,'behaviour','optimal',9.76848623222232093077e-01,0.0,2.31513767777680040671e-02);
INSERT INTO "evaluation" VALUES(61,1,183,'behaviour','random',9.81515414883527892442e-01,0.0,1.84845851164721977633e-02);
INSERT INTO "evaluation" VALUES(61,1,183,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(61,1,183,'greedy','optimal',1.00000000000000022204e+00,0.0,0.0);
INSERT INTO "evaluation" VALUES(61,1,183,'greedy','random',1.00000000000000022204e+00,0.0,0.0);
INSERT INTO "evaluation" VALUES(61,2,163,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(61,2,163,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(61,2,163,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(61,2,163,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(61,2,163,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(61,2,163,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(62,1,233,'behaviour','best',9.68550408278761376656e-01,4.16333634234433702658e-17,3.14495917212385817096e-02);
INSERT INTO "evaluation" VALUES(62,1,233,'behaviour','optimal',0.981601333653628,0.0,1.83986663463720362399e-02);
INSERT INTO "evaluation" VALUES(62,1,233,'behaviour','random',9.85213794163057099417e-01,0.0,1.47862058369430306864e-02);
INSERT INTO "evaluation" VALUES(62,1,233,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(62,1,233,'greedy','optimal',1.00000000000000022204e+00,0.0,0.0);
INSERT INTO "evaluation" VALUES(62,1,233,'greedy','random',1.00000000000000022204e+00,0.0,0.0);
INSERT INTO "evaluation" VALUES(62,2,213,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(62,2,213,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(62,2,213,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(62,2,213,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(62,2,213,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(62,2,213,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
CREATE TABLE game (
    -- the record of a game with a person
    game_id  INTEGER PRIMARY KEY, -- its number
    block_id INTEGER NOT NULL REFERENCES block (block_id), -- the block that it was committed in
    number   INTEGER NOT NULL CHECK (number >= 1), -- which game of its block
    actions  TEXT    NOT NULL, -- in the order of play, on the actual board, separated by commas
    explored TEXT    NOT NULL, -- a 0 or 1 a ply: whether the machine explored
    learned  TEXT    NOT NULL, -- a 0 or 1 a ply: 0 where nobody learns from the move
    ended_by TEXT    NOT NULL CHECK (ended_by IN ('board', 'resignation')), -- how it ended
    outcome  TEXT    NOT NULL CHECK (outcome IN ('X', 'O', 'draw')), -- who won
    UNIQUE (block_id, number)
) STRICT;
INSERT INTO "game" VALUES(1,44,1,'2,0,5','000','111','board','X');
INSERT INTO "game" VALUES(2,46,1,'1,3,0','000','111','board','X');
INSERT INTO "game" VALUES(3,48,1,'1,0,2','000','111','board','X');
INSERT INTO "game" VALUES(4,50,1,'1,4,0','000','111','board','X');
INSERT INTO "game" VALUES(5,52,1,'1,0,2','000','111','board','X');
INSERT INTO "game" VALUES(6,54,1,'1,4,0','000','111','board','X');
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
INSERT INTO "learner" VALUES(1,'beads','X','menace',1,'menace','{"boxes": "choices", "beads": [4, 3, 2, 1], "merged": true, "win": 3, "draw": 1, "loss": -1, "floor": 0, "when_empty": "restock", "credit": "all"}',NULL,'menace','menace',233,NULL,NULL,NULL,NULL,NULL,'2026-11-22T14:54:40Z',NULL);
INSERT INTO "learner" VALUES(2,'code','O','favourite',1,'article-code','{"boxes": "choices", "beads": [2], "merged": true, "win": 3, "draw": 1, "loss": -1, "floor": 1, "rewards": "length", "epsilon": 0.0, "epsilon_decay": 1.0, "epsilon_least": 0.0}',NULL,'menace','menace',213,0.0,NULL,NULL,NULL,NULL,'2026-11-22T14:54:41Z',NULL);
INSERT INTO "learner" VALUES(3,'values','O','td',1,'zhang','{"epsilon": 0.01, "epsilon_decay": 1.0, "epsilon_least": 0.0, "epsilon_first": false, "ties": "random", "alpha": 0.1, "win": 1.0, "draw": 0.5, "loss": 0.0, "drawn_by_other": 0.5, "initial": "constant", "initial_value": 0.5, "backup": "all", "from_exploration": false}',NULL,'menace','menace',20,0.01,NULL,NULL,NULL,NULL,'2026-11-22T14:54:43Z',NULL);
INSERT INTO "learner" VALUES(4,'frail','X','menace',1,'menace','{"boxes": "choices", "beads": [1], "merged": true, "win": 0, "draw": -1, "loss": -1, "floor": 0, "when_empty": "resign", "credit": "all"}',NULL,'menace','menace',405,NULL,NULL,NULL,NULL,NULL,'2026-11-22T14:54:45Z',NULL);
INSERT INTO "learner" VALUES(5,'late','O','menace',1,'menace','{"boxes": "choices", "beads": [1], "merged": true, "win": 0, "draw": -1, "loss": -1, "floor": 0, "when_empty": "resign", "credit": "all"}',NULL,'menace','menace',9,NULL,NULL,NULL,NULL,NULL,'2026-11-22T14:54:47Z',NULL);
INSERT INTO "learner" VALUES(6,'code copied','O','favourite',1,'article-code','{"boxes": "choices", "beads": [2], "merged": true, "win": 3, "draw": 1, "loss": -1, "floor": 1, "rewards": "length", "epsilon": 0.0, "epsilon_decay": 1.0, "epsilon_least": 0.0}',NULL,'menace','menace',110,0.0,NULL,NULL,NULL,NULL,'2026-11-22T14:54:58Z',NULL);
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
INSERT INTO "matchbox" VALUES(1,0,0,389,147);
INSERT INTO "matchbox" VALUES(1,0,1,262,86);
INSERT INTO "matchbox" VALUES(1,3,2,1,2);
INSERT INTO "matchbox" VALUES(1,3,3,36,11);
INSERT INTO "matchbox" VALUES(1,3,4,36,11);
INSERT INTO "matchbox" VALUES(1,3,5,3,0);
INSERT INTO "matchbox" VALUES(1,4,1,36,11);
INSERT INTO "matchbox" VALUES(1,4,3,45,14);
INSERT INTO "matchbox" VALUES(1,4,4,12,3);
INSERT INTO "matchbox" VALUES(1,4,5,1,2);
INSERT INTO "matchbox" VALUES(1,5,1,42,13);
INSERT INTO "matchbox" VALUES(1,5,2,1,2);
INSERT INTO "matchbox" VALUES(1,5,4,33,10);
INSERT INTO "matchbox" VALUES(1,5,5,3,4);
INSERT INTO "matchbox" VALUES(1,6,1,30,9);
INSERT INTO "matchbox" VALUES(1,6,2,0,3);
INSERT INTO "matchbox" VALUES(1,6,3,63,20);
INSERT INTO "matchbox" VALUES(1,6,5,1,2);
INSERT INTO "matchbox" VALUES(1,7,1,39,12);
INSERT INTO "matchbox" VALUES(1,7,2,3,0);
INSERT INTO "matchbox" VALUES(1,7,3,21,6);
INSERT INTO "matchbox" VALUES(1,7,4,39,12);
INSERT INTO "matchbox" VALUES(1,8,2,36,11);
INSERT INTO "matchbox" VALUES(1,8,3,6,1);
INSERT INTO "matchbox" VALUES(1,8,4,24,7);
INSERT INTO "matchbox" VALUES(1,8,5,33,10);
INSERT INTO "matchbox" VALUES(1,9,1,54,17);
INSERT INTO "matchbox" VALUES(1,9,2,30,9);
INSERT INTO "matchbox" VALUES(1,9,3,12,3);
INSERT INTO "matchbox" VALUES(1,9,5,18,5);
INSERT INTO "matchbox" VALUES(1,10,0,63,20);
INSERT INTO "matchbox" VALUES(1,10,3,12,3);
INSERT INTO "matchbox" VALUES(1,33,1,2,0);
INSERT INTO "matchbox" VALUES(1,33,4,2,0);
INSERT INTO "matchbox" VALUES(1,34,1,5,1);
INSERT INTO "matchbox" VALUES(2,1,1,1,20);
INSERT INTO "matchbox" VALUES(2,1,2,1,26);
INSERT INTO "matchbox" VALUES(2,1,3,1,26);
INSERT INTO "matchbox" VALUES(2,1,4,1,32);
INSERT INTO "matchbox" VALUES(2,1,5,1,28);
INSERT INTO "matchbox" VALUES(2,2,0,1,25);
INSERT INTO "matchbox" VALUES(2,2,3,1,33);
INSERT INTO "matchbox" VALUES(2,2,4,1,23);
INSERT INTO "matchbox" VALUES(2,15,3,2,0);
INSERT INTO "matchbox" VALUES(2,15,4,4,1);
INSERT INTO "matchbox" VALUES(2,18,2,2,0);
INSERT INTO "matchbox" VALUES(2,18,3,2,0);
INSERT INTO "matchbox" VALUES(2,18,4,6,2);
INSERT INTO "matchbox" VALUES(2,19,1,2,0);
INSERT INTO "matchbox" VALUES(2,19,4,6,2);
INSERT INTO "matchbox" VALUES(2,19,5,2,0);
INSERT INTO "matchbox" VALUES(2,20,1,8,3);
INSERT INTO "matchbox" VALUES(2,20,3,2,0);
INSERT INTO "matchbox" VALUES(2,23,1,2,0);
INSERT INTO "matchbox" VALUES(2,23,3,1,1);
INSERT INTO "matchbox" VALUES(2,23,4,12,5);
INSERT INTO "matchbox" VALUES(4,0,0,0,8);
INSERT INTO "matchbox" VALUES(4,0,1,1,397);
INSERT INTO "matchbox" VALUES(4,3,2,1,0);
INSERT INTO "matchbox" VALUES(4,3,3,1,1);
INSERT INTO "matchbox" VALUES(4,3,4,1,0);
INSERT INTO "matchbox" VALUES(4,3,5,1,0);
INSERT INTO "matchbox" VALUES(4,4,1,1,0);
INSERT INTO "matchbox" VALUES(4,4,3,1,0);
INSERT INTO "matchbox" VALUES(4,4,4,1,1);
INSERT INTO "matchbox" VALUES(4,4,5,1,0);
INSERT INTO "matchbox" VALUES(4,5,1,1,0);
INSERT INTO "matchbox" VALUES(4,5,2,0,1);
INSERT INTO "matchbox" VALUES(4,5,4,1,0);
INSERT INTO "matchbox" VALUES(4,5,5,1,0);
INSERT INTO "matchbox" VALUES(4,6,1,1,2);
INSERT INTO "matchbox" VALUES(4,6,2,1,0);
INSERT INTO "matchbox" VALUES(4,6,3,1,0);
INSERT INTO "matchbox" VALUES(4,6,5,1,0);
INSERT INTO "matchbox" VALUES(4,7,1,1,0);
INSERT INTO "matchbox" VALUES(4,7,2,1,1);
INSERT INTO "matchbox" VALUES(4,7,3,1,1);
INSERT INTO "matchbox" VALUES(4,7,4,1,1);
INSERT INTO "matchbox" VALUES(4,8,2,1,29);
INSERT INTO "matchbox" VALUES(4,8,3,1,35);
INSERT INTO "matchbox" VALUES(4,8,4,1,41);
INSERT INTO "matchbox" VALUES(4,8,5,1,49);
INSERT INTO "matchbox" VALUES(4,9,1,1,41);
INSERT INTO "matchbox" VALUES(4,9,2,1,29);
INSERT INTO "matchbox" VALUES(4,9,3,1,40);
INSERT INTO "matchbox" VALUES(4,9,5,1,39);
INSERT INTO "matchbox" VALUES(4,10,0,1,47);
INSERT INTO "matchbox" VALUES(4,10,3,1,47);
INSERT INTO "matchbox" VALUES(4,33,1,1,0);
INSERT INTO "matchbox" VALUES(4,33,4,1,1);
INSERT INTO "matchbox" VALUES(4,34,1,1,0);
INSERT INTO "matchbox" VALUES(5,1,1,0,1);
INSERT INTO "matchbox" VALUES(5,1,2,0,1);
INSERT INTO "matchbox" VALUES(5,1,3,0,1);
INSERT INTO "matchbox" VALUES(5,1,4,0,1);
INSERT INTO "matchbox" VALUES(5,1,5,0,1);
INSERT INTO "matchbox" VALUES(5,2,0,0,1);
INSERT INTO "matchbox" VALUES(5,2,3,0,1);
INSERT INTO "matchbox" VALUES(5,2,4,0,1);
INSERT INTO "matchbox" VALUES(5,15,3,1,0);
INSERT INTO "matchbox" VALUES(5,15,4,1,0);
INSERT INTO "matchbox" VALUES(5,18,2,1,0);
INSERT INTO "matchbox" VALUES(5,18,3,1,0);
INSERT INTO "matchbox" VALUES(5,18,4,1,0);
INSERT INTO "matchbox" VALUES(5,19,1,1,0);
INSERT INTO "matchbox" VALUES(5,19,4,1,0);
INSERT INTO "matchbox" VALUES(5,19,5,0,1);
INSERT INTO "matchbox" VALUES(5,20,1,1,0);
INSERT INTO "matchbox" VALUES(5,20,3,1,0);
INSERT INTO "matchbox" VALUES(5,23,1,1,0);
INSERT INTO "matchbox" VALUES(5,23,3,1,0);
INSERT INTO "matchbox" VALUES(5,23,4,1,0);
INSERT INTO "matchbox" VALUES(6,1,1,1,13);
INSERT INTO "matchbox" VALUES(6,1,2,1,16);
INSERT INTO "matchbox" VALUES(6,1,3,1,15);
INSERT INTO "matchbox" VALUES(6,1,4,1,16);
INSERT INTO "matchbox" VALUES(6,1,5,1,15);
INSERT INTO "matchbox" VALUES(6,2,0,1,12);
INSERT INTO "matchbox" VALUES(6,2,3,1,15);
INSERT INTO "matchbox" VALUES(6,2,4,1,8);
INSERT INTO "matchbox" VALUES(6,15,3,2,0);
INSERT INTO "matchbox" VALUES(6,15,4,4,1);
INSERT INTO "matchbox" VALUES(6,18,2,2,0);
INSERT INTO "matchbox" VALUES(6,18,3,2,0);
INSERT INTO "matchbox" VALUES(6,18,4,6,2);
INSERT INTO "matchbox" VALUES(6,19,1,2,0);
INSERT INTO "matchbox" VALUES(6,19,4,6,2);
INSERT INTO "matchbox" VALUES(6,19,5,2,0);
INSERT INTO "matchbox" VALUES(6,20,1,6,2);
INSERT INTO "matchbox" VALUES(6,20,3,2,0);
INSERT INTO "matchbox" VALUES(6,23,1,2,0);
INSERT INTO "matchbox" VALUES(6,23,3,1,1);
INSERT INTO "matchbox" VALUES(6,23,4,12,5);
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
INSERT INTO "move" VALUES(0,0,1,4,1,1);
INSERT INTO "move" VALUES(0,1,2,2,1,1);
INSERT INTO "move" VALUES(1,1,3,1,1,1);
INSERT INTO "move" VALUES(1,2,4,1,1,1);
INSERT INTO "move" VALUES(1,3,5,1,1,1);
INSERT INTO "move" VALUES(1,4,6,1,1,1);
INSERT INTO "move" VALUES(1,5,7,1,1,1);
INSERT INTO "move" VALUES(2,0,8,2,1,1);
INSERT INTO "move" VALUES(2,3,9,2,1,1);
INSERT INTO "move" VALUES(2,4,10,1,1,1);
INSERT INTO "move" VALUES(3,2,15,1,-1,0);
INSERT INTO "move" VALUES(3,3,16,1,1,1);
INSERT INTO "move" VALUES(3,4,17,1,1,1);
INSERT INTO "move" VALUES(3,5,18,1,-1,0);
INSERT INTO "move" VALUES(4,1,11,1,1,1);
INSERT INTO "move" VALUES(4,3,21,1,1,1);
INSERT INTO "move" VALUES(4,4,22,1,1,1);
INSERT INTO "move" VALUES(4,5,23,1,-1,0);
INSERT INTO "move" VALUES(5,1,12,1,1,1);
INSERT INTO "move" VALUES(5,2,19,1,-1,0);
INSERT INTO "move" VALUES(5,4,24,1,1,1);
INSERT INTO "move" VALUES(5,5,23,1,-1,0);
INSERT INTO "move" VALUES(6,1,13,1,1,1);
INSERT INTO "move" VALUES(6,2,20,1,-1,0);
INSERT INTO "move" VALUES(6,3,16,1,1,1);
INSERT INTO "move" VALUES(6,5,18,1,-1,0);
INSERT INTO "move" VALUES(7,1,14,1,1,1);
INSERT INTO "move" VALUES(7,2,19,1,-1,0);
INSERT INTO "move" VALUES(7,3,21,1,1,1);
INSERT INTO "move" VALUES(7,4,25,1,1,1);
INSERT INTO "move" VALUES(8,2,11,1,1,1);
INSERT INTO "move" VALUES(8,3,24,1,1,1);
INSERT INTO "move" VALUES(8,4,26,1,1,1);
INSERT INTO "move" VALUES(8,5,25,1,1,1);
INSERT INTO "move" VALUES(9,1,26,1,1,1);
INSERT INTO "move" VALUES(9,2,22,1,1,1);
INSERT INTO "move" VALUES(9,3,12,1,1,1);
INSERT INTO "move" VALUES(9,5,14,1,1,1);
INSERT INTO "move" VALUES(10,0,13,2,1,1);
INSERT INTO "move" VALUES(10,3,17,2,1,1);
INSERT INTO "move" VALUES(15,3,27,2,-1,1);
INSERT INTO "move" VALUES(15,4,28,1,-1,1);
INSERT INTO "move" VALUES(18,2,29,1,-1,1);
INSERT INTO "move" VALUES(18,3,30,1,-1,1);
INSERT INTO "move" VALUES(18,4,31,1,-1,1);
INSERT INTO "move" VALUES(19,1,27,1,-1,1);
INSERT INTO "move" VALUES(19,4,32,1,-1,1);
INSERT INTO "move" VALUES(19,5,33,1,1,0);
INSERT INTO "move" VALUES(20,1,28,1,-1,1);
INSERT INTO "move" VALUES(20,3,32,2,-1,1);
INSERT INTO "move" VALUES(23,1,29,1,-1,1);
INSERT INTO "move" VALUES(23,3,34,1,1,0);
INSERT INTO "move" VALUES(23,4,30,1,-1,1);
INSERT INTO "move" VALUES(33,1,35,1,1,1);
INSERT INTO "move" VALUES(33,4,37,1,1,1);
INSERT INTO "move" VALUES(34,1,36,2,1,1);
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
INSERT INTO "position" VALUES(0,'......',0,'X',NULL,1,1,3);
INSERT INTO "position" VALUES(1,'X.....',1,'O',NULL,4,1,2);
INSERT INTO "position" VALUES(2,'.X....',1,'O',NULL,2,1,2);
INSERT INTO "position" VALUES(3,'XO....',2,'X',NULL,4,1,1);
INSERT INTO "position" VALUES(4,'X.O...',2,'X',NULL,4,1,1);
INSERT INTO "position" VALUES(5,'X..O..',2,'X',NULL,4,1,1);
INSERT INTO "position" VALUES(6,'X...O.',2,'X',NULL,4,1,1);
INSERT INTO "position" VALUES(7,'X....O',2,'X',NULL,4,1,1);
INSERT INTO "position" VALUES(8,'OX....',2,'X',NULL,4,1,1);
INSERT INTO "position" VALUES(9,'O...X.',2,'X',NULL,4,1,1);
INSERT INTO "position" VALUES(10,'.X..O.',2,'X',NULL,2,1,1);
INSERT INTO "position" VALUES(11,'XXO...',3,NULL,'X',4,1,0);
INSERT INTO "position" VALUES(12,'XX.O..',3,NULL,'X',4,1,0);
INSERT INTO "position" VALUES(13,'XX..O.',3,NULL,'X',4,1,0);
INSERT INTO "position" VALUES(14,'XX...O',3,NULL,'X',4,1,0);
INSERT INTO "position" VALUES(15,'XOX...',3,'O',NULL,2,-1,1);
INSERT INTO "position" VALUES(16,'XO.X..',3,NULL,'X',4,1,0);
INSERT INTO "position" VALUES(17,'XO..X.',3,NULL,'X',4,1,0);
INSERT INTO "position" VALUES(18,'XO...X',3,'O',NULL,4,-1,1);
INSERT INTO "position" VALUES(19,'X.XO..',3,'O',NULL,4,-1,1);
INSERT INTO "position" VALUES(20,'X.X.O.',3,'O',NULL,2,-1,1);
INSERT INTO "position" VALUES(21,'X.OX..',3,NULL,'X',4,1,0);
INSERT INTO "position" VALUES(22,'X.O.X.',3,NULL,'X',4,1,0);
INSERT INTO "position" VALUES(23,'X.O..X',3,'O',NULL,4,-1,1);
INSERT INTO "position" VALUES(24,'X..OX.',3,NULL,'X',4,1,0);
INSERT INTO "position" VALUES(25,'X...XO',3,NULL,'X',4,1,0);
INSERT INTO "position" VALUES(26,'OX..X.',3,NULL,'X',4,1,0);
INSERT INTO "position" VALUES(27,'XOXO..',4,NULL,'O',4,-1,0);
INSERT INTO "position" VALUES(28,'XOX.O.',4,NULL,'O',2,-1,0);
INSERT INTO "position" VALUES(29,'XOO..X',4,NULL,'O',4,-1,0);
INSERT INTO "position" VALUES(30,'XO.O.X',4,NULL,'O',4,-1,0);
INSERT INTO "position" VALUES(31,'XO..OX',4,NULL,'O',2,-1,0);
INSERT INTO "position" VALUES(32,'X.XOO.',4,NULL,'O',4,-1,0);
INSERT INTO "position" VALUES(33,'X.XO.O',4,'X',NULL,2,1,1);
INSERT INTO "position" VALUES(34,'X.OO.X',4,'X',NULL,2,1,1);
INSERT INTO "position" VALUES(35,'XXXO.O',5,NULL,'X',2,1,0);
INSERT INTO "position" VALUES(36,'XXOO.X',5,NULL,'X',4,1,0);
INSERT INTO "position" VALUES(37,'X.XOXO',5,NULL,'X',2,1,0);
CREATE TABLE rules (
    -- the game of this database; exactly one row
    name     TEXT NOT NULL, -- the game, such as tictactoe
    variant  TEXT NOT NULL, -- which member of its family, such as 3x3x3
    symmetry TEXT NOT NULL CHECK (symmetry IN ('full', 'none')) -- full: a position joins all images of a board
) STRICT;
INSERT INTO "rules" VALUES('tictactoe','2x3x2','full');
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
INSERT INTO "run" VALUES(1,'train','beads','code',1,2,1,1,60,60,3,'{}','0.1.0','2026-11-22T14:54:50Z','2026-11-22T14:54:50Z');
INSERT INTO "run" VALUES(2,'train','beads','code',1,2,1,1,50,50,4,'{}','0.1.0','2026-11-22T14:54:52Z','2026-11-22T14:54:52Z');
INSERT INTO "run" VALUES(3,'selfplay','beads','values',1,3,1,1,20,20,5,'{}','0.1.0','2026-11-22T14:54:54Z','2026-11-22T14:54:54Z');
INSERT INTO "run" VALUES(4,'copy','nobody','code copied',NULL,6,0,1,0,0,0,'{"copied_from": 2}','0.1.0','2026-11-22T14:54:58Z','2026-11-22T14:54:58Z');
INSERT INTO "run" VALUES(5,'train','frail','random',4,NULL,1,0,400,400,1,'{}','0.1.0','2026-11-22T14:55:00Z','2026-11-22T14:55:01Z');
INSERT INTO "run" VALUES(6,'train','frail','perfect',4,NULL,1,0,5,5,2,'{"go_on": true}','0.1.0','2026-11-22T14:55:04Z','2026-11-22T14:55:04Z');
INSERT INTO "run" VALUES(7,'train','random','late',NULL,5,0,1,400,9,1,'{}','0.1.0','2026-11-22T14:55:06Z','2026-11-22T14:55:07Z');
INSERT INTO "run" VALUES(8,'play','beads','human',1,NULL,1,0,1,1,1,'{"person": "Anna"}','0.1.0','2026-11-22T14:55:09Z','2026-11-22T14:55:09Z');
INSERT INTO "run" VALUES(9,'play','human','code',NULL,2,0,1,1,1,1,'{}','0.1.0','2026-11-22T14:55:10Z','2026-11-22T14:55:10Z');
INSERT INTO "run" VALUES(10,'play','beads','human',1,NULL,1,0,1,1,2,'{"person": "Anna"}','0.1.0','2026-11-22T14:55:12Z','2026-11-22T14:55:12Z');
INSERT INTO "run" VALUES(11,'play','human','code',NULL,2,0,1,1,1,2,'{}','0.1.0','2026-11-22T14:55:13Z','2026-11-22T14:55:13Z');
INSERT INTO "run" VALUES(12,'play','beads','human',1,NULL,1,0,1,1,3,'{"person": "Anna"}','0.1.0','2026-11-22T14:55:14Z','2026-11-22T14:55:14Z');
INSERT INTO "run" VALUES(13,'play','human','code',NULL,2,0,1,1,1,3,'{}','0.1.0','2026-11-22T14:55:15Z','2026-11-22T14:55:15Z');
INSERT INTO "run" VALUES(14,'train','beads','code',1,2,1,1,300,100,12,'{}','0.1.0','2026-11-22T14:55:17Z',NULL);
CREATE TABLE state_value (
    -- what a learner that values positions expects of one
    learner_id  INTEGER NOT NULL REFERENCES learner (learner_id), -- the learner
    position_id INTEGER NOT NULL REFERENCES position (position_id), -- the position
    value       REAL    NOT NULL CHECK (abs(value) < 9e999), -- finite; its settings say what a win is worth
    updates     INTEGER NOT NULL DEFAULT 0 CHECK (updates >= 0), -- how often it was learned from
    PRIMARY KEY (learner_id, position_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "state_value" VALUES(3,0,4.64287459013062508983e-01,20);
INSERT INTO "state_value" VALUES(3,1,4.26847995418977887993e-01,14);
INSERT INTO "state_value" VALUES(3,2,4.64377049999999957918e-01,6);
INSERT INTO "state_value" VALUES(3,3,0.368145,4);
INSERT INTO "state_value" VALUES(3,4,3.64500000000000046185e-01,3);
INSERT INTO "state_value" VALUES(3,5,3.64500000000000046185e-01,3);
INSERT INTO "state_value" VALUES(3,6,0.405,2);
INSERT INTO "state_value" VALUES(3,7,0.405,2);
INSERT INTO "state_value" VALUES(3,8,0.405,2);
INSERT INTO "state_value" VALUES(3,9,0.405,2);
INSERT INTO "state_value" VALUES(3,10,0.405,2);
INSERT INTO "state_value" VALUES(3,15,0.55,1);
INSERT INTO "state_value" VALUES(3,18,0.5,0);
INSERT INTO "state_value" VALUES(3,19,0.5,0);
INSERT INTO "state_value" VALUES(3,20,0.5,0);
INSERT INTO "state_value" VALUES(3,23,0.5,0);
INSERT INTO "state_value" VALUES(3,33,0.5,0);
INSERT INTO "state_value" VALUES(3,34,0.5,0);
CREATE UNIQUE INDEX rules_has_one_row ON rules ((1));
CREATE INDEX block_by_run ON block (run_id);
CREATE INDEX evaluation_by_learner ON evaluation (learner_id, learner_games);
CREATE VIEW matchbox_contents AS
SELECT
    learner.name AS learner,
    learner.plays,
    matchbox.box,
    position.ply / 2 + 1 AS stage,
    matchbox.position_id,
    position.board,
    position.ply,
    matchbox.action,
    move.multiplicity,
    matchbox.beads,
    -- NULL in an empty box: nothing divided by nothing.
    1.0 * matchbox.beads / (
        SELECT nullif(sum(pile.beads), 0)
        FROM matchbox AS pile
        WHERE pile.learner_id = matchbox.learner_id AND pile.position_id = matchbox.position_id
    ) AS share,
    matchbox.picked,
    CASE move.minimax * iif(learner.plays = 'X', 1, -1)
        WHEN 1 THEN 'wins'
        WHEN 0 THEN 'draws'
        ELSE 'loses'
    END AS verdict,
    move.optimal
FROM (
    -- The number on the label: positions are numbered by ply, and so are boxes.
    SELECT *, dense_rank() OVER (PARTITION BY learner_id ORDER BY position_id) AS box
    FROM matchbox
) AS matchbox
JOIN learner ON learner.learner_id = matchbox.learner_id AND learner.deleted_at IS NULL
JOIN position ON position.position_id = matchbox.position_id
JOIN move ON move.position_id = matchbox.position_id AND move.action = matchbox.action;
CREATE VIEW boxes AS
SELECT
    learner.name AS learner,
    learner.plays,
    box.box,
    position.ply / 2 + 1 AS stage,
    box.position_id,
    position.board,
    position.ply,
    box.beads,
    box.colours,
    box.colours_left,
    box.opened,
    favourite.action AS favourite,
    1.0 * favourite.beads / box.beads AS favourite_share,
    CASE move.minimax * iif(learner.plays = 'X', 1, -1)
        WHEN 1 THEN 'wins'
        WHEN 0 THEN 'draws'
        WHEN -1 THEN 'loses'
    END AS favourite_verdict,
    move.optimal AS favourite_optimal
FROM (
    SELECT
        learner_id,
        position_id,
        sum(beads) AS beads,
        count(*) AS colours,
        sum(beads > 0) AS colours_left,
        sum(picked) AS opened,
        row_number() OVER (PARTITION BY learner_id ORDER BY position_id) AS box
    FROM matchbox
    GROUP BY learner_id, position_id
) AS box
JOIN learner ON learner.learner_id = box.learner_id AND learner.deleted_at IS NULL
JOIN position ON position.position_id = box.position_id
LEFT JOIN matchbox AS favourite
    ON favourite.learner_id = box.learner_id
    AND favourite.position_id = box.position_id
    AND favourite.action = (
        SELECT pile.action
        FROM matchbox AS pile
        WHERE pile.learner_id = box.learner_id AND pile.position_id = box.position_id AND pile.beads > 0
        ORDER BY pile.beads DESC, pile.action
        LIMIT 1
    )
LEFT JOIN move ON move.position_id = favourite.position_id AND move.action = favourite.action;
CREATE VIEW learning_curve AS
SELECT
    learner.name AS learner,
    evaluation.learner_games AS games,
    evaluation.policy,
    evaluation.opponent,
    evaluation.win,
    evaluation.draw,
    evaluation.loss,
    evaluation.win - evaluation.loss AS value,
    block.run_id,
    evaluation.block_id
FROM evaluation
JOIN learner ON learner.learner_id = evaluation.learner_id AND learner.deleted_at IS NULL
JOIN block ON block.block_id = evaluation.block_id
WHERE block.block_id NOT IN (SELECT coalesce(json_extract(options, '$.takes_back'), 0) FROM run WHERE kind = 'forget');
CREATE VIEW game_changes AS
SELECT
    change.game_id,
    learner.name AS learner,
    learner.plays,
    change.ply,
    change.position_id,
    position.board,
    change.action,
    change.before,
    change.put_back,
    change.after - change.before - change.put_back AS learned,
    change.after,
    block.created_at
FROM change
JOIN game ON game.game_id = change.game_id
JOIN block ON block.block_id = game.block_id
JOIN learner ON learner.learner_id = change.learner_id
JOIN position ON position.position_id = change.position_id;
CREATE INDEX move_by_next_position ON move (next_position_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('learner',6);
INSERT INTO "sqlite_sequence" VALUES('block',62);
COMMIT;
