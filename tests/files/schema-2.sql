-- A database of schema 2, as menace wrote it before 0.1.0: the game 2x3x2, learners that draw beads, that take the
-- favourite and that learn values, training, a copy, games with people against the favourite, and a run of favourites that
-- was interrupted. Made by its own commands and dumped by Python's sqlite3 (`iterdump`); never written again, so that the
-- way from that format stays tested.
PRAGMA application_id = 1296974661;
PRAGMA user_version = 2;
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
    kind           TEXT    NOT NULL CHECK (kind IN ('games', 'human', 'copy', 'recount')), -- what it did
    games          INTEGER NOT NULL CHECK (games >= 0), -- games in it
    x_wins         INTEGER NOT NULL CHECK (x_wins >= 0), -- of them, won by X
    draws          INTEGER NOT NULL CHECK (draws >= 0), -- of them, drawn
    o_wins         INTEGER NOT NULL CHECK (o_wins >= 0), -- of them, won by O
    numbers_before INTEGER NOT NULL CHECK (numbers_before >= 0), -- random numbers that the run had used before
    numbers        INTEGER NOT NULL CHECK (numbers >= 0), -- random numbers that this block used
    created_at     TEXT    NOT NULL, -- when it was committed, UTC
    CHECK (games = x_wins + draws + o_wins)
) STRICT;
INSERT INTO "block" VALUES(1,1,'games',0,0,0,0,0,0,'2026-11-21T19:05:29Z');
INSERT INTO "block" VALUES(2,1,'games',1,1,0,0,0,3,'2026-11-21T19:05:29Z');
INSERT INTO "block" VALUES(3,1,'games',1,1,0,0,3,3,'2026-11-21T19:05:29Z');
INSERT INTO "block" VALUES(4,1,'games',3,3,0,0,6,11,'2026-11-21T19:05:29Z');
INSERT INTO "block" VALUES(5,1,'games',5,4,0,1,17,16,'2026-11-21T19:05:29Z');
INSERT INTO "block" VALUES(6,1,'games',10,7,0,3,33,33,'2026-11-21T19:05:29Z');
INSERT INTO "block" VALUES(7,1,'games',30,26,0,4,66,94,'2026-11-21T19:05:29Z');
INSERT INTO "block" VALUES(8,1,'games',10,9,0,1,160,31,'2026-11-21T19:05:29Z');
INSERT INTO "block" VALUES(9,2,'games',0,0,0,0,0,0,'2026-11-21T19:05:29Z');
INSERT INTO "block" VALUES(10,2,'games',1,1,0,0,0,3,'2026-11-21T19:05:29Z');
INSERT INTO "block" VALUES(11,2,'games',1,1,0,0,3,3,'2026-11-21T19:05:29Z');
INSERT INTO "block" VALUES(12,2,'games',3,3,0,0,6,9,'2026-11-21T19:05:29Z');
INSERT INTO "block" VALUES(13,2,'games',5,5,0,0,15,15,'2026-11-21T19:05:29Z');
INSERT INTO "block" VALUES(14,2,'games',10,10,0,0,30,30,'2026-11-21T19:05:29Z');
INSERT INTO "block" VALUES(15,2,'games',30,29,0,1,60,91,'2026-11-21T19:05:29Z');
INSERT INTO "block" VALUES(16,3,'games',0,0,0,0,0,0,'2026-11-21T19:05:30Z');
INSERT INTO "block" VALUES(17,3,'games',1,1,0,0,0,3,'2026-11-21T19:05:30Z');
INSERT INTO "block" VALUES(18,3,'games',1,1,0,0,3,3,'2026-11-21T19:05:30Z');
INSERT INTO "block" VALUES(19,3,'games',3,3,0,0,6,9,'2026-11-21T19:05:30Z');
INSERT INTO "block" VALUES(20,3,'games',5,5,0,0,15,15,'2026-11-21T19:05:30Z');
INSERT INTO "block" VALUES(21,3,'games',10,10,0,0,30,30,'2026-11-21T19:05:30Z');
INSERT INTO "block" VALUES(22,4,'copy',0,0,0,0,0,0,'2026-11-21T19:05:30Z');
INSERT INTO "block" VALUES(23,5,'human',0,0,0,0,0,0,'2026-11-21T19:05:30Z');
INSERT INTO "block" VALUES(24,5,'human',1,1,0,0,0,2,'2026-11-21T19:05:30Z');
INSERT INTO "block" VALUES(25,6,'human',0,0,0,0,0,0,'2026-11-21T19:05:31Z');
INSERT INTO "block" VALUES(26,6,'human',1,1,0,0,0,2,'2026-11-21T19:05:31Z');
INSERT INTO "block" VALUES(27,7,'human',0,0,0,0,0,0,'2026-11-21T19:05:31Z');
INSERT INTO "block" VALUES(28,7,'human',1,1,0,0,0,2,'2026-11-21T19:05:31Z');
INSERT INTO "block" VALUES(29,8,'human',0,0,0,0,0,0,'2026-11-21T19:05:31Z');
INSERT INTO "block" VALUES(30,8,'human',1,1,0,0,0,1,'2026-11-21T19:05:31Z');
INSERT INTO "block" VALUES(31,9,'human',0,0,0,0,0,0,'2026-11-21T19:05:32Z');
INSERT INTO "block" VALUES(32,9,'human',1,1,0,0,0,1,'2026-11-21T19:05:32Z');
INSERT INTO "block" VALUES(33,10,'human',0,0,0,0,0,0,'2026-11-21T19:05:32Z');
INSERT INTO "block" VALUES(34,10,'human',1,1,0,0,0,2,'2026-11-21T19:05:32Z');
INSERT INTO "block" VALUES(35,11,'games',0,0,0,0,0,0,'2026-11-21T19:05:32Z');
INSERT INTO "block" VALUES(36,11,'games',1,1,0,0,0,3,'2026-11-21T19:05:32Z');
INSERT INTO "block" VALUES(37,11,'games',1,0,0,1,3,4,'2026-11-21T19:05:32Z');
INSERT INTO "block" VALUES(38,11,'games',3,3,0,0,7,9,'2026-11-21T19:05:32Z');
INSERT INTO "block" VALUES(39,11,'games',5,5,0,0,16,15,'2026-11-21T19:05:32Z');
INSERT INTO "block" VALUES(40,11,'games',10,10,0,0,31,30,'2026-11-21T19:05:32Z');
INSERT INTO "block" VALUES(41,11,'games',30,29,0,1,61,91,'2026-11-21T19:05:33Z');
INSERT INTO "block" VALUES(42,11,'games',50,50,0,0,152,150,'2026-11-21T19:05:33Z');
INSERT INTO "block" VALUES(43,12,'games',0,0,0,0,0,0,'2026-11-21T19:10:31Z');
INSERT INTO "block" VALUES(44,12,'games',1,1,0,0,0,5,'2026-11-21T19:10:31Z');
INSERT INTO "block" VALUES(45,12,'games',1,0,0,1,5,4,'2026-11-21T19:10:31Z');
INSERT INTO "block" VALUES(46,12,'games',3,2,0,1,9,10,'2026-11-21T19:10:31Z');
INSERT INTO "block" VALUES(47,12,'games',5,4,0,1,19,16,'2026-11-21T19:10:31Z');
INSERT INTO "block" VALUES(48,12,'games',10,10,0,0,35,30,'2026-11-21T19:10:31Z');
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
INSERT INTO "change" VALUES(1,3,0,0,1,208.0,0,211.0);
INSERT INTO "change" VALUES(1,3,2,8,2,81.0,0,84.0);
INSERT INTO "change" VALUES(2,3,0,0,1,211.0,0,214.0);
INSERT INTO "change" VALUES(2,3,2,8,2,84.0,0,87.0);
INSERT INTO "change" VALUES(3,3,0,0,1,214.0,0,217.0);
INSERT INTO "change" VALUES(3,3,2,8,2,87.0,0,90.0);
INSERT INTO "change" VALUES(4,2,1,1,4,2.0,0,1.0);
INSERT INTO "change" VALUES(6,1,0,0,1,56,0,59);
INSERT INTO "change" VALUES(6,1,2,9,1,10,0,13);
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
INSERT INTO "evaluation" VALUES(1,1,0,'greedy','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(1,1,0,'greedy','optimal',7.33333333333333281522e-01,0.0,2.66666666666666662965e-01);
INSERT INTO "evaluation" VALUES(1,1,0,'greedy','random',7.77777777777777679091e-01,0.0,2.22222222222222209886e-01);
INSERT INTO "evaluation" VALUES(1,2,0,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(1,2,0,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(1,2,0,'behaviour','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(1,2,0,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(1,2,0,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(1,2,0,'greedy','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(2,1,1,'behaviour','best',7.89473684210526105431e-01,0.0,2.10526315789473672523e-01);
INSERT INTO "evaluation" VALUES(2,1,1,'behaviour','optimal',0.831578947368421,0.0,1.6842105263157894357e-01);
INSERT INTO "evaluation" VALUES(2,1,1,'behaviour','random',8.5964912280701755165e-01,0.0,1.40350877192982448349e-01);
INSERT INTO "evaluation" VALUES(2,1,1,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(2,1,1,'greedy','optimal',9.99999999999999888977e-01,0.0,0.0);
INSERT INTO "evaluation" VALUES(2,1,1,'greedy','random',9.99999999999999888977e-01,0.0,0.0);
INSERT INTO "evaluation" VALUES(2,2,1,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(2,2,1,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(2,2,1,'behaviour','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(2,2,1,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(2,2,1,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(2,2,1,'greedy','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(3,1,2,'behaviour','best',8.1818181818181812126e-01,0.0,1.81818181818181823228e-01);
INSERT INTO "evaluation" VALUES(3,1,2,'behaviour','optimal',8.5454545454545460803e-01,0.0,1.45454545454545475235e-01);
INSERT INTO "evaluation" VALUES(3,1,2,'behaviour','random',8.78787878787878895536e-01,0.0,1.21212121212121229363e-01);
INSERT INTO "evaluation" VALUES(3,1,2,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(3,1,2,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(3,1,2,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(3,2,2,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(3,2,2,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(3,2,2,'behaviour','random',2.22222222222222209886e-01,0.0,7.77777777777777790113e-01);
INSERT INTO "evaluation" VALUES(3,2,2,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(3,2,2,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(3,2,2,'greedy','random',2.22222222222222209886e-01,0.0,7.77777777777777790113e-01);
INSERT INTO "evaluation" VALUES(4,1,5,'behaviour','best',7.38539898132427818921e-01,0.0,2.61460101867572125566e-01);
INSERT INTO "evaluation" VALUES(4,1,5,'behaviour','optimal',8.15789473684210619808e-01,0.0,1.84210526315789463458e-01);
INSERT INTO "evaluation" VALUES(4,1,5,'behaviour','random',0.84708545557442,0.0,1.5291454442558008453e-01);
INSERT INTO "evaluation" VALUES(4,1,5,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(4,1,5,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(4,1,5,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(4,2,5,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(4,2,5,'behaviour','optimal',0.0,0.0,9.99999999999999777955e-01);
INSERT INTO "evaluation" VALUES(4,2,5,'behaviour','random',2.77777777777777790113e-01,0.0,7.22222222222222098864e-01);
INSERT INTO "evaluation" VALUES(4,2,5,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(4,2,5,'greedy','optimal',0.0,0.0,9.99999999999999777955e-01);
INSERT INTO "evaluation" VALUES(4,2,5,'greedy','random',2.77777777777777790113e-01,0.0,7.22222222222222098864e-01);
INSERT INTO "evaluation" VALUES(5,1,10,'behaviour','best',6.55388471177944853529e-01,0.0,3.4461152882205514647e-01);
INSERT INTO "evaluation" VALUES(5,1,10,'behaviour','optimal',7.88757608306480451076e-01,0.0,2.11242391693519493411e-01);
INSERT INTO "evaluation" VALUES(5,1,10,'behaviour','random',8.25754863348848289206e-01,0.0,1.74245136651151683038e-01);
INSERT INTO "evaluation" VALUES(5,1,10,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(5,1,10,'greedy','optimal',0.8,0.0,0.2);
INSERT INTO "evaluation" VALUES(5,1,10,'greedy','random',8.66666666666666696272e-01,0.0,1.33333333333333331482e-01);
INSERT INTO "evaluation" VALUES(5,2,10,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(5,2,10,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(5,2,10,'behaviour','random',2.4444444444444440867e-01,0.0,7.55555555555555424795e-01);
INSERT INTO "evaluation" VALUES(5,2,10,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(5,2,10,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(5,2,10,'greedy','random',2.4444444444444440867e-01,0.0,7.55555555555555424795e-01);
INSERT INTO "evaluation" VALUES(6,1,20,'behaviour','best',7.19298245614035103301e-01,0.0,2.80701754385964896698e-01);
INSERT INTO "evaluation" VALUES(6,1,20,'behaviour','optimal',8.03520164046479745678e-01,0.0,1.96479835953520143299e-01);
INSERT INTO "evaluation" VALUES(6,1,20,'behaviour','random',8.34138376243639401153e-01,0.0,1.65861623756360598846e-01);
INSERT INTO "evaluation" VALUES(6,1,20,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(6,1,20,'greedy','optimal',1.00000000000000022204e+00,0.0,0.0);
INSERT INTO "evaluation" VALUES(6,1,20,'greedy','random',1.00000000000000022204e+00,0.0,0.0);
INSERT INTO "evaluation" VALUES(6,2,20,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(6,2,20,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(6,2,20,'behaviour','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(6,2,20,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(6,2,20,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(6,2,20,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(7,1,50,'behaviour','best',8.31674958540630115955e-01,0.0,1.68325041459369800778e-01);
INSERT INTO "evaluation" VALUES(7,1,50,'behaviour','optimal',0.88431199856573,0.0,1.1568800143427009075e-01);
INSERT INTO "evaluation" VALUES(7,1,50,'behaviour','random',9.03819939342327405285e-01,0.0,0.0961800606576726);
INSERT INTO "evaluation" VALUES(7,1,50,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(7,1,50,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(7,1,50,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(7,2,50,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(7,2,50,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(7,2,50,'behaviour','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(7,2,50,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(7,2,50,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(7,2,50,'greedy','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(8,1,60,'behaviour','best',8.31481481481481377038e-01,0.0,1.68518518518518511939e-01);
INSERT INTO "evaluation" VALUES(8,1,60,'behaviour','optimal',8.95687480123932400211e-01,0.0,1.04312519876067502644e-01);
INSERT INTO "evaluation" VALUES(8,1,60,'behaviour','random',9.13066876915316405494e-01,0.0,8.69331230846835667502e-02);
INSERT INTO "evaluation" VALUES(8,1,60,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(8,1,60,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(8,1,60,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(8,2,60,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(8,2,60,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(8,2,60,'behaviour','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(8,2,60,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(8,2,60,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(8,2,60,'greedy','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(9,2,60,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(9,2,60,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(9,2,60,'behaviour','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(9,2,60,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(9,2,60,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(9,2,60,'greedy','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(9,3,0,'behaviour','best',6.83333333329452785598e-01,0.0,3.1666666667054715889e-01);
INSERT INTO "evaluation" VALUES(9,3,0,'behaviour','optimal',7.46666666663562184069e-01,0.0,2.53333333336437704907e-01);
INSERT INTO "evaluation" VALUES(9,3,0,'behaviour','random',7.88888888886301709035e-01,0.0,2.1111111111369812443e-01);
INSERT INTO "evaluation" VALUES(9,3,0,'greedy','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(9,3,0,'greedy','optimal',7.33333333333333281522e-01,0.0,2.66666666666666662965e-01);
INSERT INTO "evaluation" VALUES(9,3,0,'greedy','random',7.77777777777777679091e-01,0.0,2.22222222222222209886e-01);
INSERT INTO "evaluation" VALUES(10,2,61,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(10,2,61,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(10,2,61,'behaviour','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(10,2,61,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(10,2,61,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(10,2,61,'greedy','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(10,3,1,'behaviour','best',9.50050000043120235204e-01,0.0,4.99499999568797647953e-02);
INSERT INTO "evaluation" VALUES(10,3,1,'behaviour','optimal',9.60040000034496188163e-01,0.0,3.99599999655038118362e-02);
INSERT INTO "evaluation" VALUES(10,3,1,'behaviour','random',9.66700000028746786462e-01,0.0,3.32999999712531719042e-02);
INSERT INTO "evaluation" VALUES(10,3,1,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(10,3,1,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(10,3,1,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(11,2,62,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(11,2,62,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(11,2,62,'behaviour','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(11,2,62,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(11,2,62,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(11,2,62,'greedy','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(11,3,2,'behaviour','best',9.50099950016010552644e-01,0.0,4.99000499839894473552e-02);
INSERT INTO "evaluation" VALUES(11,3,2,'behaviour','optimal',9.60079960012808375502e-01,0.0,3.99200399871915551086e-02);
INSERT INTO "evaluation" VALUES(11,3,2,'behaviour','random',9.66733300010673701763e-01,0.0,0.0332666999893263);
INSERT INTO "evaluation" VALUES(11,3,2,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(11,3,2,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(11,3,2,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(12,2,65,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(12,2,65,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(12,2,65,'behaviour','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(12,2,65,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(12,2,65,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(12,2,65,'greedy','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(12,3,5,'behaviour','best',9.5024950051447387711e-01,0.0,4.97504994855262339115e-02);
INSERT INTO "evaluation" VALUES(12,3,5,'behaviour','optimal',9.60199600411579257119e-01,0.0,3.98003995884209926803e-02);
INSERT INTO "evaluation" VALUES(12,3,5,'behaviour','random',9.66833000342982695762e-01,0.0,3.31669996570174915873e-02);
INSERT INTO "evaluation" VALUES(12,3,5,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(12,3,5,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(12,3,5,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(13,2,70,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(13,2,70,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(13,2,70,'behaviour','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(13,2,70,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(13,2,70,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(13,2,70,'greedy','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(13,3,10,'behaviour','best',9.50497756013646610817e-01,0.0,4.950224398635327816e-02);
INSERT INTO "evaluation" VALUES(13,3,10,'behaviour','optimal',9.60398204810917310858e-01,0.0,3.96017951890826197525e-02);
INSERT INTO "evaluation" VALUES(13,3,10,'behaviour','random',9.66998504009097814559e-01,0.0,3.300149599090218544e-02);
INSERT INTO "evaluation" VALUES(13,3,10,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(13,3,10,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(13,3,10,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(14,2,80,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(14,2,80,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(14,2,80,'behaviour','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(14,2,80,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(14,2,80,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(14,2,80,'greedy','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(14,3,20,'behaviour','best',9.50990556797478236994e-01,0.0,4.90094432025216519832e-02);
INSERT INTO "evaluation" VALUES(14,3,20,'behaviour','optimal',9.64732619549026448879e-01,0.0,3.5267380450973634387e-02);
INSERT INTO "evaluation" VALUES(14,3,20,'behaviour','random',9.69953820605681360511e-01,0.0,3.00461793943186464272e-02);
INSERT INTO "evaluation" VALUES(14,3,20,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(14,3,20,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(14,3,20,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(15,2,110,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(15,2,110,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(15,2,110,'behaviour','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(15,2,110,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(15,2,110,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(15,2,110,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(15,3,50,'behaviour','best',9.52439718646928779044e-01,0.0,4.75602813530713319778e-02);
INSERT INTO "evaluation" VALUES(15,3,50,'behaviour','optimal',9.68370501568132646674e-01,0.0,3.16294984318673810808e-02);
INSERT INTO "evaluation" VALUES(15,3,50,'behaviour','random',9.73428127085090855175e-01,0.0,2.6571872914909137886e-02);
INSERT INTO "evaluation" VALUES(15,3,50,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(15,3,50,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(15,3,50,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(16,3,50,'behaviour','best',9.52439718646928779044e-01,0.0,4.75602813530713319778e-02);
INSERT INTO "evaluation" VALUES(16,3,50,'behaviour','optimal',9.68370501568132646674e-01,0.0,3.16294984318673810808e-02);
INSERT INTO "evaluation" VALUES(16,3,50,'behaviour','random',9.73428127085090855175e-01,0.0,2.6571872914909137886e-02);
INSERT INTO "evaluation" VALUES(16,3,50,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(16,3,50,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(16,3,50,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(16,4,0,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(16,4,0,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(16,4,0,'behaviour','random',2.66222222232156302546e-01,0.0,7.33777777767843697453e-01);
INSERT INTO "evaluation" VALUES(16,4,0,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(16,4,0,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(16,4,0,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(17,3,51,'behaviour','best',9.52487278904300183057e-01,0.0,4.75127210956998169422e-02);
INSERT INTO "evaluation" VALUES(17,3,51,'behaviour','optimal',9.68403637528778449272e-01,0.0,3.15963624712217241996e-02);
INSERT INTO "evaluation" VALUES(17,3,51,'behaviour','random',9.73455904127137339187e-01,0.0,2.65440958728627093843e-02);
INSERT INTO "evaluation" VALUES(17,3,51,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(17,3,51,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(17,3,51,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(17,4,1,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(17,4,1,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(17,4,1,'behaviour','random',2.66222222232156302546e-01,0.0,7.33777777767843808476e-01);
INSERT INTO "evaluation" VALUES(17,4,1,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(17,4,1,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(17,4,1,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(18,3,52,'behaviour','best',9.52534791606012842812e-01,0.0,4.74652083939872682094e-02);
INSERT INTO "evaluation" VALUES(18,3,52,'behaviour','optimal',9.68436737345218401351e-01,0.0,0.0315632626547817);
INSERT INTO "evaluation" VALUES(18,3,52,'behaviour','random',9.73483650985668469424e-01,0.0,2.65163490143316832314e-02);
INSERT INTO "evaluation" VALUES(18,3,52,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(18,3,52,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(18,3,52,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(18,4,2,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(18,4,2,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(18,4,2,'behaviour','random',2.66222222232156302546e-01,0.0,7.33777777767843697453e-01);
INSERT INTO "evaluation" VALUES(18,4,2,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(18,4,2,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(18,4,2,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(19,3,55,'behaviour','best',9.52677044901065528392e-01,0.0,4.73229550989344716072e-02);
INSERT INTO "evaluation" VALUES(19,3,55,'behaviour','optimal',9.68535820384477830202e-01,0.0,3.14641796155223502085e-02);
INSERT INTO "evaluation" VALUES(19,3,55,'behaviour','random',9.73566710838277393769e-01,0.0,2.64332891617227970504e-02);
INSERT INTO "evaluation" VALUES(19,3,55,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(19,3,55,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(19,3,55,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(19,4,5,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(19,4,5,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(19,4,5,'behaviour','random',2.66222222232156302546e-01,0.0,7.33777777767843697453e-01);
INSERT INTO "evaluation" VALUES(19,4,5,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(19,4,5,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(19,4,5,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(20,3,60,'behaviour','best',0.952913186920341,0.0,4.70868130796588957309e-02);
INSERT INTO "evaluation" VALUES(20,3,60,'behaviour','optimal',9.68700239738883639439e-01,0.0,3.12997602611164577046e-02);
INSERT INTO "evaluation" VALUES(20,3,60,'behaviour','random',0.973704543442316,0.0,2.62954565576840673668e-02);
INSERT INTO "evaluation" VALUES(20,3,60,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(20,3,60,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(20,3,60,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(20,4,10,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(20,4,10,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(20,4,10,'behaviour','random',2.66222222232156302546e-01,0.0,7.33777777767843697453e-01);
INSERT INTO "evaluation" VALUES(20,4,10,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(20,4,10,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(20,4,10,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(21,3,70,'behaviour','best',9.53381941770203522601e-01,0.0,4.66180582297965884208e-02);
INSERT INTO "evaluation" VALUES(21,3,70,'behaviour','optimal',9.69026400885717564825e-01,0.0,3.09735991142823102739e-02);
INSERT INTO "evaluation" VALUES(21,3,70,'behaviour','random',9.73977972489112775456e-01,0.0,2.60220275108870892355e-02);
INSERT INTO "evaluation" VALUES(21,3,70,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(21,3,70,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(21,3,70,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(21,4,20,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(21,4,20,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(21,4,20,'behaviour','random',2.66222222232156302546e-01,0.0,7.33777777767843697453e-01);
INSERT INTO "evaluation" VALUES(21,4,20,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(21,4,20,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(21,4,20,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(23,3,70,'behaviour','best',9.53381941770203522601e-01,0.0,4.66180582297965884208e-02);
INSERT INTO "evaluation" VALUES(23,3,70,'behaviour','optimal',9.69026400885717564825e-01,0.0,3.09735991142823102739e-02);
INSERT INTO "evaluation" VALUES(23,3,70,'behaviour','random',9.73977972489112775456e-01,0.0,2.60220275108870892355e-02);
INSERT INTO "evaluation" VALUES(23,3,70,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(23,3,70,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(23,3,70,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(24,3,71,'behaviour','best',9.53428559820167609295e-01,0.0,4.65714401798322796821e-02);
INSERT INTO "evaluation" VALUES(24,3,71,'behaviour','optimal',9.69058821859157148992e-01,0.0,3.09411781408429065187e-02);
INSERT INTO "evaluation" VALUES(24,3,71,'behaviour','random',9.74005152415863606485e-01,0.0,2.59948475841365149452e-02);
INSERT INTO "evaluation" VALUES(24,3,71,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(24,3,71,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(24,3,71,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(25,3,71,'behaviour','best',9.53428559820167609295e-01,0.0,4.65714401798322796821e-02);
INSERT INTO "evaluation" VALUES(25,3,71,'behaviour','optimal',9.69058821859157148992e-01,0.0,3.09411781408429065187e-02);
INSERT INTO "evaluation" VALUES(25,3,71,'behaviour','random',9.74005152415863606485e-01,0.0,2.59948475841365149452e-02);
INSERT INTO "evaluation" VALUES(25,3,71,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(25,3,71,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(25,3,71,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(26,3,72,'behaviour','best',9.53475131304003298282e-01,0.0,0.0465248686959967);
INSERT INTO "evaluation" VALUES(26,3,72,'behaviour','optimal',9.69091207554415801084e-01,0.0,3.09087924455843966742e-02);
INSERT INTO "evaluation" VALUES(26,3,72,'behaviour','random',9.74032302878306111004e-01,0.0,2.5967697121694097162e-02);
INSERT INTO "evaluation" VALUES(26,3,72,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(26,3,72,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(26,3,72,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(27,3,72,'behaviour','best',9.53475131304003298282e-01,0.0,0.0465248686959967);
INSERT INTO "evaluation" VALUES(27,3,72,'behaviour','optimal',9.69091207554415801084e-01,0.0,3.09087924455843966742e-02);
INSERT INTO "evaluation" VALUES(27,3,72,'behaviour','random',9.74032302878306111004e-01,0.0,2.5967697121694097162e-02);
INSERT INTO "evaluation" VALUES(27,3,72,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(27,3,72,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(27,3,72,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(28,3,73,'behaviour','best',9.53521656163502595582e-01,0.0,4.64783438364975154399e-02);
INSERT INTO "evaluation" VALUES(28,3,73,'behaviour','optimal',9.69123557939695845497e-01,0.0,3.08764420603042169521e-02);
INSERT INTO "evaluation" VALUES(28,3,73,'behaviour','random',9.74059423849450212173e-01,0.0,2.59405761505499751762e-02);
INSERT INTO "evaluation" VALUES(28,3,73,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(28,3,73,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(28,3,73,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(29,2,110,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(29,2,110,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(29,2,110,'behaviour','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(29,2,110,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(29,2,110,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(29,2,110,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(30,2,111,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(30,2,111,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(30,2,111,'behaviour','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(30,2,111,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(30,2,111,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(30,2,111,'greedy','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(31,2,111,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(31,2,111,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(31,2,111,'behaviour','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(31,2,111,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(31,2,111,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(31,2,111,'greedy','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(32,2,112,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(32,2,112,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(32,2,112,'behaviour','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(32,2,112,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(32,2,112,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(32,2,112,'greedy','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(33,1,60,'behaviour','best',8.31481481481481377038e-01,0.0,1.68518518518518511939e-01);
INSERT INTO "evaluation" VALUES(33,1,60,'behaviour','optimal',8.95687480123932400211e-01,0.0,1.04312519876067502644e-01);
INSERT INTO "evaluation" VALUES(33,1,60,'behaviour','random',9.13066876915316405494e-01,0.0,8.69331230846835667502e-02);
INSERT INTO "evaluation" VALUES(33,1,60,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(33,1,60,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(33,1,60,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(34,1,61,'behaviour','best',8.34583049306975688352e-01,0.0,1.65416950693024311647e-01);
INSERT INTO "evaluation" VALUES(34,1,61,'behaviour','optimal',8.97607342452939938048e-01,0.0,1.02392657547060145217e-01);
INSERT INTO "evaluation" VALUES(34,1,61,'behaviour','random',9.14666873045709372114e-01,0.0,8.53331269542906417635e-02);
INSERT INTO "evaluation" VALUES(34,1,61,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(34,1,61,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(34,1,61,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(35,2,112,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(35,2,112,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(35,2,112,'behaviour','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(35,2,112,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(35,2,112,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(35,2,112,'greedy','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(35,3,73,'behaviour','best',9.53521656163502595582e-01,0.0,4.64783438364975154399e-02);
INSERT INTO "evaluation" VALUES(35,3,73,'behaviour','optimal',9.69123557939695845497e-01,0.0,3.08764420603042169521e-02);
INSERT INTO "evaluation" VALUES(35,3,73,'behaviour','random',9.74059423849450212173e-01,0.0,2.59405761505499751762e-02);
INSERT INTO "evaluation" VALUES(35,3,73,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(35,3,73,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(35,3,73,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(36,2,113,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(36,2,113,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(36,2,113,'behaviour','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(36,2,113,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(36,2,113,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(36,2,113,'greedy','random',2.66666666666666607454e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(36,3,74,'behaviour','best',9.53568134515080489954e-01,0.0,0.0464318654849194);
INSERT INTO "evaluation" VALUES(36,3,74,'behaviour','optimal',9.69155873104611487178e-01,0.0,3.08441268953887175185e-02);
INSERT INTO "evaluation" VALUES(36,3,74,'behaviour','random',9.74086515404091302094e-01,0.0,2.59134845959088228051e-02);
INSERT INTO "evaluation" VALUES(36,3,74,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(36,3,74,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(36,3,74,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(37,2,114,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(37,2,114,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(37,2,114,'behaviour','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(37,2,114,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(37,2,114,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(37,2,114,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(37,3,75,'behaviour','best',9.53614566358737647533e-01,0.0,4.63854336412623524665e-02);
INSERT INTO "evaluation" VALUES(37,3,75,'behaviour','optimal',0.971706753046136,0.0,2.82932469538640929407e-02);
INSERT INTO "evaluation" VALUES(37,3,75,'behaviour','random',9.75792644208031467734e-01,0.0,2.42073557919685808381e-02);
INSERT INTO "evaluation" VALUES(37,3,75,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(37,3,75,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(37,3,75,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(38,2,117,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(38,2,117,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(38,2,117,'behaviour','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(38,2,117,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(38,2,117,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(38,2,117,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(38,3,78,'behaviour','best',9.53753583540674187979e-01,0.0,0.0462464164593257);
INSERT INTO "evaluation" VALUES(38,3,78,'behaviour','optimal',0.971797548373408,0.0,2.82024516265919900082e-02);
INSERT INTO "evaluation" VALUES(38,3,78,'behaviour','random',9.75869765439206560131e-01,0.0,2.41302345607934606852e-02);
INSERT INTO "evaluation" VALUES(38,3,78,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(38,3,78,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(38,3,78,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(39,2,122,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(39,2,122,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(39,2,122,'behaviour','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(39,2,122,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(39,2,122,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(39,2,122,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(39,3,83,'behaviour','best',9.53984353633131831884e-01,0.0,4.60156463668681681156e-02);
INSERT INTO "evaluation" VALUES(39,3,83,'behaviour','optimal',9.71948189995584743705e-01,0.0,2.80518100044152528249e-02);
INSERT INTO "evaluation" VALUES(39,3,83,'behaviour','random',9.7599772687091013168e-01,0.0,2.40022731290898024003e-02);
INSERT INTO "evaluation" VALUES(39,3,83,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(39,3,83,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(39,3,83,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(40,2,132,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(40,2,132,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(40,2,132,'behaviour','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(40,2,132,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(40,2,132,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(40,2,132,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(40,3,93,'behaviour','best',9.54442444897722452878e-01,0.0,4.5557555102277547121e-02);
INSERT INTO "evaluation" VALUES(40,3,93,'behaviour','optimal',9.72246927336938737695e-01,0.0,2.77530726630611929151e-02);
INSERT INTO "evaluation" VALUES(40,3,93,'behaviour','random',9.76251512917537422886e-01,0.0,2.3748487082462479969e-02);
INSERT INTO "evaluation" VALUES(40,3,93,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(40,3,93,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(40,3,93,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(41,2,162,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(41,2,162,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(41,2,162,'behaviour','random',2.66666666666666718477e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(41,2,162,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(41,2,162,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(41,2,162,'greedy','random',2.66666666666666718477e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(41,3,123,'behaviour','best',0.955789537751116,0.0,4.42104622488841414451e-02);
INSERT INTO "evaluation" VALUES(41,3,123,'behaviour','optimal',9.86466951616799314628e-01,0.0,1.35330483832008519051e-02);
INSERT INTO "evaluation" VALUES(41,3,123,'behaviour','random',9.87509386268671240927e-01,0.0,1.2490613731328845809e-02);
INSERT INTO "evaluation" VALUES(41,3,123,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(41,3,123,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(41,3,123,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(42,2,212,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(42,2,212,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(42,2,212,'behaviour','random',2.66666666666666718477e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(42,2,212,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(42,2,212,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(42,2,212,'greedy','random',2.66666666666666718477e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(42,3,173,'behaviour','best',0.957946759473998,0.0,0.0420532405260019);
INSERT INTO "evaluation" VALUES(42,3,173,'behaviour','optimal',0.987345011801829,0.0,1.26549881981710236888e-02);
INSERT INTO "evaluation" VALUES(42,3,173,'behaviour','random',9.8828819848915583357e-01,0.0,1.17118015108442167365e-02);
INSERT INTO "evaluation" VALUES(42,3,173,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(42,3,173,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(42,3,173,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(43,6,0,'behaviour','best',0.75,0.0,0.25);
INSERT INTO "evaluation" VALUES(43,6,0,'behaviour','optimal',7.99999999999999933386e-01,0.0,0.2);
INSERT INTO "evaluation" VALUES(43,6,0,'behaviour','random',8.33333333333333259318e-01,0.0,1.66666666666666657414e-01);
INSERT INTO "evaluation" VALUES(43,6,0,'greedy','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(43,6,0,'greedy','optimal',7.33333333333333281522e-01,0.0,2.66666666666666662965e-01);
INSERT INTO "evaluation" VALUES(43,6,0,'greedy','random',7.77777777777777679091e-01,0.0,2.22222222222222209886e-01);
INSERT INTO "evaluation" VALUES(44,6,1,'behaviour','best',5.45454545454545414173e-01,0.0,4.54545454545454585826e-01);
INSERT INTO "evaluation" VALUES(44,6,1,'behaviour','optimal',6.94805194805194870077e-01,0.0,3.05194805194805240944e-01);
INSERT INTO "evaluation" VALUES(44,6,1,'behaviour','random',7.48917748917749093173e-01,0.0,2.5108225108225112887e-01);
INSERT INTO "evaluation" VALUES(44,6,1,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(44,6,1,'greedy','optimal',5.00000000000000111022e-01,0.0,0.5);
INSERT INTO "evaluation" VALUES(44,6,1,'greedy','random',6.00000000000000088817e-01,0.0,3.99999999999999966693e-01);
INSERT INTO "evaluation" VALUES(45,6,2,'behaviour','best',6.00000000000000088817e-01,0.0,0.4);
INSERT INTO "evaluation" VALUES(45,6,2,'behaviour','optimal',0.72,0.0,0.28);
INSERT INTO "evaluation" VALUES(45,6,2,'behaviour','random',7.68888888888888843986e-01,0.0,2.31111111111111100502e-01);
INSERT INTO "evaluation" VALUES(45,6,2,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(45,6,2,'greedy','optimal',5.00000000000000111022e-01,0.0,0.5);
INSERT INTO "evaluation" VALUES(45,6,2,'greedy','random',6.00000000000000088817e-01,0.0,3.99999999999999966693e-01);
INSERT INTO "evaluation" VALUES(46,6,5,'behaviour','best',6.72727272727272729291e-01,0.0,3.27272727272727270708e-01);
INSERT INTO "evaluation" VALUES(46,6,5,'behaviour','optimal',7.86139315230224289265e-01,0.0,2.13860684769775655222e-01);
INSERT INTO "evaluation" VALUES(46,6,5,'behaviour','random',8.2365997638724908203e-01,0.0,1.76340023612750862458e-01);
INSERT INTO "evaluation" VALUES(46,6,5,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(46,6,5,'greedy','optimal',5.8333333333333337034e-01,0.0,4.16666666666666740681e-01);
INSERT INTO "evaluation" VALUES(46,6,5,'greedy','random',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(47,6,10,'behaviour','best',7.22222222222222209886e-01,0.0,2.77777777777777790113e-01);
INSERT INTO "evaluation" VALUES(47,6,10,'behaviour','optimal',8.28860028860028852371e-01,0.0,1.71139971139971147628e-01);
INSERT INTO "evaluation" VALUES(47,6,10,'behaviour','random',8.59499759499759430347e-01,0.0,1.4050024050024051414e-01);
INSERT INTO "evaluation" VALUES(47,6,10,'greedy','best',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(47,6,10,'greedy','optimal',8.22222222222222187681e-01,0.0,1.77777777777777756806e-01);
INSERT INTO "evaluation" VALUES(47,6,10,'greedy','random',8.6666666666666658525e-01,0.0,1.33333333333333303727e-01);
INSERT INTO "evaluation" VALUES(48,6,20,'behaviour','best',8.82478632478632452063e-01,0.0,1.17521367521367520181e-01);
INSERT INTO "evaluation" VALUES(48,6,20,'behaviour','optimal',9.27594627594627518796e-01,0.0,0.0724053724053724);
INSERT INTO "evaluation" VALUES(48,6,20,'behaviour','random',9.4055759055759036169e-01,0.0,5.94424094424094440203e-02);
INSERT INTO "evaluation" VALUES(48,6,20,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(48,6,20,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(48,6,20,'greedy','random',1.0,0.0,0.0);
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
INSERT INTO "game" VALUES(1,24,1,'1,0,2','000','111','board','X');
INSERT INTO "game" VALUES(2,26,1,'1,0,2','000','111','board','X');
INSERT INTO "game" VALUES(3,28,1,'1,0,2','100','111','board','X');
INSERT INTO "game" VALUES(4,30,1,'0,4,1','000','111','board','X');
INSERT INTO "game" VALUES(5,32,1,'0,5,1','000','111','board','X');
INSERT INTO "game" VALUES(6,34,1,'1,3,4','000','111','board','X');
CREATE TABLE learner (
    -- a machine that plays one side; its settings never change
    learner_id   INTEGER PRIMARY KEY, -- its number, which never changes
    name         TEXT    NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 60), -- its name
    plays        TEXT    NOT NULL CHECK (plays IN ('X', 'O')), -- its side
    algorithm    TEXT    NOT NULL, -- how it learns, such as menace
    revision     INTEGER NOT NULL CHECK (revision >= 1), -- of the algorithm: another one would learn otherwise
    preset       TEXT    NOT NULL, -- the named settings that it was made from
    settings     TEXT    NOT NULL CHECK (json_valid(settings)), -- all its settings, as a JSON object
    seed         INTEGER          CHECK (seed >= 0), -- of its random start; NULL if it did not start at random
    games        INTEGER NOT NULL DEFAULT 0 CHECK (games >= 0), -- how many games it has learned from
    epsilon      REAL             CHECK (epsilon BETWEEN 0 AND 1), -- its chance to explore next; NULL if it never does
    outcome_mean REAL             CHECK (outcome_mean BETWEEN -1 AND 1), -- running mean of results, if it keeps one
    created_at   TEXT    NOT NULL -- when it was made, UTC
) STRICT;
INSERT INTO "learner" VALUES(1,'beads','X','menace',1,'scroggs','{"boxes": "choices", "beads": [8, 4, 2, 1], "merged": true, "win": 3, "draw": 1, "loss": -1, "floor": 0, "when_empty": "resign", "pick": "bead", "rewards": "outcome", "epsilon": 0.0, "epsilon_decay": 1.0, "epsilon_least": 0.0}',NULL,61,NULL,NULL,'2026-11-21T19:05:27Z');
INSERT INTO "learner" VALUES(2,'code','O','menace',1,'article-code','{"boxes": "choices", "beads": [2], "merged": true, "win": 3, "draw": 1, "loss": -1, "floor": 1, "when_empty": "restock", "pick": "favourite", "rewards": "length", "epsilon": 0.0, "epsilon_decay": 1.0, "epsilon_least": 0.0}',NULL,212,0.0,NULL,'2026-11-21T19:05:28Z');
INSERT INTO "learner" VALUES(3,'fullest','X','menace',1,'menace','{"boxes": "choices", "beads": [4, 3, 2, 1], "merged": true, "win": 3, "draw": 1, "loss": -1, "floor": 0, "when_empty": "restock", "pick": "favourite", "rewards": "outcome", "epsilon": 0.2, "epsilon_decay": 0.999, "epsilon_least": 0.05}',NULL,173,1.68212962209967731297e-01,NULL,'2026-11-21T19:05:28Z');
INSERT INTO "learner" VALUES(4,'zhang','O','td',1,'zhang','{"epsilon": 0.01, "epsilon_decay": 1.0, "epsilon_least": 0.0, "epsilon_first": false, "ties": "random", "alpha": 0.1, "win": 1.0, "draw": 0.5, "loss": 0.0, "drawn_by_other": 0.5, "initial": "constant", "initial_value": 0.5, "backup": "all", "from_exploration": false}',NULL,20,0.01,NULL,'2026-11-21T19:05:28Z');
INSERT INTO "learner" VALUES(5,'code copied','O','menace',1,'article-code','{"boxes": "choices", "beads": [2], "merged": true, "win": 3, "draw": 1, "loss": -1, "floor": 1, "when_empty": "restock", "pick": "favourite", "rewards": "length", "epsilon": 0.0, "epsilon_decay": 1.0, "epsilon_least": 0.0}',NULL,110,0.0,NULL,'2026-11-21T19:05:30Z');
INSERT INTO "learner" VALUES(6,'drawn','X','menace',1,'article-code','{"boxes": "choices", "beads": [2], "merged": true, "win": 3, "draw": 1, "loss": -1, "floor": 1, "when_empty": "restock", "pick": "bead", "rewards": "outcome", "epsilon": 0.0, "epsilon_decay": 1.0, "epsilon_least": 0.0}',NULL,20,NULL,NULL,'2026-11-21T19:10:31Z');
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
INSERT INTO "matchbox" VALUES(1,0,0,104,44);
INSERT INTO "matchbox" VALUES(1,0,1,59,17);
INSERT INTO "matchbox" VALUES(1,3,2,3,1);
INSERT INTO "matchbox" VALUES(1,3,3,16,4);
INSERT INTO "matchbox" VALUES(1,3,4,13,3);
INSERT INTO "matchbox" VALUES(1,3,5,4,0);
INSERT INTO "matchbox" VALUES(1,4,1,13,3);
INSERT INTO "matchbox" VALUES(1,4,3,19,5);
INSERT INTO "matchbox" VALUES(1,4,4,7,1);
INSERT INTO "matchbox" VALUES(1,4,5,2,2);
INSERT INTO "matchbox" VALUES(1,5,1,10,2);
INSERT INTO "matchbox" VALUES(1,5,2,2,2);
INSERT INTO "matchbox" VALUES(1,5,4,10,2);
INSERT INTO "matchbox" VALUES(1,5,5,5,3);
INSERT INTO "matchbox" VALUES(1,6,1,13,3);
INSERT INTO "matchbox" VALUES(1,6,2,4,0);
INSERT INTO "matchbox" VALUES(1,6,3,10,2);
INSERT INTO "matchbox" VALUES(1,6,5,2,2);
INSERT INTO "matchbox" VALUES(1,7,1,7,1);
INSERT INTO "matchbox" VALUES(1,7,2,4,0);
INSERT INTO "matchbox" VALUES(1,7,3,16,4);
INSERT INTO "matchbox" VALUES(1,7,4,16,4);
INSERT INTO "matchbox" VALUES(1,8,2,10,2);
INSERT INTO "matchbox" VALUES(1,8,3,4,0);
INSERT INTO "matchbox" VALUES(1,8,4,7,1);
INSERT INTO "matchbox" VALUES(1,8,5,13,3);
INSERT INTO "matchbox" VALUES(1,9,1,13,3);
INSERT INTO "matchbox" VALUES(1,9,2,13,3);
INSERT INTO "matchbox" VALUES(1,9,3,7,1);
INSERT INTO "matchbox" VALUES(1,9,5,4,0);
INSERT INTO "matchbox" VALUES(1,10,0,13,3);
INSERT INTO "matchbox" VALUES(1,10,3,7,1);
INSERT INTO "matchbox" VALUES(1,33,1,2,0);
INSERT INTO "matchbox" VALUES(1,33,4,2,0);
INSERT INTO "matchbox" VALUES(1,34,1,5,1);
INSERT INTO "matchbox" VALUES(2,1,1,1,8);
INSERT INTO "matchbox" VALUES(2,1,2,1,14);
INSERT INTO "matchbox" VALUES(2,1,3,1,12);
INSERT INTO "matchbox" VALUES(2,1,4,1,11);
INSERT INTO "matchbox" VALUES(2,1,5,1,13);
INSERT INTO "matchbox" VALUES(2,2,0,1,65);
INSERT INTO "matchbox" VALUES(2,2,3,1,67);
INSERT INTO "matchbox" VALUES(2,2,4,1,22);
INSERT INTO "matchbox" VALUES(2,15,3,2,0);
INSERT INTO "matchbox" VALUES(2,15,4,4,1);
INSERT INTO "matchbox" VALUES(2,18,2,2,0);
INSERT INTO "matchbox" VALUES(2,18,3,2,0);
INSERT INTO "matchbox" VALUES(2,18,4,8,3);
INSERT INTO "matchbox" VALUES(2,19,1,2,0);
INSERT INTO "matchbox" VALUES(2,19,4,8,3);
INSERT INTO "matchbox" VALUES(2,19,5,2,0);
INSERT INTO "matchbox" VALUES(2,20,1,2,0);
INSERT INTO "matchbox" VALUES(2,20,3,4,1);
INSERT INTO "matchbox" VALUES(2,23,1,2,0);
INSERT INTO "matchbox" VALUES(2,23,3,1,1);
INSERT INTO "matchbox" VALUES(2,23,4,10,4);
INSERT INTO "matchbox" VALUES(3,0,0,28,12);
INSERT INTO "matchbox" VALUES(3,0,1,487,161);
INSERT INTO "matchbox" VALUES(3,3,2,3,0);
INSERT INTO "matchbox" VALUES(3,3,3,3,0);
INSERT INTO "matchbox" VALUES(3,3,4,3,0);
INSERT INTO "matchbox" VALUES(3,3,5,3,0);
INSERT INTO "matchbox" VALUES(3,4,1,3,0);
INSERT INTO "matchbox" VALUES(3,4,3,12,3);
INSERT INTO "matchbox" VALUES(3,4,4,3,0);
INSERT INTO "matchbox" VALUES(3,4,5,3,0);
INSERT INTO "matchbox" VALUES(3,5,1,3,0);
INSERT INTO "matchbox" VALUES(3,5,2,2,1);
INSERT INTO "matchbox" VALUES(3,5,4,9,2);
INSERT INTO "matchbox" VALUES(3,5,5,3,0);
INSERT INTO "matchbox" VALUES(3,6,1,6,1);
INSERT INTO "matchbox" VALUES(3,6,2,2,1);
INSERT INTO "matchbox" VALUES(3,6,3,3,0);
INSERT INTO "matchbox" VALUES(3,6,5,2,1);
INSERT INTO "matchbox" VALUES(3,7,1,3,0);
INSERT INTO "matchbox" VALUES(3,7,2,3,0);
INSERT INTO "matchbox" VALUES(3,7,3,12,3);
INSERT INTO "matchbox" VALUES(3,7,4,3,0);
INSERT INTO "matchbox" VALUES(3,8,2,183,60);
INSERT INTO "matchbox" VALUES(3,8,3,12,3);
INSERT INTO "matchbox" VALUES(3,8,4,9,2);
INSERT INTO "matchbox" VALUES(3,8,5,15,4);
INSERT INTO "matchbox" VALUES(3,9,1,6,1);
INSERT INTO "matchbox" VALUES(3,9,2,189,62);
INSERT INTO "matchbox" VALUES(3,9,3,15,4);
INSERT INTO "matchbox" VALUES(3,9,5,6,1);
INSERT INTO "matchbox" VALUES(3,10,0,9,2);
INSERT INTO "matchbox" VALUES(3,10,3,69,22);
INSERT INTO "matchbox" VALUES(3,33,1,2,0);
INSERT INTO "matchbox" VALUES(3,33,4,2,0);
INSERT INTO "matchbox" VALUES(3,34,1,2,0);
INSERT INTO "matchbox" VALUES(5,1,1,1,8);
INSERT INTO "matchbox" VALUES(5,1,2,1,12);
INSERT INTO "matchbox" VALUES(5,1,3,1,9);
INSERT INTO "matchbox" VALUES(5,1,4,2,8);
INSERT INTO "matchbox" VALUES(5,1,5,1,9);
INSERT INTO "matchbox" VALUES(5,2,0,1,28);
INSERT INTO "matchbox" VALUES(5,2,3,1,24);
INSERT INTO "matchbox" VALUES(5,2,4,1,12);
INSERT INTO "matchbox" VALUES(5,15,3,2,0);
INSERT INTO "matchbox" VALUES(5,15,4,4,1);
INSERT INTO "matchbox" VALUES(5,18,2,2,0);
INSERT INTO "matchbox" VALUES(5,18,3,2,0);
INSERT INTO "matchbox" VALUES(5,18,4,8,3);
INSERT INTO "matchbox" VALUES(5,19,1,2,0);
INSERT INTO "matchbox" VALUES(5,19,4,6,2);
INSERT INTO "matchbox" VALUES(5,19,5,2,0);
INSERT INTO "matchbox" VALUES(5,20,1,2,0);
INSERT INTO "matchbox" VALUES(5,20,3,2,0);
INSERT INTO "matchbox" VALUES(5,23,1,2,0);
INSERT INTO "matchbox" VALUES(5,23,3,1,1);
INSERT INTO "matchbox" VALUES(5,23,4,10,4);
INSERT INTO "matchbox" VALUES(6,0,0,11,7);
INSERT INTO "matchbox" VALUES(6,0,1,41,13);
INSERT INTO "matchbox" VALUES(6,3,2,2,0);
INSERT INTO "matchbox" VALUES(6,3,3,5,1);
INSERT INTO "matchbox" VALUES(6,3,4,2,0);
INSERT INTO "matchbox" VALUES(6,3,5,2,0);
INSERT INTO "matchbox" VALUES(6,4,1,2,0);
INSERT INTO "matchbox" VALUES(6,4,3,2,0);
INSERT INTO "matchbox" VALUES(6,4,4,5,1);
INSERT INTO "matchbox" VALUES(6,4,5,2,0);
INSERT INTO "matchbox" VALUES(6,5,1,2,0);
INSERT INTO "matchbox" VALUES(6,5,2,2,0);
INSERT INTO "matchbox" VALUES(6,5,4,2,0);
INSERT INTO "matchbox" VALUES(6,5,5,3,3);
INSERT INTO "matchbox" VALUES(6,6,1,2,0);
INSERT INTO "matchbox" VALUES(6,6,2,2,0);
INSERT INTO "matchbox" VALUES(6,6,3,2,0);
INSERT INTO "matchbox" VALUES(6,6,5,1,1);
INSERT INTO "matchbox" VALUES(6,7,1,5,1);
INSERT INTO "matchbox" VALUES(6,7,2,2,0);
INSERT INTO "matchbox" VALUES(6,7,3,2,0);
INSERT INTO "matchbox" VALUES(6,7,4,2,0);
INSERT INTO "matchbox" VALUES(6,8,2,5,1);
INSERT INTO "matchbox" VALUES(6,8,3,2,0);
INSERT INTO "matchbox" VALUES(6,8,4,5,1);
INSERT INTO "matchbox" VALUES(6,8,5,2,0);
INSERT INTO "matchbox" VALUES(6,9,1,2,0);
INSERT INTO "matchbox" VALUES(6,9,2,8,2);
INSERT INTO "matchbox" VALUES(6,9,3,8,2);
INSERT INTO "matchbox" VALUES(6,9,5,20,6);
INSERT INTO "matchbox" VALUES(6,10,0,5,1);
INSERT INTO "matchbox" VALUES(6,10,3,2,0);
INSERT INTO "matchbox" VALUES(6,33,1,2,0);
INSERT INTO "matchbox" VALUES(6,33,4,2,0);
INSERT INTO "matchbox" VALUES(6,34,1,5,1);
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
    kind         TEXT    NOT NULL CHECK (kind IN ('selfplay', 'train', 'copy', 'play', 'recount')), -- what was ordered
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
INSERT INTO "run" VALUES(1,'train','beads','code',1,2,1,1,60,60,3,'{}','0.1.0','2026-11-21T19:05:29Z','2026-11-21T19:05:29Z');
INSERT INTO "run" VALUES(2,'train','fullest','code',3,2,1,1,50,50,4,'{}','0.1.0','2026-11-21T19:05:29Z','2026-11-21T19:05:29Z');
INSERT INTO "run" VALUES(3,'train','fullest','zhang',3,4,1,1,20,20,5,'{}','0.1.0','2026-11-21T19:05:30Z','2026-11-21T19:05:30Z');
INSERT INTO "run" VALUES(4,'copy','nobody','code copied',NULL,5,0,1,0,0,0,'{"copied_from": 2}','0.1.0','2026-11-21T19:05:30Z','2026-11-21T19:05:30Z');
INSERT INTO "run" VALUES(5,'play','fullest','human',3,NULL,1,0,1,1,1,'{}','0.1.0','2026-11-21T19:05:30Z','2026-11-21T19:05:30Z');
INSERT INTO "run" VALUES(6,'play','fullest','human',3,NULL,1,0,1,1,2,'{}','0.1.0','2026-11-21T19:05:31Z','2026-11-21T19:05:31Z');
INSERT INTO "run" VALUES(7,'play','fullest','human',3,NULL,1,0,1,1,3,'{}','0.1.0','2026-11-21T19:05:31Z','2026-11-21T19:05:31Z');
INSERT INTO "run" VALUES(8,'play','human','code',NULL,2,0,1,1,1,1,'{}','0.1.0','2026-11-21T19:05:31Z','2026-11-21T19:05:31Z');
INSERT INTO "run" VALUES(9,'play','human','code',NULL,2,0,1,1,1,2,'{}','0.1.0','2026-11-21T19:05:32Z','2026-11-21T19:05:32Z');
INSERT INTO "run" VALUES(10,'play','beads','human',1,NULL,1,0,1,1,3,'{}','0.1.0','2026-11-21T19:05:32Z','2026-11-21T19:05:32Z');
INSERT INTO "run" VALUES(11,'train','fullest','code',3,2,1,1,300,100,12,'{}','0.1.0','2026-11-21T19:05:32Z',NULL);
INSERT INTO "run" VALUES(12,'train','drawn','random',6,NULL,1,0,20,20,6,'{}','0.1.0','2026-11-21T19:10:31Z','2026-11-21T19:10:31Z');
CREATE TABLE state_value (
    -- what a learner that values positions expects of one
    learner_id  INTEGER NOT NULL REFERENCES learner (learner_id), -- the learner
    position_id INTEGER NOT NULL REFERENCES position (position_id), -- the position
    value       REAL    NOT NULL CHECK (abs(value) < 9e999), -- finite; its settings say what a win is worth
    updates     INTEGER NOT NULL DEFAULT 0 CHECK (updates >= 0), -- how often it was learned from
    PRIMARY KEY (learner_id, position_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "state_value" VALUES(4,0,4.05111845706858875182e-01,20);
INSERT INTO "state_value" VALUES(4,1,0.5,0);
INSERT INTO "state_value" VALUES(4,2,3.30323944513625677998e-01,19);
INSERT INTO "state_value" VALUES(4,3,0.5,0);
INSERT INTO "state_value" VALUES(4,4,0.5,0);
INSERT INTO "state_value" VALUES(4,5,0.5,0);
INSERT INTO "state_value" VALUES(4,6,0.5,0);
INSERT INTO "state_value" VALUES(4,7,0.5,0);
INSERT INTO "state_value" VALUES(4,8,0.23914845,7);
INSERT INTO "state_value" VALUES(4,9,0.23914845,7);
INSERT INTO "state_value" VALUES(4,10,0.2657205,6);
INSERT INTO "state_value" VALUES(4,15,0.5,0);
INSERT INTO "state_value" VALUES(4,18,0.5,0);
INSERT INTO "state_value" VALUES(4,19,0.5,0);
INSERT INTO "state_value" VALUES(4,20,0.5,0);
INSERT INTO "state_value" VALUES(4,23,0.5,0);
INSERT INTO "state_value" VALUES(4,33,0.5,0);
INSERT INTO "state_value" VALUES(4,34,0.5,0);
CREATE UNIQUE INDEX rules_has_one_row ON rules ((1));
CREATE INDEX move_by_next_position ON move (next_position_id);
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
JOIN learner ON learner.learner_id = matchbox.learner_id
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
JOIN learner ON learner.learner_id = box.learner_id
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
JOIN learner ON learner.learner_id = evaluation.learner_id
JOIN block ON block.block_id = evaluation.block_id;
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
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('block',48);
COMMIT;
