-- A database of schema 6, as menace wrote it before 0.1.0: that of schema-5.sql, brought up to date by that menace, with two
-- machines that came in with what they had learned elsewhere. Dumped by Python's sqlite3 (`iterdump`); never written again,
-- so that the way from that format stays tested.
PRAGMA application_id = 1296974661;
PRAGMA user_version = 6;
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
INSERT INTO "action_value" VALUES(4,0,0,4.70721828263081065735e-01,46);
INSERT INTO "action_value" VALUES(4,0,1,1.00000000000000019428e-02,4);
INSERT INTO "action_value" VALUES(4,3,2,-0.1,1);
INSERT INTO "action_value" VALUES(4,3,3,5.69532790000000121999e-01,8);
INSERT INTO "action_value" VALUES(4,3,4,0.0,0);
INSERT INTO "action_value" VALUES(4,3,5,0.0,0);
INSERT INTO "action_value" VALUES(4,4,1,0.0,0);
INSERT INTO "action_value" VALUES(4,4,3,0.0,0);
INSERT INTO "action_value" VALUES(4,4,4,5.69532790000000121999e-01,8);
INSERT INTO "action_value" VALUES(4,4,5,0.0,0);
INSERT INTO "action_value" VALUES(4,5,1,0.0,0);
INSERT INTO "action_value" VALUES(4,5,2,0.0,0);
INSERT INTO "action_value" VALUES(4,5,4,5.69532790000000121999e-01,8);
INSERT INTO "action_value" VALUES(4,5,5,0.0,0);
INSERT INTO "action_value" VALUES(4,6,1,6.51321559900000068843e-01,10);
INSERT INTO "action_value" VALUES(4,6,2,-0.19,2);
INSERT INTO "action_value" VALUES(4,6,3,0.0,0);
INSERT INTO "action_value" VALUES(4,6,5,0.0,0);
INSERT INTO "action_value" VALUES(4,7,1,5.69532790000000121999e-01,8);
INSERT INTO "action_value" VALUES(4,7,2,-0.1,1);
INSERT INTO "action_value" VALUES(4,7,3,0.0,0);
INSERT INTO "action_value" VALUES(4,7,4,0.0,0);
INSERT INTO "action_value" VALUES(4,8,2,0.0,0);
INSERT INTO "action_value" VALUES(4,8,3,0.1,1);
INSERT INTO "action_value" VALUES(4,8,4,0.0,0);
INSERT INTO "action_value" VALUES(4,8,5,0.1,1);
INSERT INTO "action_value" VALUES(4,9,1,0.1,1);
INSERT INTO "action_value" VALUES(4,9,2,0.0,0);
INSERT INTO "action_value" VALUES(4,9,3,0.0,0);
INSERT INTO "action_value" VALUES(4,9,5,0.0,0);
INSERT INTO "action_value" VALUES(4,10,0,0.1,1);
INSERT INTO "action_value" VALUES(4,10,3,0.0,0);
INSERT INTO "action_value" VALUES(4,33,1,0.0,0);
INSERT INTO "action_value" VALUES(4,33,4,0.0,0);
INSERT INTO "action_value" VALUES(4,34,1,0.0,0);
INSERT INTO "action_value" VALUES(8,1,1,0.0,0);
INSERT INTO "action_value" VALUES(8,1,2,0.0,0);
INSERT INTO "action_value" VALUES(8,1,3,-0.1,1);
INSERT INTO "action_value" VALUES(8,1,4,0.0,0);
INSERT INTO "action_value" VALUES(8,1,5,0.0,0);
INSERT INTO "action_value" VALUES(8,2,0,0.0,0);
INSERT INTO "action_value" VALUES(8,2,3,0.0,0);
INSERT INTO "action_value" VALUES(8,2,4,0.0,0);
INSERT INTO "action_value" VALUES(8,15,3,0.0,0);
INSERT INTO "action_value" VALUES(8,15,4,0.0,0);
INSERT INTO "action_value" VALUES(8,18,2,0.0,0);
INSERT INTO "action_value" VALUES(8,18,3,0.0,0);
INSERT INTO "action_value" VALUES(8,18,4,0.0,0);
INSERT INTO "action_value" VALUES(8,19,1,0.0,0);
INSERT INTO "action_value" VALUES(8,19,4,0.0,0);
INSERT INTO "action_value" VALUES(8,19,5,0.0,0);
INSERT INTO "action_value" VALUES(8,20,1,0.0,0);
INSERT INTO "action_value" VALUES(8,20,3,0.0,0);
INSERT INTO "action_value" VALUES(8,23,1,0.0,0);
INSERT INTO "action_value" VALUES(8,23,3,0.0,0);
INSERT INTO "action_value" VALUES(8,23,4,0.0,0);
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
INSERT INTO "adjustment" VALUES(46,1,0,0,103,108);
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
INSERT INTO "block" VALUES(1,1,'games',0,0,0,0,0,0,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(2,1,'games',1,1,0,0,0,3,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(3,1,'games',1,1,0,0,3,3,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(4,1,'games',3,3,0,0,6,11,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(5,1,'games',5,4,0,1,17,16,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(6,1,'games',10,7,0,3,33,33,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(7,1,'games',30,26,0,4,66,94,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(8,1,'games',10,9,0,1,160,31,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(9,2,'games',0,0,0,0,0,0,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(10,2,'games',1,1,0,0,0,3,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(11,2,'games',1,0,0,1,3,4,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(12,2,'games',3,2,0,1,7,10,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(13,2,'games',5,4,0,1,17,16,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(14,2,'games',10,10,0,0,33,30,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(15,2,'games',30,29,0,1,63,91,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(16,3,'copy',0,0,0,0,0,0,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(17,4,'games',0,0,0,0,0,0,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(18,4,'games',1,1,0,0,0,3,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(19,4,'games',1,1,0,0,3,3,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(20,4,'games',3,3,0,0,6,9,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(21,4,'games',5,4,0,1,15,18,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(22,4,'games',10,10,0,0,33,30,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(23,4,'games',30,30,0,0,63,90,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(24,4,'games',50,50,0,0,153,150,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(25,4,'games',100,100,0,0,303,300,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(26,4,'games',200,200,0,0,603,600,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(27,5,'games',0,0,0,0,0,0,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(28,5,'games',1,1,0,0,0,3,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(29,5,'games',1,1,0,0,3,3,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(30,5,'games',3,3,0,0,6,9,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(31,6,'games',0,0,0,0,0,0,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(32,6,'games',9,9,0,0,0,27,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(33,6,'ruin',0,0,0,0,27,0,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(34,7,'human',0,0,0,0,0,0,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(35,7,'human',1,1,0,0,0,2,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(36,8,'human',0,0,0,0,0,0,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(37,8,'human',1,1,0,0,0,1,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(38,9,'human',0,0,0,0,0,0,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(39,9,'human',1,1,0,0,0,2,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(40,10,'human',0,0,0,0,0,0,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(41,10,'human',1,1,0,0,0,1,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(42,11,'human',0,0,0,0,0,0,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(43,11,'human',1,1,0,0,0,2,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(44,12,'human',0,0,0,0,0,0,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(45,12,'human',1,1,0,0,0,1,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(46,13,'recount',0,0,0,0,0,0,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(47,14,'games',0,0,0,0,0,0,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(48,14,'games',1,1,0,0,0,3,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(49,14,'games',1,1,0,0,3,3,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(50,14,'games',3,3,0,0,6,9,'2026-11-22T18:53:30Z');
INSERT INTO "block" VALUES(51,14,'games',5,5,0,0,15,15,'2026-11-22T18:53:31Z');
INSERT INTO "block" VALUES(52,14,'games',10,10,0,0,30,30,'2026-11-22T18:53:31Z');
INSERT INTO "block" VALUES(53,14,'games',30,30,0,0,60,90,'2026-11-22T18:53:31Z');
INSERT INTO "block" VALUES(54,14,'games',50,48,0,2,150,152,'2026-11-22T18:53:31Z');
INSERT INTO "block" VALUES(55,15,'games',0,0,0,0,0,0,'2026-11-22T20:45:47Z');
INSERT INTO "block" VALUES(56,15,'games',1,1,0,0,0,3,'2026-11-22T20:45:47Z');
INSERT INTO "block" VALUES(57,15,'games',1,0,0,1,3,4,'2026-11-22T20:45:47Z');
INSERT INTO "block" VALUES(58,15,'games',3,0,0,3,7,12,'2026-11-22T20:45:47Z');
INSERT INTO "block" VALUES(59,15,'games',5,0,0,5,19,20,'2026-11-22T20:45:47Z');
INSERT INTO "block" VALUES(60,16,'import',0,0,0,0,0,0,'2026-11-23T03:34:34Z');
INSERT INTO "block" VALUES(61,17,'import',0,0,0,0,0,0,'2026-11-23T03:34:34Z');
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
INSERT INTO "change" VALUES(1,1,0,0,0,100,0,103);
INSERT INTO "change" VALUES(1,1,2,4,3,21,0,24);
INSERT INTO "change" VALUES(2,2,1,1,2,2.0,0,1.0);
INSERT INTO "change" VALUES(3,1,0,0,1,52,0,55);
INSERT INTO "change" VALUES(3,1,2,8,2,9,0,12);
INSERT INTO "change" VALUES(5,1,0,0,1,55,0,58);
INSERT INTO "change" VALUES(5,1,2,8,2,12,0,15);
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
INSERT INTO "evaluation" VALUES(1,1,0,'behaviour','optimal',0.8,0.0,1.99999999999999983346e-01);
INSERT INTO "evaluation" VALUES(1,1,0,'behaviour','random',8.33333333333333259318e-01,0.0,1.6666666666666668517e-01);
INSERT INTO "evaluation" VALUES(1,1,0,'greedy','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(1,1,0,'greedy','optimal',7.33333333333333392545e-01,0.0,2.66666666666666607454e-01);
INSERT INTO "evaluation" VALUES(1,1,0,'greedy','random',7.77777777777777679091e-01,0.0,2.22222222222222237641e-01);
INSERT INTO "evaluation" VALUES(1,2,0,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(1,2,0,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(1,2,0,'behaviour','random',2.22222222222222237641e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(1,2,0,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(1,2,0,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(1,2,0,'greedy','random',2.22222222222222237641e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(2,1,1,'behaviour','best',8.18181818181818232282e-01,0.0,1.81818181818181823228e-01);
INSERT INTO "evaluation" VALUES(2,1,1,'behaviour','optimal',8.5454545454545460803e-01,0.0,1.4545454545454544748e-01);
INSERT INTO "evaluation" VALUES(2,1,1,'behaviour','random',8.78787878787878784514e-01,0.0,1.21212121212121229363e-01);
INSERT INTO "evaluation" VALUES(2,1,1,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(2,1,1,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(2,1,1,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(2,2,1,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(2,2,1,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(2,2,1,'behaviour','random',2.22222222222222237641e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(2,2,1,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(2,2,1,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(2,2,1,'greedy','random',2.22222222222222237641e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(3,1,2,'behaviour','best',8.57142857142857095276e-01,0.0,1.42857142857142849212e-01);
INSERT INTO "evaluation" VALUES(3,1,2,'behaviour','optimal',8.8571428571428567622e-01,0.0,1.14285714285714268267e-01);
INSERT INTO "evaluation" VALUES(3,1,2,'behaviour','random',9.04761904761904656169e-01,0.0,9.52380952380952466862e-02);
INSERT INTO "evaluation" VALUES(3,1,2,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(3,1,2,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(3,1,2,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(3,2,2,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(3,2,2,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(3,2,2,'behaviour','random',2.22222222222222237641e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(3,2,2,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(3,2,2,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(3,2,2,'greedy','random',2.22222222222222237641e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(4,1,5,'behaviour','best',7.39130434782608647381e-01,0.0,2.60869565217391297107e-01);
INSERT INTO "evaluation" VALUES(4,1,5,'behaviour','optimal',8.21739130434782527601e-01,0.0,1.78260869565217416887e-01);
INSERT INTO "evaluation" VALUES(4,1,5,'behaviour','random',8.52173913043478337137e-01,0.0,1.47826086956521746129e-01);
INSERT INTO "evaluation" VALUES(4,1,5,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(4,1,5,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(4,1,5,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(4,2,5,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(4,2,5,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(4,2,5,'behaviour','random',2.77777777777777734602e-01,0.0,7.22222222222222098864e-01);
INSERT INTO "evaluation" VALUES(4,2,5,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(4,2,5,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(4,2,5,'greedy','random',2.77777777777777734602e-01,0.0,7.22222222222222098864e-01);
INSERT INTO "evaluation" VALUES(5,1,10,'behaviour','best',6.29411764705882337267e-01,0.0,3.70588235294117607221e-01);
INSERT INTO "evaluation" VALUES(5,1,10,'behaviour','optimal',7.87820069204152373387e-01,0.0,2.12179930795847793145e-01);
INSERT INTO "evaluation" VALUES(5,1,10,'behaviour','random',8.25605536332179923419e-01,0.0,1.74394463667820104335e-01);
INSERT INTO "evaluation" VALUES(5,1,10,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(5,1,10,'greedy','optimal',0.8,0.0,0.2);
INSERT INTO "evaluation" VALUES(5,1,10,'greedy','random',8.66666666666666696272e-01,0.0,1.33333333333333331482e-01);
INSERT INTO "evaluation" VALUES(5,2,10,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(5,2,10,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(5,2,10,'behaviour','random',2.44444444444444464181e-01,0.0,7.55555555555555535818e-01);
INSERT INTO "evaluation" VALUES(5,2,10,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(5,2,10,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(5,2,10,'greedy','random',2.44444444444444464181e-01,0.0,7.55555555555555535818e-01);
INSERT INTO "evaluation" VALUES(6,1,20,'behaviour','best',7.2307692307692306155e-01,0.0,2.76923076923076938449e-01);
INSERT INTO "evaluation" VALUES(6,1,20,'behaviour','optimal',0.811923076923077,0.0,1.88076923076923113731e-01);
INSERT INTO "evaluation" VALUES(6,1,20,'behaviour','random',8.40769230769230824229e-01,0.0,1.59230769230769231281e-01);
INSERT INTO "evaluation" VALUES(6,1,20,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(6,1,20,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(6,1,20,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(6,2,20,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(6,2,20,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(6,2,20,'behaviour','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(6,2,20,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(6,2,20,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(6,2,20,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(7,1,50,'behaviour','best',8.56797791580400147637e-01,0.0,1.43202208419599713584e-01);
INSERT INTO "evaluation" VALUES(7,1,50,'behaviour','optimal',9.04733378939900578785e-01,0.0,9.5266621060099310192e-02);
INSERT INTO "evaluation" VALUES(7,1,50,'behaviour','random',9.2101720582155355288e-01,0.0,7.89827941784463499752e-02);
INSERT INTO "evaluation" VALUES(7,1,50,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(7,1,50,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(7,1,50,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(7,2,50,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(7,2,50,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(7,2,50,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(7,2,50,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(7,2,50,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(7,2,50,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(8,1,60,'behaviour','best',8.56979405034324792644e-01,0.0,1.43020594965675040821e-01);
INSERT INTO "evaluation" VALUES(8,1,60,'behaviour','optimal',9.16106393645009120518e-01,0.0,0.0838936063549908);
INSERT INTO "evaluation" VALUES(8,1,60,'behaviour','random',0.930200315061585,0.0,0.0697996849384149);
INSERT INTO "evaluation" VALUES(8,1,60,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(8,1,60,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(8,1,60,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(8,2,60,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(8,2,60,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(8,2,60,'behaviour','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(8,2,60,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(8,2,60,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(8,2,60,'greedy','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(9,3,0,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(9,3,0,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(9,3,0,'behaviour','random',2.66222222232156302546e-01,0.0,7.33777777767843586431e-01);
INSERT INTO "evaluation" VALUES(9,3,0,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(9,3,0,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(9,3,0,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(9,4,0,'behaviour','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(9,4,0,'behaviour','optimal',7.33333333333333281522e-01,0.0,2.66666666666666607454e-01);
INSERT INTO "evaluation" VALUES(9,4,0,'behaviour','random',7.77777777777777679091e-01,0.0,2.22222222222222237641e-01);
INSERT INTO "evaluation" VALUES(9,4,0,'greedy','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(9,4,0,'greedy','optimal',7.33333333333333392545e-01,0.0,2.66666666666666607454e-01);
INSERT INTO "evaluation" VALUES(9,4,0,'greedy','random',7.77777777777777679091e-01,0.0,2.22222222222222237641e-01);
INSERT INTO "evaluation" VALUES(10,3,1,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(10,3,1,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(10,3,1,'behaviour','random',2.66222222232156302546e-01,0.0,7.33777777767843586431e-01);
INSERT INTO "evaluation" VALUES(10,3,1,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(10,3,1,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(10,3,1,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(10,4,1,'behaviour','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(10,4,1,'behaviour','optimal',7.33333333333333281522e-01,0.0,2.66666666666666607454e-01);
INSERT INTO "evaluation" VALUES(10,4,1,'behaviour','random',7.77777777777777679091e-01,0.0,2.22222222222222237641e-01);
INSERT INTO "evaluation" VALUES(10,4,1,'greedy','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(10,4,1,'greedy','optimal',7.33333333333333392545e-01,0.0,2.66666666666666607454e-01);
INSERT INTO "evaluation" VALUES(10,4,1,'greedy','random',7.77777777777777679091e-01,0.0,2.22222222222222237641e-01);
INSERT INTO "evaluation" VALUES(11,3,2,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(11,3,2,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(11,3,2,'behaviour','random',1.67112222212238425989e-01,0.0,8.32887777787761462988e-01);
INSERT INTO "evaluation" VALUES(11,3,2,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(11,3,2,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(11,3,2,'greedy','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(11,4,2,'behaviour','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(11,4,2,'behaviour','optimal',7.633333333379899166e-01,0.0,2.36666666662010027888e-01);
INSERT INTO "evaluation" VALUES(11,4,2,'behaviour','random',7.97777777780882102476e-01,0.0,2.02222222219117842012e-01);
INSERT INTO "evaluation" VALUES(11,4,2,'greedy','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(11,4,2,'greedy','optimal',7.66666666666666607454e-01,0.0,2.33333333333333309278e-01);
INSERT INTO "evaluation" VALUES(11,4,2,'greedy','random',7.99999999999999933386e-01,0.0,0.2);
INSERT INTO "evaluation" VALUES(12,3,5,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(12,3,5,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(12,3,5,'behaviour','random',2.77112222237073713149e-01,0.0,7.22887777762926231339e-01);
INSERT INTO "evaluation" VALUES(12,3,5,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(12,3,5,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(12,3,5,'greedy','random',2.77777777777777734602e-01,0.0,7.22222222222222098864e-01);
INSERT INTO "evaluation" VALUES(12,4,5,'behaviour','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(12,4,5,'behaviour','optimal',8.23333333347303186755e-01,0.0,1.76666666652696841e-01);
INSERT INTO "evaluation" VALUES(12,4,5,'behaviour','random',8.57777777790195372631e-01,0.0,1.42222222209804571857e-01);
INSERT INTO "evaluation" VALUES(12,4,5,'greedy','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(12,4,5,'greedy','optimal',8.33333333333333259318e-01,0.0,1.66666666666666657414e-01);
INSERT INTO "evaluation" VALUES(12,4,5,'greedy','random',8.66666666666666696272e-01,0.0,1.33333333333333331482e-01);
INSERT INTO "evaluation" VALUES(13,3,10,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(13,3,10,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(13,3,10,'behaviour','random',3.31562222261660655142e-01,0.0,6.68437777738339233835e-01);
INSERT INTO "evaluation" VALUES(13,3,10,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(13,3,10,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(13,3,10,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(13,4,10,'behaviour','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(13,4,10,'behaviour','optimal',0.913333333361273,0.0,8.66666666387269912785e-02);
INSERT INTO "evaluation" VALUES(13,4,10,'behaviour','random',9.37777777802613066171e-01,0.0,6.22222221973869477062e-02);
INSERT INTO "evaluation" VALUES(13,4,10,'greedy','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(13,4,10,'greedy','optimal',9.33333333333333237114e-01,0.0,6.66666666666666657414e-02);
INSERT INTO "evaluation" VALUES(13,4,10,'greedy','random',9.55555555555555491409e-01,0.0,4.44444444444444392017e-02);
INSERT INTO "evaluation" VALUES(14,3,20,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(14,3,20,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(14,3,20,'behaviour','random',2.49337222236949568321e-01,0.0,7.50662777763050348411e-01);
INSERT INTO "evaluation" VALUES(14,3,20,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(14,3,20,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(14,3,20,'greedy','random',0.25,0.0,0.75);
INSERT INTO "evaluation" VALUES(14,4,20,'behaviour','best',9.51666666731859289818e-01,0.0,4.83333332681407518149e-02);
INSERT INTO "evaluation" VALUES(14,4,20,'behaviour','optimal',9.61333333385487542877e-01,0.0,3.86666666145126097786e-02);
INSERT INTO "evaluation" VALUES(14,4,20,'behaviour','random',9.67777777821239526545e-01,0.0,0.0322222221787605);
INSERT INTO "evaluation" VALUES(14,4,20,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(14,4,20,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(14,4,20,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(15,3,50,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(15,3,50,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(15,3,50,'behaviour','random',2.49887222224780242152e-01,0.0,7.5011277777521967458e-01);
INSERT INTO "evaluation" VALUES(15,3,50,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(15,3,50,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(15,3,50,'greedy','random',0.25,0.0,0.75);
INSERT INTO "evaluation" VALUES(15,4,50,'behaviour','best',9.51666666731859289818e-01,0.0,4.83333332681407518149e-02);
INSERT INTO "evaluation" VALUES(15,4,50,'behaviour','optimal',9.61333333385487542877e-01,0.0,3.86666666145126097786e-02);
INSERT INTO "evaluation" VALUES(15,4,50,'behaviour','random',9.67777777821239526545e-01,0.0,0.0322222221787605);
INSERT INTO "evaluation" VALUES(15,4,50,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(15,4,50,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(15,4,50,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(17,5,0,'behaviour','best',0.75,0.0,0.25);
INSERT INTO "evaluation" VALUES(17,5,0,'behaviour','optimal',0.8,0.0,1.99999999999999983346e-01);
INSERT INTO "evaluation" VALUES(17,5,0,'behaviour','random',8.33333333333333259318e-01,0.0,1.6666666666666668517e-01);
INSERT INTO "evaluation" VALUES(17,5,0,'greedy','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(17,5,0,'greedy','optimal',7.33333333333333392545e-01,0.0,2.66666666666666607454e-01);
INSERT INTO "evaluation" VALUES(17,5,0,'greedy','random',7.77777777777777679091e-01,0.0,2.22222222222222237641e-01);
INSERT INTO "evaluation" VALUES(18,5,1,'behaviour','best',0.75,0.0,0.25);
INSERT INTO "evaluation" VALUES(18,5,1,'behaviour','optimal',0.8,0.0,1.99999999999999983346e-01);
INSERT INTO "evaluation" VALUES(18,5,1,'behaviour','random',8.33333333333333259318e-01,0.0,1.6666666666666668517e-01);
INSERT INTO "evaluation" VALUES(18,5,1,'greedy','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(18,5,1,'greedy','optimal',7.33333333333333392545e-01,0.0,2.66666666666666607454e-01);
INSERT INTO "evaluation" VALUES(18,5,1,'greedy','random',7.77777777777777679091e-01,0.0,2.22222222222222237641e-01);
INSERT INTO "evaluation" VALUES(19,5,2,'behaviour','best',0.75,0.0,0.25);
INSERT INTO "evaluation" VALUES(19,5,2,'behaviour','optimal',0.8,0.0,1.99999999999999983346e-01);
INSERT INTO "evaluation" VALUES(19,5,2,'behaviour','random',8.33333333333333259318e-01,0.0,1.6666666666666668517e-01);
INSERT INTO "evaluation" VALUES(19,5,2,'greedy','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(19,5,2,'greedy','optimal',7.33333333333333392545e-01,0.0,2.66666666666666607454e-01);
INSERT INTO "evaluation" VALUES(19,5,2,'greedy','random',7.77777777777777679091e-01,0.0,2.22222222222222237641e-01);
INSERT INTO "evaluation" VALUES(20,5,5,'behaviour','best',0.75,0.0,0.25);
INSERT INTO "evaluation" VALUES(20,5,5,'behaviour','optimal',0.8,0.0,1.99999999999999983346e-01);
INSERT INTO "evaluation" VALUES(20,5,5,'behaviour','random',8.33333333333333259318e-01,0.0,1.6666666666666668517e-01);
INSERT INTO "evaluation" VALUES(20,5,5,'greedy','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(20,5,5,'greedy','optimal',7.33333333333333392545e-01,0.0,2.66666666666666607454e-01);
INSERT INTO "evaluation" VALUES(20,5,5,'greedy','random',7.77777777777777679091e-01,0.0,2.22222222222222237641e-01);
INSERT INTO "evaluation" VALUES(21,5,10,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(21,5,10,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(21,5,10,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(21,5,10,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(21,5,10,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(21,5,10,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(22,5,20,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(22,5,20,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(22,5,20,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(22,5,20,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(22,5,20,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(22,5,20,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(23,5,50,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(23,5,50,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(23,5,50,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(23,5,50,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(23,5,50,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(23,5,50,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(24,5,100,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(24,5,100,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(24,5,100,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(24,5,100,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(24,5,100,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(24,5,100,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(25,5,200,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(25,5,200,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(25,5,200,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(25,5,200,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(25,5,200,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(25,5,200,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(26,5,400,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(26,5,400,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(26,5,400,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(26,5,400,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(26,5,400,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(26,5,400,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(27,5,400,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(27,5,400,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(27,5,400,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(27,5,400,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(27,5,400,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(27,5,400,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(28,5,401,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(28,5,401,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(28,5,401,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(28,5,401,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(28,5,401,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(28,5,401,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(29,5,402,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(29,5,402,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(29,5,402,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(29,5,402,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(29,5,402,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(29,5,402,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(30,5,405,'behaviour','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(30,5,405,'behaviour','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(30,5,405,'behaviour','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(30,5,405,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(30,5,405,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(30,5,405,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(31,6,0,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(31,6,0,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(31,6,0,'behaviour','random',2.22222222222222237641e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(31,6,0,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(31,6,0,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(31,6,0,'greedy','random',2.22222222222222237641e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(33,6,9,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(33,6,9,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(33,6,9,'behaviour','random',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(33,6,9,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(33,6,9,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(33,6,9,'greedy','random',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(34,1,60,'behaviour','best',8.56979405034324792644e-01,0.0,1.43020594965675040821e-01);
INSERT INTO "evaluation" VALUES(34,1,60,'behaviour','optimal',9.16106393645009120518e-01,0.0,0.0838936063549908);
INSERT INTO "evaluation" VALUES(34,1,60,'behaviour','random',0.930200315061585,0.0,0.0697996849384149);
INSERT INTO "evaluation" VALUES(34,1,60,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(34,1,60,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(34,1,60,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(35,1,61,'behaviour','best',0.855539971949509,0.0,1.4446002805049087958e-01);
INSERT INTO "evaluation" VALUES(35,1,61,'behaviour','optimal',9.1553144352141546669e-01,0.0,8.44685564785845333091e-02);
INSERT INTO "evaluation" VALUES(35,1,61,'behaviour','random',9.29677413960513510104e-01,0.0,7.03225860394864621394e-02);
INSERT INTO "evaluation" VALUES(35,1,61,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(35,1,61,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(35,1,61,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(36,2,60,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(36,2,60,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(36,2,60,'behaviour','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(36,2,60,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(36,2,60,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(36,2,60,'greedy','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(37,2,61,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(37,2,61,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(37,2,61,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(37,2,61,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(37,2,61,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(37,2,61,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(38,1,61,'behaviour','best',0.855539971949509,0.0,1.4446002805049087958e-01);
INSERT INTO "evaluation" VALUES(38,1,61,'behaviour','optimal',9.1553144352141546669e-01,0.0,8.44685564785845333091e-02);
INSERT INTO "evaluation" VALUES(38,1,61,'behaviour','random',9.29677413960513510104e-01,0.0,7.03225860394864621394e-02);
INSERT INTO "evaluation" VALUES(38,1,61,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(38,1,61,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(38,1,61,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(39,1,62,'behaviour','best',8.5828288387451834307e-01,0.0,1.41717116125481545907e-01);
INSERT INTO "evaluation" VALUES(39,1,62,'behaviour','optimal',9.17135276872274696202e-01,0.0,8.28647231277253315528e-02);
INSERT INTO "evaluation" VALUES(39,1,62,'behaviour','random',9.31012652935946816157e-01,0.0,6.89873470640531699649e-02);
INSERT INTO "evaluation" VALUES(39,1,62,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(39,1,62,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(39,1,62,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(40,2,61,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(40,2,61,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(40,2,61,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(40,2,61,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(40,2,61,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(40,2,61,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(41,2,62,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(41,2,62,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(41,2,62,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(41,2,62,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(41,2,62,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(41,2,62,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(42,1,62,'behaviour','best',8.5828288387451834307e-01,0.0,1.41717116125481545907e-01);
INSERT INTO "evaluation" VALUES(42,1,62,'behaviour','optimal',9.17135276872274696202e-01,0.0,8.28647231277253315528e-02);
INSERT INTO "evaluation" VALUES(42,1,62,'behaviour','random',9.31012652935946816157e-01,0.0,6.89873470640531699649e-02);
INSERT INTO "evaluation" VALUES(42,1,62,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(42,1,62,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(42,1,62,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(43,1,63,'behaviour','best',0.860923575479341,0.0,1.39076424520658908923e-01);
INSERT INTO "evaluation" VALUES(43,1,63,'behaviour','optimal',9.18679340036145264392e-01,0.0,8.13206599638546662189e-02);
INSERT INTO "evaluation" VALUES(43,1,63,'behaviour','random',9.32298131452668266128e-01,0.0,6.77018685473316783607e-02);
INSERT INTO "evaluation" VALUES(43,1,63,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(43,1,63,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(43,1,63,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(44,2,62,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(44,2,62,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(44,2,62,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(44,2,62,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(44,2,62,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(44,2,62,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(45,2,63,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(45,2,63,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(45,2,63,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(45,2,63,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(45,2,63,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(45,2,63,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(46,1,63,'behaviour','best',8.58564693556836067145e-01,0.0,1.4143530644316396061e-01);
INSERT INTO "evaluation" VALUES(46,1,63,'behaviour','optimal',9.17300056412942876882e-01,0.0,8.26999435870572757734e-02);
INSERT INTO "evaluation" VALUES(46,1,63,'behaviour','random',9.31149836805415742624e-01,0.0,6.88501631945843545201e-02);
INSERT INTO "evaluation" VALUES(46,1,63,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(46,1,63,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(46,1,63,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(47,1,63,'behaviour','best',8.58564693556836067145e-01,0.0,1.4143530644316396061e-01);
INSERT INTO "evaluation" VALUES(47,1,63,'behaviour','optimal',9.17300056412942876882e-01,0.0,8.26999435870572757734e-02);
INSERT INTO "evaluation" VALUES(47,1,63,'behaviour','random',9.31149836805415742624e-01,0.0,6.88501631945843545201e-02);
INSERT INTO "evaluation" VALUES(47,1,63,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(47,1,63,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(47,1,63,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(47,2,63,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(47,2,63,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(47,2,63,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(47,2,63,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(47,2,63,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(47,2,63,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(48,1,64,'behaviour','best',8.57216362233084616661e-01,0.0,1.42783637766915355582e-01);
INSERT INTO "evaluation" VALUES(48,1,64,'behaviour','optimal',9.17233424602153735172e-01,0.0,0.0827665753978463);
INSERT INTO "evaluation" VALUES(48,1,64,'behaviour','random',0.930974649932008,0.0,6.90253500679922082916e-02);
INSERT INTO "evaluation" VALUES(48,1,64,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(48,1,64,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(48,1,64,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(48,2,64,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(48,2,64,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(48,2,64,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(48,2,64,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(48,2,64,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(48,2,64,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(49,1,65,'behaviour','best',8.72540250447227272445e-01,0.0,1.27459749552772810821e-01);
INSERT INTO "evaluation" VALUES(49,1,65,'behaviour','optimal',9.19804146434960445688e-01,0.0,8.01958535650396237004e-02);
INSERT INTO "evaluation" VALUES(49,1,65,'behaviour','random',9.32562260414004584596e-01,0.0,0.0674377395859954);
INSERT INTO "evaluation" VALUES(49,1,65,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(49,1,65,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(49,1,65,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(49,2,65,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(49,2,65,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(49,2,65,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(49,2,65,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(49,2,65,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(49,2,65,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(50,1,68,'behaviour','best',8.72503187420314407773e-01,0.0,1.27496812579685508959e-01);
INSERT INTO "evaluation" VALUES(50,1,68,'behaviour','optimal',9.23887046833045788574e-01,0.0,7.61129531669542391814e-02);
INSERT INTO "evaluation" VALUES(50,1,68,'behaviour','random',9.36648870644593345424e-01,0.0,6.33511293554066545752e-02);
INSERT INTO "evaluation" VALUES(50,1,68,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(50,1,68,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(50,1,68,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(50,2,68,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(50,2,68,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(50,2,68,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(50,2,68,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(50,2,68,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(50,2,68,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(51,1,73,'behaviour','best',8.83884588318085806513e-01,0.0,1.16115411681914151853e-01);
INSERT INTO "evaluation" VALUES(51,1,73,'behaviour','optimal',9.27060627921913904536e-01,0.0,7.29393720780859705632e-02);
INSERT INTO "evaluation" VALUES(51,1,73,'behaviour','random',9.38565160769535777873e-01,0.0,6.14348392304641457983e-02);
INSERT INTO "evaluation" VALUES(51,1,73,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(51,1,73,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(51,1,73,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(51,2,73,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(51,2,73,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(51,2,73,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(51,2,73,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(51,2,73,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(51,2,73,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(52,1,83,'behaviour','best',8.92432102532804361061e-01,0.0,1.07567897467195611183e-01);
INSERT INTO "evaluation" VALUES(52,1,83,'behaviour','optimal',0.934873625673346,0.0,6.51263743266540379162e-02);
INSERT INTO "evaluation" VALUES(52,1,83,'behaviour','random',9.45273742917937420671e-01,0.0,5.47262570820625515732e-02);
INSERT INTO "evaluation" VALUES(52,1,83,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(52,1,83,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(52,1,83,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(52,2,83,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(52,2,83,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(52,2,83,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(52,2,83,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(52,2,83,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(52,2,83,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(53,1,113,'behaviour','best',9.22551632245169783708e-01,0.0,0.0774483677548301);
INSERT INTO "evaluation" VALUES(53,1,113,'behaviour','optimal',0.950323636049741,0.0,4.96763639502588658092e-02);
INSERT INTO "evaluation" VALUES(53,1,113,'behaviour','random',9.58068919857649858862e-01,0.0,4.19310801423501480766e-02);
INSERT INTO "evaluation" VALUES(53,1,113,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(53,1,113,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(53,1,113,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(53,2,113,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(53,2,113,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(53,2,113,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(53,2,113,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(53,2,113,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(53,2,113,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(54,1,163,'behaviour','best',9.4603279228804471046e-01,0.0,5.39672077119551715784e-02);
INSERT INTO "evaluation" VALUES(54,1,163,'behaviour','optimal',9.66950629206228207124e-01,0.0,3.30493707937717512423e-02);
INSERT INTO "evaluation" VALUES(54,1,163,'behaviour','random',9.72362070880384177229e-01,0.0,2.76379291196158088927e-02);
INSERT INTO "evaluation" VALUES(54,1,163,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(54,1,163,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(54,1,163,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(54,2,163,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(54,2,163,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(54,2,163,'behaviour','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(54,2,163,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(54,2,163,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(54,2,163,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(55,3,50,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(55,3,50,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(55,3,50,'behaviour','random',2.49887222224780242152e-01,0.0,7.5011277777521967458e-01);
INSERT INTO "evaluation" VALUES(55,3,50,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(55,3,50,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(55,3,50,'greedy','random',0.25,0.0,0.75);
INSERT INTO "evaluation" VALUES(56,3,51,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(56,3,51,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(56,3,51,'behaviour','random',3.32662222237322113826e-01,0.0,6.67337777762677886173e-01);
INSERT INTO "evaluation" VALUES(56,3,51,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(56,3,51,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(56,3,51,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(57,3,52,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(57,3,52,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(57,3,52,'behaviour','random',3.32662222237322113826e-01,0.0,6.67337777762677886173e-01);
INSERT INTO "evaluation" VALUES(57,3,52,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(57,3,52,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(57,3,52,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(58,3,55,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(58,3,55,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(58,3,55,'behaviour','random',3.32662222237322113826e-01,0.0,6.67337777762677886173e-01);
INSERT INTO "evaluation" VALUES(58,3,55,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(58,3,55,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(58,3,55,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(59,3,60,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(59,3,60,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(59,3,60,'behaviour','random',3.32662222237322113826e-01,0.0,6.67337777762677886173e-01);
INSERT INTO "evaluation" VALUES(59,3,60,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(59,3,60,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(59,3,60,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(60,8,1,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(60,8,1,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(60,8,1,'behaviour','random',2.22222222222222237641e-01,0.0,7.77777777777777790113e-01);
INSERT INTO "evaluation" VALUES(60,8,1,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(60,8,1,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(60,8,1,'greedy','random',2.22222222222222209886e-01,0.0,7.77777777777777790113e-01);
INSERT INTO "evaluation" VALUES(61,9,1,'behaviour','best',6.81818181818181878739e-01,0.0,3.18181818181818176771e-01);
INSERT INTO "evaluation" VALUES(61,9,1,'behaviour','optimal',7.58181818181818178992e-01,0.0,2.41818181818181876518e-01);
INSERT INTO "evaluation" VALUES(61,9,1,'behaviour','random',7.96363636363636384629e-01,0.0,2.03636363636363670881e-01);
INSERT INTO "evaluation" VALUES(61,9,1,'greedy','best',0.5,0.0,0.5);
INSERT INTO "evaluation" VALUES(61,9,1,'greedy','optimal',7.00000000000000066613e-01,0.0,0.3);
INSERT INTO "evaluation" VALUES(61,9,1,'greedy','random',7.33333333333333392545e-01,0.0,2.66666666666666662965e-01);
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
INSERT INTO "game" VALUES(1,35,1,'2,0,5','000','111','board','X');
INSERT INTO "game" VALUES(2,37,1,'0,2,1','000','111','board','X');
INSERT INTO "game" VALUES(3,39,1,'1,0,2','000','111','board','X');
INSERT INTO "game" VALUES(4,41,1,'0,5,1','000','111','board','X');
INSERT INTO "game" VALUES(5,43,1,'1,0,2','000','111','board','X');
INSERT INTO "game" VALUES(6,45,1,'0,5,1','000','111','board','X');
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
INSERT INTO "imported" VALUES(60,8,1,1,0.0,0);
INSERT INTO "imported" VALUES(60,8,1,2,0.0,0);
INSERT INTO "imported" VALUES(60,8,1,3,-0.1,1);
INSERT INTO "imported" VALUES(60,8,1,4,0.0,0);
INSERT INTO "imported" VALUES(60,8,1,5,0.0,0);
INSERT INTO "imported" VALUES(60,8,2,0,0.0,0);
INSERT INTO "imported" VALUES(60,8,2,3,0.0,0);
INSERT INTO "imported" VALUES(60,8,2,4,0.0,0);
INSERT INTO "imported" VALUES(60,8,15,3,0.0,0);
INSERT INTO "imported" VALUES(60,8,15,4,0.0,0);
INSERT INTO "imported" VALUES(60,8,18,2,0.0,0);
INSERT INTO "imported" VALUES(60,8,18,3,0.0,0);
INSERT INTO "imported" VALUES(60,8,18,4,0.0,0);
INSERT INTO "imported" VALUES(60,8,19,1,0.0,0);
INSERT INTO "imported" VALUES(60,8,19,4,0.0,0);
INSERT INTO "imported" VALUES(60,8,19,5,0.0,0);
INSERT INTO "imported" VALUES(60,8,20,1,0.0,0);
INSERT INTO "imported" VALUES(60,8,20,3,0.0,0);
INSERT INTO "imported" VALUES(60,8,23,1,0.0,0);
INSERT INTO "imported" VALUES(60,8,23,3,0.0,0);
INSERT INTO "imported" VALUES(60,8,23,4,0.0,0);
INSERT INTO "imported" VALUES(61,9,0,0,7,1);
INSERT INTO "imported" VALUES(61,9,0,1,4,0);
INSERT INTO "imported" VALUES(61,9,3,2,3,0);
INSERT INTO "imported" VALUES(61,9,3,3,3,0);
INSERT INTO "imported" VALUES(61,9,3,4,3,0);
INSERT INTO "imported" VALUES(61,9,3,5,3,0);
INSERT INTO "imported" VALUES(61,9,4,1,3,0);
INSERT INTO "imported" VALUES(61,9,4,3,3,0);
INSERT INTO "imported" VALUES(61,9,4,4,3,0);
INSERT INTO "imported" VALUES(61,9,4,5,3,0);
INSERT INTO "imported" VALUES(61,9,5,1,6,1);
INSERT INTO "imported" VALUES(61,9,5,2,3,0);
INSERT INTO "imported" VALUES(61,9,5,4,3,0);
INSERT INTO "imported" VALUES(61,9,5,5,3,0);
INSERT INTO "imported" VALUES(61,9,6,1,3,0);
INSERT INTO "imported" VALUES(61,9,6,2,3,0);
INSERT INTO "imported" VALUES(61,9,6,3,3,0);
INSERT INTO "imported" VALUES(61,9,6,5,3,0);
INSERT INTO "imported" VALUES(61,9,7,1,3,0);
INSERT INTO "imported" VALUES(61,9,7,2,3,0);
INSERT INTO "imported" VALUES(61,9,7,3,3,0);
INSERT INTO "imported" VALUES(61,9,7,4,3,0);
INSERT INTO "imported" VALUES(61,9,8,2,3,0);
INSERT INTO "imported" VALUES(61,9,8,3,3,0);
INSERT INTO "imported" VALUES(61,9,8,4,3,0);
INSERT INTO "imported" VALUES(61,9,8,5,3,0);
INSERT INTO "imported" VALUES(61,9,9,1,3,0);
INSERT INTO "imported" VALUES(61,9,9,2,3,0);
INSERT INTO "imported" VALUES(61,9,9,3,3,0);
INSERT INTO "imported" VALUES(61,9,9,5,3,0);
INSERT INTO "imported" VALUES(61,9,10,0,3,0);
INSERT INTO "imported" VALUES(61,9,10,3,3,0);
INSERT INTO "imported" VALUES(61,9,33,1,2,0);
INSERT INTO "imported" VALUES(61,9,33,4,2,0);
INSERT INTO "imported" VALUES(61,9,34,1,2,0);
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
INSERT INTO "learner" VALUES(1,'beads','X','menace',1,'menace','{"boxes": "choices", "beads": [4, 3, 2, 1], "merged": true, "win": 3, "draw": 1, "loss": -1, "floor": 0, "when_empty": "restock", "credit": "all"}',NULL,'menace','menace',163,NULL,NULL,NULL,NULL,NULL,'2026-11-22T18:53:29Z',NULL);
INSERT INTO "learner" VALUES(2,'code','O','favourite',1,'article-code','{"boxes": "choices", "beads": [2], "merged": true, "win": 3, "draw": 1, "loss": -1, "floor": 1, "rewards": "length", "epsilon": 0.0, "epsilon_decay": 1.0, "epsilon_least": 0.0}',NULL,'menace','menace',163,0.0,NULL,NULL,NULL,NULL,'2026-11-22T18:53:29Z',NULL);
INSERT INTO "learner" VALUES(3,'values','O','td',1,'zhang','{"epsilon": 0.01, "epsilon_decay": 1.0, "epsilon_least": 0.0, "epsilon_first": false, "ties": "random", "alpha": 0.1, "win": 1.0, "draw": 0.5, "loss": 0.0, "drawn_by_other": 0.5, "initial": "constant", "initial_value": 0.5, "backup": "all", "from_exploration": false}',NULL,'menace','menace',60,0.01,NULL,NULL,NULL,NULL,'2026-11-22T18:53:29Z',NULL);
INSERT INTO "learner" VALUES(4,'moves','X','q-learning',1,'q-learning','{"epsilon": 0.1, "epsilon_decay": 1.0, "epsilon_least": 0.0, "epsilon_first": false, "ties": "random", "alpha": 0.1, "gamma": 1.0, "win": 1.0, "draw": 0.0, "loss": -1.0, "initial_value": 0.0, "order": "forward", "final": "step"}',NULL,'menace','menace',50,0.1,NULL,NULL,NULL,NULL,'2026-11-22T18:53:30Z',NULL);
INSERT INTO "learner" VALUES(5,'frail','X','menace',1,'menace','{"boxes": "choices", "beads": [1], "merged": true, "win": 0, "draw": -1, "loss": -1, "floor": 0, "when_empty": "resign", "credit": "all"}',NULL,'menace','menace',405,NULL,NULL,NULL,NULL,NULL,'2026-11-22T18:53:30Z',NULL);
INSERT INTO "learner" VALUES(6,'late','O','menace',1,'menace','{"boxes": "choices", "beads": [1], "merged": true, "win": 0, "draw": -1, "loss": -1, "floor": 0, "when_empty": "resign", "credit": "all"}',NULL,'menace','menace',9,NULL,NULL,NULL,NULL,NULL,'2026-11-22T18:53:30Z',NULL);
INSERT INTO "learner" VALUES(7,'code copied','O','favourite',1,'article-code','{"boxes": "choices", "beads": [2], "merged": true, "win": 3, "draw": 1, "loss": -1, "floor": 1, "rewards": "length", "epsilon": 0.0, "epsilon_decay": 1.0, "epsilon_least": 0.0}',NULL,'menace','menace',60,0.0,NULL,NULL,NULL,NULL,'2026-11-22T18:53:30Z',NULL);
INSERT INTO "learner" VALUES(8,'brought in','O','q-learning',1,'sala','{"epsilon": 1.0, "epsilon_decay": 0.9999, "epsilon_least": 0.5, "epsilon_first": false, "ties": "random", "alpha": 0.1, "gamma": 1.0, "win": 1.0, "draw": 0.0, "loss": -1.0, "initial_value": 0.0, "order": "forward", "final": "step"}',NULL,'menace','menace',1,0.9999,NULL,NULL,NULL,NULL,'2026-11-23T03:34:34Z',NULL);
INSERT INTO "learner" VALUES(9,'beads brought in','X','menace',1,'menace','{"boxes": "choices", "beads": [4, 3, 2, 1], "merged": true, "win": 3, "draw": 1, "loss": -1, "floor": 0, "when_empty": "restock", "credit": "all"}',NULL,'menace','menace',1,NULL,NULL,NULL,NULL,NULL,'2026-11-23T03:34:34Z',NULL);
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
INSERT INTO "matchbox" VALUES(1,0,0,262,99);
INSERT INTO "matchbox" VALUES(1,0,1,196,64);
INSERT INTO "matchbox" VALUES(1,3,2,2,1);
INSERT INTO "matchbox" VALUES(1,3,3,30,9);
INSERT INTO "matchbox" VALUES(1,3,4,18,5);
INSERT INTO "matchbox" VALUES(1,3,5,3,0);
INSERT INTO "matchbox" VALUES(1,4,1,24,7);
INSERT INTO "matchbox" VALUES(1,4,3,48,15);
INSERT INTO "matchbox" VALUES(1,4,4,3,0);
INSERT INTO "matchbox" VALUES(1,4,5,1,2);
INSERT INTO "matchbox" VALUES(1,5,1,12,3);
INSERT INTO "matchbox" VALUES(1,5,2,0,3);
INSERT INTO "matchbox" VALUES(1,5,4,27,8);
INSERT INTO "matchbox" VALUES(1,5,5,4,3);
INSERT INTO "matchbox" VALUES(1,6,1,45,14);
INSERT INTO "matchbox" VALUES(1,6,2,2,1);
INSERT INTO "matchbox" VALUES(1,6,3,9,2);
INSERT INTO "matchbox" VALUES(1,6,5,1,2);
INSERT INTO "matchbox" VALUES(1,7,1,12,3);
INSERT INTO "matchbox" VALUES(1,7,2,3,0);
INSERT INTO "matchbox" VALUES(1,7,3,18,5);
INSERT INTO "matchbox" VALUES(1,7,4,51,16);
INSERT INTO "matchbox" VALUES(1,8,2,36,11);
INSERT INTO "matchbox" VALUES(1,8,3,6,1);
INSERT INTO "matchbox" VALUES(1,8,4,15,4);
INSERT INTO "matchbox" VALUES(1,8,5,27,8);
INSERT INTO "matchbox" VALUES(1,9,1,27,8);
INSERT INTO "matchbox" VALUES(1,9,2,21,6);
INSERT INTO "matchbox" VALUES(1,9,3,30,9);
INSERT INTO "matchbox" VALUES(1,9,5,18,5);
INSERT INTO "matchbox" VALUES(1,10,0,33,10);
INSERT INTO "matchbox" VALUES(1,10,3,9,2);
INSERT INTO "matchbox" VALUES(1,33,1,2,0);
INSERT INTO "matchbox" VALUES(1,33,4,2,0);
INSERT INTO "matchbox" VALUES(1,34,1,5,1);
INSERT INTO "matchbox" VALUES(2,1,1,1,15);
INSERT INTO "matchbox" VALUES(2,1,2,1,24);
INSERT INTO "matchbox" VALUES(2,1,3,1,17);
INSERT INTO "matchbox" VALUES(2,1,4,1,19);
INSERT INTO "matchbox" VALUES(2,1,5,1,26);
INSERT INTO "matchbox" VALUES(2,2,0,1,22);
INSERT INTO "matchbox" VALUES(2,2,3,1,28);
INSERT INTO "matchbox" VALUES(2,2,4,1,12);
INSERT INTO "matchbox" VALUES(2,15,3,2,0);
INSERT INTO "matchbox" VALUES(2,15,4,4,1);
INSERT INTO "matchbox" VALUES(2,18,2,2,0);
INSERT INTO "matchbox" VALUES(2,18,3,2,0);
INSERT INTO "matchbox" VALUES(2,18,4,6,2);
INSERT INTO "matchbox" VALUES(2,19,1,2,0);
INSERT INTO "matchbox" VALUES(2,19,4,8,3);
INSERT INTO "matchbox" VALUES(2,19,5,2,0);
INSERT INTO "matchbox" VALUES(2,20,1,2,0);
INSERT INTO "matchbox" VALUES(2,20,3,4,1);
INSERT INTO "matchbox" VALUES(2,23,1,2,0);
INSERT INTO "matchbox" VALUES(2,23,3,1,1);
INSERT INTO "matchbox" VALUES(2,23,4,10,4);
INSERT INTO "matchbox" VALUES(5,0,0,0,8);
INSERT INTO "matchbox" VALUES(5,0,1,1,397);
INSERT INTO "matchbox" VALUES(5,3,2,1,0);
INSERT INTO "matchbox" VALUES(5,3,3,1,1);
INSERT INTO "matchbox" VALUES(5,3,4,1,0);
INSERT INTO "matchbox" VALUES(5,3,5,1,0);
INSERT INTO "matchbox" VALUES(5,4,1,1,0);
INSERT INTO "matchbox" VALUES(5,4,3,1,0);
INSERT INTO "matchbox" VALUES(5,4,4,1,1);
INSERT INTO "matchbox" VALUES(5,4,5,1,0);
INSERT INTO "matchbox" VALUES(5,5,1,1,0);
INSERT INTO "matchbox" VALUES(5,5,2,0,1);
INSERT INTO "matchbox" VALUES(5,5,4,1,0);
INSERT INTO "matchbox" VALUES(5,5,5,1,0);
INSERT INTO "matchbox" VALUES(5,6,1,1,2);
INSERT INTO "matchbox" VALUES(5,6,2,1,0);
INSERT INTO "matchbox" VALUES(5,6,3,1,0);
INSERT INTO "matchbox" VALUES(5,6,5,1,0);
INSERT INTO "matchbox" VALUES(5,7,1,1,0);
INSERT INTO "matchbox" VALUES(5,7,2,1,1);
INSERT INTO "matchbox" VALUES(5,7,3,1,1);
INSERT INTO "matchbox" VALUES(5,7,4,1,1);
INSERT INTO "matchbox" VALUES(5,8,2,1,29);
INSERT INTO "matchbox" VALUES(5,8,3,1,35);
INSERT INTO "matchbox" VALUES(5,8,4,1,41);
INSERT INTO "matchbox" VALUES(5,8,5,1,49);
INSERT INTO "matchbox" VALUES(5,9,1,1,41);
INSERT INTO "matchbox" VALUES(5,9,2,1,29);
INSERT INTO "matchbox" VALUES(5,9,3,1,40);
INSERT INTO "matchbox" VALUES(5,9,5,1,39);
INSERT INTO "matchbox" VALUES(5,10,0,1,47);
INSERT INTO "matchbox" VALUES(5,10,3,1,47);
INSERT INTO "matchbox" VALUES(5,33,1,1,0);
INSERT INTO "matchbox" VALUES(5,33,4,1,1);
INSERT INTO "matchbox" VALUES(5,34,1,1,0);
INSERT INTO "matchbox" VALUES(6,1,1,0,1);
INSERT INTO "matchbox" VALUES(6,1,2,0,1);
INSERT INTO "matchbox" VALUES(6,1,3,0,1);
INSERT INTO "matchbox" VALUES(6,1,4,0,1);
INSERT INTO "matchbox" VALUES(6,1,5,0,1);
INSERT INTO "matchbox" VALUES(6,2,0,0,1);
INSERT INTO "matchbox" VALUES(6,2,3,0,1);
INSERT INTO "matchbox" VALUES(6,2,4,0,1);
INSERT INTO "matchbox" VALUES(6,15,3,1,0);
INSERT INTO "matchbox" VALUES(6,15,4,1,0);
INSERT INTO "matchbox" VALUES(6,18,2,1,0);
INSERT INTO "matchbox" VALUES(6,18,3,1,0);
INSERT INTO "matchbox" VALUES(6,18,4,1,0);
INSERT INTO "matchbox" VALUES(6,19,1,1,0);
INSERT INTO "matchbox" VALUES(6,19,4,1,0);
INSERT INTO "matchbox" VALUES(6,19,5,0,1);
INSERT INTO "matchbox" VALUES(6,20,1,1,0);
INSERT INTO "matchbox" VALUES(6,20,3,1,0);
INSERT INTO "matchbox" VALUES(6,23,1,1,0);
INSERT INTO "matchbox" VALUES(6,23,3,1,0);
INSERT INTO "matchbox" VALUES(6,23,4,1,0);
INSERT INTO "matchbox" VALUES(7,1,1,1,8);
INSERT INTO "matchbox" VALUES(7,1,2,2,11);
INSERT INTO "matchbox" VALUES(7,1,3,1,9);
INSERT INTO "matchbox" VALUES(7,1,4,1,7);
INSERT INTO "matchbox" VALUES(7,1,5,1,9);
INSERT INTO "matchbox" VALUES(7,2,0,1,6);
INSERT INTO "matchbox" VALUES(7,2,3,1,6);
INSERT INTO "matchbox" VALUES(7,2,4,1,4);
INSERT INTO "matchbox" VALUES(7,15,3,2,0);
INSERT INTO "matchbox" VALUES(7,15,4,4,1);
INSERT INTO "matchbox" VALUES(7,18,2,2,0);
INSERT INTO "matchbox" VALUES(7,18,3,2,0);
INSERT INTO "matchbox" VALUES(7,18,4,6,2);
INSERT INTO "matchbox" VALUES(7,19,1,2,0);
INSERT INTO "matchbox" VALUES(7,19,4,6,2);
INSERT INTO "matchbox" VALUES(7,19,5,2,0);
INSERT INTO "matchbox" VALUES(7,20,1,2,0);
INSERT INTO "matchbox" VALUES(7,20,3,2,0);
INSERT INTO "matchbox" VALUES(7,23,1,2,0);
INSERT INTO "matchbox" VALUES(7,23,3,1,1);
INSERT INTO "matchbox" VALUES(7,23,4,10,4);
INSERT INTO "matchbox" VALUES(9,0,0,7,1);
INSERT INTO "matchbox" VALUES(9,0,1,4,0);
INSERT INTO "matchbox" VALUES(9,3,2,3,0);
INSERT INTO "matchbox" VALUES(9,3,3,3,0);
INSERT INTO "matchbox" VALUES(9,3,4,3,0);
INSERT INTO "matchbox" VALUES(9,3,5,3,0);
INSERT INTO "matchbox" VALUES(9,4,1,3,0);
INSERT INTO "matchbox" VALUES(9,4,3,3,0);
INSERT INTO "matchbox" VALUES(9,4,4,3,0);
INSERT INTO "matchbox" VALUES(9,4,5,3,0);
INSERT INTO "matchbox" VALUES(9,5,1,6,1);
INSERT INTO "matchbox" VALUES(9,5,2,3,0);
INSERT INTO "matchbox" VALUES(9,5,4,3,0);
INSERT INTO "matchbox" VALUES(9,5,5,3,0);
INSERT INTO "matchbox" VALUES(9,6,1,3,0);
INSERT INTO "matchbox" VALUES(9,6,2,3,0);
INSERT INTO "matchbox" VALUES(9,6,3,3,0);
INSERT INTO "matchbox" VALUES(9,6,5,3,0);
INSERT INTO "matchbox" VALUES(9,7,1,3,0);
INSERT INTO "matchbox" VALUES(9,7,2,3,0);
INSERT INTO "matchbox" VALUES(9,7,3,3,0);
INSERT INTO "matchbox" VALUES(9,7,4,3,0);
INSERT INTO "matchbox" VALUES(9,8,2,3,0);
INSERT INTO "matchbox" VALUES(9,8,3,3,0);
INSERT INTO "matchbox" VALUES(9,8,4,3,0);
INSERT INTO "matchbox" VALUES(9,8,5,3,0);
INSERT INTO "matchbox" VALUES(9,9,1,3,0);
INSERT INTO "matchbox" VALUES(9,9,2,3,0);
INSERT INTO "matchbox" VALUES(9,9,3,3,0);
INSERT INTO "matchbox" VALUES(9,9,5,3,0);
INSERT INTO "matchbox" VALUES(9,10,0,3,0);
INSERT INTO "matchbox" VALUES(9,10,3,3,0);
INSERT INTO "matchbox" VALUES(9,33,1,2,0);
INSERT INTO "matchbox" VALUES(9,33,4,2,0);
INSERT INTO "matchbox" VALUES(9,34,1,2,0);
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
CREATE TABLE move_name (
    -- what people call the moves of a side by an action, from a position on to the next row of both
    to_move     TEXT    NOT NULL CHECK (to_move IN ('X', 'O')), -- who makes the move
    action      INTEGER NOT NULL, -- its number
    position_id INTEGER NOT NULL, -- the first position in which it is called so
    name        TEXT    NOT NULL, -- what people call it
    PRIMARY KEY (to_move, action, position_id),
    FOREIGN KEY (position_id, action) REFERENCES move (position_id, action)
) STRICT, WITHOUT ROWID;
INSERT INTO "move_name" VALUES('O',0,2,'0');
INSERT INTO "move_name" VALUES('O',1,1,'1');
INSERT INTO "move_name" VALUES('O',2,1,'2');
INSERT INTO "move_name" VALUES('O',3,1,'3');
INSERT INTO "move_name" VALUES('O',4,1,'4');
INSERT INTO "move_name" VALUES('O',5,1,'5');
INSERT INTO "move_name" VALUES('X',0,0,'0');
INSERT INTO "move_name" VALUES('X',1,0,'1');
INSERT INTO "move_name" VALUES('X',2,3,'2');
INSERT INTO "move_name" VALUES('X',3,3,'3');
INSERT INTO "move_name" VALUES('X',4,3,'4');
INSERT INTO "move_name" VALUES('X',5,3,'5');
CREATE TABLE policy (
    -- a player of runs that is no learner and has no name of menace's, such as a Python function, as a table
    name    TEXT NOT NULL PRIMARY KEY, -- that runs have: what it was called, @, and the first digits of its hash
    plays   TEXT NOT NULL CHECK (plays IN ('X', 'O')), -- its side
    hash    TEXT NOT NULL CHECK (length(hash) = 64), -- the SHA-256 of game, side and weights, in hexadecimal digits
    weights BLOB NOT NULL -- a 32-bit whole number for each move of the game, lowest byte first
) STRICT;
INSERT INTO "policy" VALUES('lambda@2b9b5704268e','X','2b9b5704268e8617710ef3045c9381cfa3a44da243e1179369af0c2d4734283d',X'0100000000000000010000000100000001000000010000000100000002000000020000000100000001000000000000000000000000000000010000000000000000000000000000000100000000000000000000000000000001000000000000000000000000000000010000000000000000000000000000000100000000000000000000000000000001000000000000000000000000000000010000000000000002000000010000000100000001000000010000000100000001000000010000000100000002000000010000000100000001000000010000000000000001000000');
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
INSERT INTO "run" VALUES(1,'train','beads','code',1,2,1,1,60,60,3,'{}','0.1.0','2026-11-22T18:53:30Z','2026-11-22T18:53:30Z');
INSERT INTO "run" VALUES(2,'selfplay','moves','values',4,3,1,1,50,50,5,'{}','0.1.0','2026-11-22T18:53:30Z','2026-11-22T18:53:30Z');
INSERT INTO "run" VALUES(3,'copy','nobody','code copied',NULL,7,0,1,0,0,0,'{"copied_from": 2}','0.1.0','2026-11-22T18:53:30Z','2026-11-22T18:53:30Z');
INSERT INTO "run" VALUES(4,'train','frail','random',5,NULL,1,0,400,400,1,'{}','0.1.0','2026-11-22T18:53:30Z','2026-11-22T18:53:30Z');
INSERT INTO "run" VALUES(5,'train','frail','perfect',5,NULL,1,0,5,5,2,'{"continue_when_ruined": true}','0.1.0','2026-11-22T18:53:30Z','2026-11-22T18:53:30Z');
INSERT INTO "run" VALUES(6,'train','random:100,imperfect:0.5','late',NULL,6,0,1,400,9,1,'{"marks": "every:50"}','0.1.0','2026-11-22T18:53:30Z','2026-11-22T18:53:30Z');
INSERT INTO "run" VALUES(7,'play','beads','human',1,NULL,1,0,1,1,1,'{"person": "Anna"}','0.1.0','2026-11-22T18:53:30Z','2026-11-22T18:53:30Z');
INSERT INTO "run" VALUES(8,'play','human','code',NULL,2,0,1,1,1,1,'{}','0.1.0','2026-11-22T18:53:30Z','2026-11-22T18:53:30Z');
INSERT INTO "run" VALUES(9,'play','beads','human',1,NULL,1,0,1,1,2,'{"person": "Anna"}','0.1.0','2026-11-22T18:53:30Z','2026-11-22T18:53:30Z');
INSERT INTO "run" VALUES(10,'play','human','code',NULL,2,0,1,1,1,2,'{}','0.1.0','2026-11-22T18:53:30Z','2026-11-22T18:53:30Z');
INSERT INTO "run" VALUES(11,'play','beads','human',1,NULL,1,0,1,1,3,'{"person": "Anna"}','0.1.0','2026-11-22T18:53:30Z','2026-11-22T18:53:30Z');
INSERT INTO "run" VALUES(12,'play','human','code',NULL,2,0,1,1,1,3,'{}','0.1.0','2026-11-22T18:53:30Z','2026-11-22T18:53:30Z');
INSERT INTO "run" VALUES(13,'recount','beads','nobody',1,NULL,1,0,0,0,0,'{}','0.1.0','2026-11-22T18:53:30Z','2026-11-22T18:53:30Z');
INSERT INTO "run" VALUES(14,'train','beads','code',1,2,1,1,300,100,12,'{}','0.1.0','2026-11-22T18:53:30Z',NULL);
INSERT INTO "run" VALUES(15,'train','lambda@2b9b5704268e','values',NULL,3,0,1,10,10,4,'{}','0.1.0','2026-11-22T20:45:47Z','2026-11-22T20:45:47Z');
INSERT INTO "run" VALUES(16,'import','nobody','brought in',NULL,8,0,1,0,0,0,'{"imported": {"games": 1, "epsilon": 0.9999}}','0.1.0','2026-11-23T03:34:34Z','2026-11-23T03:34:34Z');
INSERT INTO "run" VALUES(17,'import','beads brought in','nobody',9,NULL,1,0,0,0,0,'{"imported": {"games": 1}}','0.1.0','2026-11-23T03:34:34Z','2026-11-23T03:34:34Z');
CREATE TABLE state_value (
    -- what a learner that values positions expects of one
    learner_id  INTEGER NOT NULL REFERENCES learner (learner_id), -- the learner
    position_id INTEGER NOT NULL REFERENCES position (position_id), -- the position
    value       REAL    NOT NULL CHECK (abs(value) < 9e999), -- finite; its settings say what a win is worth
    updates     INTEGER NOT NULL DEFAULT 0 CHECK (updates >= 0), -- how often it was learned from
    PRIMARY KEY (learner_id, position_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "state_value" VALUES(3,0,2.99151733915958228937e-01,60);
INSERT INTO "state_value" VALUES(3,1,3.56887964492052789378e-01,54);
INSERT INTO "state_value" VALUES(3,2,0.48195,3);
INSERT INTO "state_value" VALUES(3,3,5.39893980538316164974e-01,18);
INSERT INTO "state_value" VALUES(3,4,0.215233605,8);
INSERT INTO "state_value" VALUES(3,5,0.215233605,8);
INSERT INTO "state_value" VALUES(3,6,2.01849851025449972263e-01,12);
INSERT INTO "state_value" VALUES(3,7,1.95647346944999966922e-01,10);
INSERT INTO "state_value" VALUES(3,8,0.405,2);
INSERT INTO "state_value" VALUES(3,9,0.45,1);
INSERT INTO "state_value" VALUES(3,10,0.45,1);
INSERT INTO "state_value" VALUES(3,15,0.82566077995,10);
INSERT INTO "state_value" VALUES(3,18,0.5,0);
INSERT INTO "state_value" VALUES(3,19,0.55,1);
INSERT INTO "state_value" VALUES(3,20,5.95000000000000084376e-01,2);
INSERT INTO "state_value" VALUES(3,23,0.5,0);
INSERT INTO "state_value" VALUES(3,33,0.5,0);
INSERT INTO "state_value" VALUES(3,34,0.5,0);
CREATE UNIQUE INDEX rules_has_one_row ON rules ((1));
CREATE INDEX evaluation_by_learner ON evaluation (learner_id, learner_games);
CREATE INDEX move_by_next_position ON move (next_position_id);
CREATE INDEX block_by_run ON block (run_id);
CREATE VIEW moves AS
SELECT
    move.position_id,
    position.board,
    position.ply,
    position.to_move,
    move.action,
    (
        SELECT move_name.name
        FROM move_name
        WHERE move_name.to_move = position.to_move
            AND move_name.action = move.action
            AND move_name.position_id <= move.position_id
        ORDER BY move_name.position_id DESC
        LIMIT 1
    ) AS move,
    move.multiplicity,
    move.next_position_id,
    next.board AS next_board,
    CASE move.minimax * iif(position.to_move = 'X', 1, -1)
        WHEN 1 THEN 'wins'
        WHEN 0 THEN 'draws'
        ELSE 'loses'
    END AS verdict,
    move.optimal
FROM move
JOIN position ON position.position_id = move.position_id
JOIN position AS next ON next.position_id = move.next_position_id;
CREATE VIEW choices AS
SELECT
    weighed.learner,
    learner.plays,
    moves.ply / 2 + 1 AS stage,
    weighed.position_id,
    moves.board,
    moves.ply,
    weighed.action,
    moves.move,
    moves.multiplicity,
    weighed.amount,
    weighed.unit,
    CASE
        -- UCB1 plays by bounds, which take logarithms.
        WHEN weighed.unknown OR learner.algorithm = 'ucb1' THEN NULL
        -- NULL in an empty box: nothing divided by nothing.
        WHEN learner.algorithm IN ('menace', 'odds') THEN 1.0 * weighed.amount / nullif(weighed.amounts, 0)
        ELSE learner.explores * weighed.if_exploring / weighed.all_exploring
            + (1 - learner.explores) * CASE
                WHEN NOT weighed.best THEN 0
                WHEN json_extract(learner.settings, '$.ties') = 'first' THEN weighed.first_of_best
                ELSE 1.0 * moves.multiplicity / weighed.all_best
            END
    END AS share,
    weighed.picked,
    moves.verdict,
    moves.optimal,
    CASE
        WHEN weighed.unknown THEN NULL
        ELSE weighed.best AND weighed.first_of_best AND (weighed.unit <> 'beads' OR weighed.amount > 0)
    END AS favourite
FROM (
    SELECT
        *,
        sum(amount) OVER same_box AS amounts,
        sum(if_exploring) OVER same_box AS all_exploring,
        max(amount IS NULL) OVER same_box AS unknown,
        -- The frame ends with the moves of equal amounts: of the best it is all these.
        rank() OVER best_first = 1 AS best,
        sum(multiplicity) OVER best_first AS all_best,
        min(action) OVER best_first = action AS first_of_best
    FROM (
        SELECT
            learner.learner_id,
            learner.name AS learner,
            matchbox.position_id,
            matchbox.action,
            matchbox.beads AS amount,
            'beads' AS unit,
            matchbox.picked,
            move.multiplicity,
            iif(learner.algorithm = 'favourite', 1, move.multiplicity) AS if_exploring
        FROM learner
        JOIN matchbox ON matchbox.learner_id = learner.learner_id
        JOIN move ON move.position_id = matchbox.position_id AND move.action = matchbox.action
        UNION ALL
        SELECT
            learner.learner_id,
            learner.name,
            action_value.position_id,
            action_value.action,
            action_value.value,
            iif(learner.algorithm = 'odds', 'odds', 'value'),
            action_value.updates,
            move.multiplicity,
            move.multiplicity
        FROM learner
        JOIN action_value ON action_value.learner_id = learner.learner_id
        JOIN move ON move.position_id = action_value.position_id AND move.action = action_value.action
        UNION ALL
        -- A move has the value of the next position; where the game is over then, that is a setting, if not random.
        SELECT
            learner.learner_id,
            learner.name,
            move.position_id,
            move.action,
            CASE
                WHEN next.outcome IS NULL THEN state_value.value
                WHEN json_extract(learner.settings, '$.initial') = 'uniform-ends' THEN NULL
                WHEN next.outcome = learner.plays THEN json_extract(learner.settings, '$.win')
                WHEN next.outcome = 'draw' THEN json_extract(learner.settings, '$.draw')
                ELSE json_extract(learner.settings, '$.loss')
            END,
            'value',
            coalesce(state_value.updates, 0),
            move.multiplicity,
            move.multiplicity
        FROM learner
        JOIN position ON position.to_move = learner.plays
        JOIN move ON move.position_id = position.position_id
        JOIN position AS next ON next.position_id = move.next_position_id
        LEFT JOIN state_value
            ON state_value.learner_id = learner.learner_id AND state_value.position_id = next.position_id
        WHERE learner.algorithm IN ('td', 'td-lambda')
    )
    WINDOW
        best_first AS (PARTITION BY learner_id, learner, position_id ORDER BY amount DESC),
        same_box AS (best_first RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
) AS weighed
JOIN (
    -- The kernel explores with floor(epsilon * 2^32) of 2^32 numbers.
    SELECT *, CAST(coalesce(epsilon, 0) * 4294967296 AS INTEGER) / 4294967296.0 AS explores
    FROM learner
    WHERE deleted_at IS NULL
) AS learner ON learner.learner_id = weighed.learner_id
JOIN moves ON moves.position_id = weighed.position_id AND moves.action = weighed.action;
CREATE VIEW boxes AS
SELECT
    learner,
    plays,
    -- The number on the label: positions are numbered by ply, and so are boxes.
    iif(unit = 'beads', row_number() OVER (PARTITION BY learner ORDER BY position_id), NULL) AS box,
    stage,
    position_id,
    board,
    ply,
    unit,
    beads,
    moves,
    colours_left,
    opened,
    iif(favourite, move, NULL) AS favourite,
    iif(favourite, share, NULL) AS favourite_share,
    iif(favourite, verdict, NULL) AS favourite_verdict,
    iif(favourite, optimal, NULL) AS favourite_optimal
FROM (
    SELECT
        *,
        iif(unit = 'beads', sum(amount) OVER same_box, NULL) AS beads,
        count(*) OVER same_box AS moves,
        iif(unit = 'beads', sum(amount > 0) OVER same_box, NULL) AS colours_left,
        sum(picked) OVER same_box AS opened,
        min(iif(favourite, -1, action)) OVER same_box AS first
    FROM choices
    WINDOW same_box AS (PARTITION BY learner, position_id)
)
-- A row of each box: its favourite, or the first where there is none.
WHERE favourite OR action = first;
CREATE VIEW learning_curve AS
SELECT
    learner.name AS learner,
    learner.plays,
    learner.algorithm,
    learner.preset,
    learner.settings,
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
    moves.move,
    change.before,
    change.put_back,
    change.after - change.before - change.put_back AS learned,
    change.after,
    block.created_at
FROM change
JOIN game ON game.game_id = change.game_id
JOIN block ON block.block_id = game.block_id
JOIN learner ON learner.learner_id = change.learner_id
JOIN position ON position.position_id = change.position_id
LEFT JOIN moves ON moves.position_id = change.position_id AND moves.action = change.action;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('learner',9);
INSERT INTO "sqlite_sequence" VALUES('block',61);
COMMIT;
