-- A database of schema 1, as menace wrote it before 0.1.0: the game 2x3x2, learners of every algorithm, self-play,
-- training, a copy, games with people on both sides, a recount, and a run that was interrupted. Made by its own commands
-- and dumped by Python's sqlite3 (`iterdump`); never written again, so that the way from that format stays tested.
PRAGMA application_id = 1296974661;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE action_value (
    learner_id  INTEGER NOT NULL REFERENCES learner,
    position_id INTEGER NOT NULL,
    action      INTEGER NOT NULL,
    value       REAL    NOT NULL,
    updates     INTEGER NOT NULL DEFAULT 0 CHECK (updates >= 0),
    PRIMARY KEY (learner_id, position_id, action),
    FOREIGN KEY (position_id, action) REFERENCES move
) STRICT, WITHOUT ROWID;
INSERT INTO "action_value" VALUES(5,0,0,4.56334724045161121974e-01,26);
INSERT INTO "action_value" VALUES(5,0,1,0.95601953488896,14);
INSERT INTO "action_value" VALUES(5,3,2,0.0,0);
INSERT INTO "action_value" VALUES(5,3,3,0.0,0);
INSERT INTO "action_value" VALUES(5,3,4,1.0,6);
INSERT INTO "action_value" VALUES(5,3,5,0.0,0);
INSERT INTO "action_value" VALUES(5,4,1,1.0,2);
INSERT INTO "action_value" VALUES(5,4,3,1.0,1);
INSERT INTO "action_value" VALUES(5,4,4,0.0,0);
INSERT INTO "action_value" VALUES(5,4,5,-0.2,1);
INSERT INTO "action_value" VALUES(5,5,1,1.0,1);
INSERT INTO "action_value" VALUES(5,5,2,-3.60000000000000042188e-01,2);
INSERT INTO "action_value" VALUES(5,5,4,1.0,1);
INSERT INTO "action_value" VALUES(5,5,5,-0.2,1);
INSERT INTO "action_value" VALUES(5,6,1,1.0,1);
INSERT INTO "action_value" VALUES(5,6,2,-0.2,1);
INSERT INTO "action_value" VALUES(5,6,3,0.0,0);
INSERT INTO "action_value" VALUES(5,6,5,-0.2,1);
INSERT INTO "action_value" VALUES(5,7,1,1.0,4);
INSERT INTO "action_value" VALUES(5,7,2,-3.60000000000000042188e-01,2);
INSERT INTO "action_value" VALUES(5,7,3,1.0,2);
INSERT INTO "action_value" VALUES(5,7,4,0.0,0);
INSERT INTO "action_value" VALUES(5,8,2,0.0,0);
INSERT INTO "action_value" VALUES(5,8,3,1.0,1);
INSERT INTO "action_value" VALUES(5,8,4,1.0,1);
INSERT INTO "action_value" VALUES(5,8,5,1.0,2);
INSERT INTO "action_value" VALUES(5,9,1,1.0,2);
INSERT INTO "action_value" VALUES(5,9,2,1.0,1);
INSERT INTO "action_value" VALUES(5,9,3,1.0,3);
INSERT INTO "action_value" VALUES(5,9,5,0.0,0);
INSERT INTO "action_value" VALUES(5,10,0,1.0,3);
INSERT INTO "action_value" VALUES(5,10,3,1.0,1);
INSERT INTO "action_value" VALUES(5,33,1,0.0,0);
INSERT INTO "action_value" VALUES(5,33,4,0.0,0);
INSERT INTO "action_value" VALUES(5,34,1,0.0,0);
INSERT INTO "action_value" VALUES(6,0,0,9.09494701772928237915e-13,0);
INSERT INTO "action_value" VALUES(6,0,1,9.99999999999587330101e-01,40);
INSERT INTO "action_value" VALUES(6,3,2,0.25,0);
INSERT INTO "action_value" VALUES(6,3,3,0.25,0);
INSERT INTO "action_value" VALUES(6,3,4,0.25,0);
INSERT INTO "action_value" VALUES(6,3,5,0.25,0);
INSERT INTO "action_value" VALUES(6,4,1,0.25,0);
INSERT INTO "action_value" VALUES(6,4,3,0.25,0);
INSERT INTO "action_value" VALUES(6,4,4,0.25,0);
INSERT INTO "action_value" VALUES(6,4,5,0.25,0);
INSERT INTO "action_value" VALUES(6,5,1,0.25,0);
INSERT INTO "action_value" VALUES(6,5,2,0.25,0);
INSERT INTO "action_value" VALUES(6,5,4,0.25,0);
INSERT INTO "action_value" VALUES(6,5,5,0.25,0);
INSERT INTO "action_value" VALUES(6,6,1,0.25,0);
INSERT INTO "action_value" VALUES(6,6,2,0.25,0);
INSERT INTO "action_value" VALUES(6,6,3,0.25,0);
INSERT INTO "action_value" VALUES(6,6,5,0.25,0);
INSERT INTO "action_value" VALUES(6,7,1,0.25,0);
INSERT INTO "action_value" VALUES(6,7,2,0.25,0);
INSERT INTO "action_value" VALUES(6,7,3,0.25,0);
INSERT INTO "action_value" VALUES(6,7,4,0.25,0);
INSERT INTO "action_value" VALUES(6,8,2,9.09494701772928237915e-13,0);
INSERT INTO "action_value" VALUES(6,8,3,9.09494701772928237915e-13,0);
INSERT INTO "action_value" VALUES(6,8,4,9.09494701772928237915e-13,0);
INSERT INTO "action_value" VALUES(6,8,5,1.0,11);
INSERT INTO "action_value" VALUES(6,9,1,9.09494701772928237915e-13,0);
INSERT INTO "action_value" VALUES(6,9,2,1.0,14);
INSERT INTO "action_value" VALUES(6,9,3,9.09494701772928237915e-13,0);
INSERT INTO "action_value" VALUES(6,9,5,9.09494701772928237915e-13,0);
INSERT INTO "action_value" VALUES(6,10,0,9.09494701772928237915e-13,0);
INSERT INTO "action_value" VALUES(6,10,3,1.0,15);
INSERT INTO "action_value" VALUES(6,33,1,0.5,0);
INSERT INTO "action_value" VALUES(6,33,4,0.5,0);
CREATE TABLE adjustment (
    block_id     INTEGER NOT NULL REFERENCES block,
    learner_id   INTEGER NOT NULL REFERENCES learner,
    position_id  INTEGER NOT NULL,
    action       INTEGER NOT NULL,
    beads_before INTEGER NOT NULL CHECK (beads_before >= 0),
    beads_after  INTEGER NOT NULL CHECK (beads_after >= 0),
    PRIMARY KEY (block_id, learner_id, position_id, action),
    FOREIGN KEY (position_id, action) REFERENCES move
) STRICT, WITHOUT ROWID;
INSERT INTO "adjustment" VALUES(65,1,0,0,463,464);
INSERT INTO "adjustment" VALUES(65,1,3,2,2,4);
INSERT INTO "adjustment" VALUES(65,1,4,1,3,6);
CREATE TABLE block (
    block_id       INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id         INTEGER NOT NULL REFERENCES run,
    kind           TEXT    NOT NULL CHECK (kind IN ('games', 'human', 'adjustment')),
    games          INTEGER NOT NULL CHECK (games >= 0),
    x_wins         INTEGER NOT NULL CHECK (x_wins >= 0),
    draws          INTEGER NOT NULL CHECK (draws >= 0),
    o_wins         INTEGER NOT NULL CHECK (o_wins >= 0),
    numbers_before INTEGER NOT NULL CHECK (numbers_before >= 0),
    numbers        INTEGER NOT NULL CHECK (numbers >= 0),
    created_at     TEXT    NOT NULL,
    CHECK (games = x_wins + draws + o_wins)
) STRICT;
INSERT INTO "block" VALUES(1,1,'games',0,0,0,0,0,0,'2026-11-21T15:28:08Z');
INSERT INTO "block" VALUES(2,1,'games',1,1,0,0,0,3,'2026-11-21T15:28:08Z');
INSERT INTO "block" VALUES(3,1,'games',1,1,0,0,3,3,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(4,1,'games',3,3,0,0,6,9,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(5,1,'games',5,5,0,0,15,17,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(6,1,'games',10,9,0,1,32,35,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(7,1,'games',30,24,0,6,67,96,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(8,1,'games',50,48,0,2,163,152,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(9,1,'games',100,93,0,7,315,307,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(10,1,'games',100,98,0,2,622,302,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(11,2,'games',0,0,0,0,0,0,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(12,2,'games',1,1,0,0,0,3,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(13,2,'games',1,1,0,0,3,3,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(14,2,'games',3,3,0,0,6,9,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(15,2,'games',5,5,0,0,15,15,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(16,2,'games',10,9,0,1,30,31,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(17,2,'games',30,27,0,3,61,93,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(18,2,'games',50,47,0,3,154,153,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(19,2,'games',50,50,0,0,307,150,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(20,3,'games',0,0,0,0,0,0,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(21,3,'games',1,1,0,0,0,3,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(22,3,'games',1,1,0,0,3,3,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(23,3,'games',3,3,0,0,6,9,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(24,3,'games',5,5,0,0,15,15,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(25,3,'games',10,10,0,0,30,30,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(26,3,'games',20,20,0,0,60,60,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(27,4,'games',0,0,0,0,0,0,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(28,4,'games',1,1,0,0,0,3,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(29,4,'games',1,1,0,0,3,3,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(30,4,'games',3,3,0,0,6,9,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(31,4,'games',5,3,0,2,15,17,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(32,4,'games',10,8,0,2,32,32,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(33,4,'games',20,16,0,4,64,64,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(34,5,'games',0,0,0,0,0,0,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(35,5,'games',1,1,0,0,0,3,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(36,5,'games',1,1,0,0,3,3,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(37,5,'games',3,3,0,0,6,9,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(38,5,'games',5,5,0,0,15,15,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(39,5,'games',10,10,0,0,30,30,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(40,5,'games',20,20,0,0,60,60,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(41,6,'games',0,0,0,0,0,0,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(42,6,'games',1,1,0,0,0,3,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(43,6,'games',1,1,0,0,3,3,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(44,6,'games',3,3,0,0,6,9,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(45,6,'games',5,5,0,0,15,15,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(46,6,'games',10,10,0,0,30,30,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(47,6,'games',20,20,0,0,60,60,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(48,7,'adjustment',0,0,0,0,0,0,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(49,8,'human',0,0,0,0,0,0,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(50,8,'human',1,1,0,0,0,2,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(51,8,'human',1,1,0,0,2,2,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(52,9,'human',0,0,0,0,0,0,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(53,9,'human',1,1,0,0,0,1,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(54,9,'human',1,0,0,1,1,2,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(55,10,'human',0,0,0,0,0,0,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(56,10,'human',1,1,0,0,0,1,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(57,10,'human',1,1,0,0,1,1,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(58,11,'human',0,0,0,0,0,0,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(59,11,'human',1,1,0,0,0,2,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(60,11,'human',1,1,0,0,2,2,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(61,12,'human',0,0,0,0,0,0,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(62,12,'human',1,1,0,0,0,2,'2026-11-21T15:28:09Z');
INSERT INTO "block" VALUES(63,13,'human',0,0,0,0,0,0,'2026-11-21T15:28:10Z');
INSERT INTO "block" VALUES(64,13,'human',1,1,0,0,0,1,'2026-11-21T15:28:10Z');
INSERT INTO "block" VALUES(65,14,'adjustment',0,0,0,0,0,0,'2026-11-21T15:28:10Z');
INSERT INTO "block" VALUES(66,15,'games',0,0,0,0,0,0,'2026-11-21T15:28:10Z');
INSERT INTO "block" VALUES(67,15,'games',1,1,0,0,0,3,'2026-11-21T15:28:10Z');
CREATE TABLE evaluation (
    block_id      INTEGER NOT NULL REFERENCES block,
    learner_id    INTEGER NOT NULL REFERENCES learner,
    learner_games INTEGER NOT NULL CHECK (learner_games >= 0),
    policy        TEXT    NOT NULL CHECK (policy IN ('behaviour', 'greedy')),
    opponent      TEXT    NOT NULL CHECK (opponent IN ('random', 'optimal', 'best')),
    win           REAL    NOT NULL CHECK (win BETWEEN 0 AND 1.000000001),
    draw          REAL    NOT NULL CHECK (draw BETWEEN 0 AND 1.000000001),
    loss          REAL    NOT NULL CHECK (loss BETWEEN 0 AND 1.000000001),
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
INSERT INTO "evaluation" VALUES(1,2,0,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(1,2,0,'behaviour','random',2.22222222222222209886e-01,0.0,7.77777777777777790113e-01);
INSERT INTO "evaluation" VALUES(1,2,0,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(1,2,0,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(1,2,0,'greedy','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(2,1,1,'behaviour','best',6.81818181818181878739e-01,0.0,3.18181818181818176771e-01);
INSERT INTO "evaluation" VALUES(2,1,1,'behaviour','optimal',7.58181818181818401036e-01,0.0,2.41818181818181848763e-01);
INSERT INTO "evaluation" VALUES(2,1,1,'behaviour','random',8.00606060606060876416e-01,0.0,1.99393939393939428894e-01);
INSERT INTO "evaluation" VALUES(2,1,1,'greedy','best',0.5,0.0,0.5);
INSERT INTO "evaluation" VALUES(2,1,1,'greedy','optimal',7.00000000000000066613e-01,0.0,0.3);
INSERT INTO "evaluation" VALUES(2,1,1,'greedy','random',7.66666666666666829499e-01,0.0,2.33333333333333337034e-01);
INSERT INTO "evaluation" VALUES(2,2,1,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(2,2,1,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(2,2,1,'behaviour','random',2.16374269005847941205e-01,0.0,7.83625730994152114305e-01);
INSERT INTO "evaluation" VALUES(2,2,1,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(2,2,1,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(2,2,1,'greedy','random',1.94444444444444419772e-01,0.0,8.05555555555555358182e-01);
INSERT INTO "evaluation" VALUES(3,1,2,'behaviour','best',7.49999999999999888977e-01,0.0,0.25);
INSERT INTO "evaluation" VALUES(3,1,2,'behaviour','optimal',8.09999999999999942268e-01,0.0,1.90000000000000029976e-01);
INSERT INTO "evaluation" VALUES(3,1,2,'behaviour','random',8.433333333333332682e-01,0.0,1.56666666666666676288e-01);
INSERT INTO "evaluation" VALUES(3,1,2,'greedy','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(3,1,2,'greedy','optimal',7.99999999999999933386e-01,0.0,1.99999999999999983346e-01);
INSERT INTO "evaluation" VALUES(3,1,2,'greedy','random',8.44444444444444330954e-01,0.0,1.55555555555555530267e-01);
INSERT INTO "evaluation" VALUES(3,2,2,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(3,2,2,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(3,2,2,'behaviour','random',2.16374269005847941205e-01,0.0,7.83625730994151892261e-01);
INSERT INTO "evaluation" VALUES(3,2,2,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(3,2,2,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(3,2,2,'greedy','random',1.94444444444444419772e-01,0.0,8.05555555555555358182e-01);
INSERT INTO "evaluation" VALUES(4,1,5,'behaviour','best',7.17391304347825942144e-01,0.0,2.82608695652173891321e-01);
INSERT INTO "evaluation" VALUES(4,1,5,'behaviour','optimal',7.96521739130434669462e-01,0.0,2.03478260869565219515e-01);
INSERT INTO "evaluation" VALUES(4,1,5,'behaviour','random',8.304347826086956319e-01,0.0,1.69565217391304312588e-01);
INSERT INTO "evaluation" VALUES(4,1,5,'greedy','best',0.5,0.0,0.5);
INSERT INTO "evaluation" VALUES(4,1,5,'greedy','optimal',0.8,0.0,1.99999999999999983346e-01);
INSERT INTO "evaluation" VALUES(4,1,5,'greedy','random',8.3333333333333337034e-01,0.0,1.66666666666666657414e-01);
INSERT INTO "evaluation" VALUES(4,2,5,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(4,2,5,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(4,2,5,'behaviour','random',2.2875816993464054283e-01,0.0,7.7124183006535951268e-01);
INSERT INTO "evaluation" VALUES(4,2,5,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(4,2,5,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(4,2,5,'greedy','random',2.77777777777777790113e-01,0.0,7.22222222222222098864e-01);
INSERT INTO "evaluation" VALUES(5,1,10,'behaviour','best',0.631578947368421,0.0,3.68421052631578926916e-01);
INSERT INTO "evaluation" VALUES(5,1,10,'behaviour','optimal',0.751578947368421,0.0,2.48421052631578931357e-01);
INSERT INTO "evaluation" VALUES(5,1,10,'behaviour','random',7.9836257309941516258e-01,0.0,2.01637426900584781908e-01);
INSERT INTO "evaluation" VALUES(5,1,10,'greedy','best',0.5,0.0,0.5);
INSERT INTO "evaluation" VALUES(5,1,10,'greedy','optimal',9.00000000000000133226e-01,0.0,0.1);
INSERT INTO "evaluation" VALUES(5,1,10,'greedy','random',9.3333333333333357018e-01,0.0,6.66666666666666657414e-02);
INSERT INTO "evaluation" VALUES(5,2,10,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(5,2,10,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(5,2,10,'behaviour','random',2.46527777777777762358e-01,0.0,7.53472222222222320908e-01);
INSERT INTO "evaluation" VALUES(5,2,10,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(5,2,10,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(5,2,10,'greedy','random',2.77777777777777790113e-01,0.0,7.22222222222222209886e-01);
INSERT INTO "evaluation" VALUES(6,1,20,'behaviour','best',6.13281250000000111022e-01,0.0,0.38671875);
INSERT INTO "evaluation" VALUES(6,1,20,'behaviour','optimal',7.7700892857142855874e-01,0.0,2.22991071428571441259e-01);
INSERT INTO "evaluation" VALUES(6,1,20,'behaviour','random',8.22321428571428536535e-01,0.0,1.77678571428571407953e-01);
INSERT INTO "evaluation" VALUES(6,1,20,'greedy','best',0.5,0.0,0.5);
INSERT INTO "evaluation" VALUES(6,1,20,'greedy','optimal',9.00000000000000133226e-01,0.0,0.1);
INSERT INTO "evaluation" VALUES(6,1,20,'greedy','random',9.33333333333333459158e-01,0.0,6.66666666666666657414e-02);
INSERT INTO "evaluation" VALUES(6,2,20,'behaviour','best',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(6,2,20,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(6,2,20,'behaviour','random',2.61111111111111071636e-01,0.0,7.38888888888888817341e-01);
INSERT INTO "evaluation" VALUES(6,2,20,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(6,2,20,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(6,2,20,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(7,1,50,'behaviour','best',8.15384615384615374367e-01,0.0,1.84615384615384625632e-01);
INSERT INTO "evaluation" VALUES(7,1,50,'behaviour','optimal',8.7965599617773537755e-01,0.0,1.20344003822264691838e-01);
INSERT INTO "evaluation" VALUES(7,1,50,'behaviour','random',8.99436215957955087496e-01,0.0,1.00563784042044912503e-01);
INSERT INTO "evaluation" VALUES(7,1,50,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(7,1,50,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(7,1,50,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(7,2,50,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(7,2,50,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(7,2,50,'behaviour','random',3.02925857843137247282e-01,0.0,6.97074142156862697206e-01);
INSERT INTO "evaluation" VALUES(7,2,50,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(7,2,50,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(7,2,50,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(8,1,100,'behaviour','best',0.880514705882353,0.0,1.19485294117647064537e-01);
INSERT INTO "evaluation" VALUES(8,1,100,'behaviour','optimal',9.20658850430416175747e-01,0.0,7.93411495695839352748e-02);
INSERT INTO "evaluation" VALUES(8,1,100,'behaviour','random',9.34161660090865653138e-01,0.0,6.58383399091343746167e-02);
INSERT INTO "evaluation" VALUES(8,1,100,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(8,1,100,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(8,1,100,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(8,2,100,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(8,2,100,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(8,2,100,'behaviour','random',3.07894736842105221086e-01,0.0,6.92105263157894667891e-01);
INSERT INTO "evaluation" VALUES(8,2,100,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(8,2,100,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(8,2,100,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666740681e-01);
INSERT INTO "evaluation" VALUES(9,1,200,'behaviour','best',9.44852941176470562112e-01,0.0,5.5147058823529410132e-02);
INSERT INTO "evaluation" VALUES(9,1,200,'behaviour','optimal',9.69777753206545689579e-01,0.0,3.02222467934542236844e-02);
INSERT INTO "evaluation" VALUES(9,1,200,'behaviour','random',9.7455771782397171421e-01,0.0,2.54422821760283066061e-02);
INSERT INTO "evaluation" VALUES(9,1,200,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(9,1,200,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(9,1,200,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(9,2,200,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(9,2,200,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(9,2,200,'behaviour','random',2.6465053763440860024e-01,0.0,7.35349462365591177714e-01);
INSERT INTO "evaluation" VALUES(9,2,200,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(9,2,200,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(9,2,200,'greedy','random',2.77777777777777790113e-01,0.0,7.22222222222222209886e-01);
INSERT INTO "evaluation" VALUES(10,1,300,'behaviour','best',9.77272727272727292913e-01,0.0,2.27272727272727279035e-02);
INSERT INTO "evaluation" VALUES(10,1,300,'behaviour','optimal',9.8337204462204474975e-01,0.0,1.66279553779553786185e-02);
INSERT INTO "evaluation" VALUES(10,1,300,'behaviour','random',9.86292318792318933873e-01,0.0,1.37076812076812066393e-02);
INSERT INTO "evaluation" VALUES(10,1,300,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(10,1,300,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(10,1,300,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(10,2,300,'behaviour','best',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(10,2,300,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(10,2,300,'behaviour','random',2.31917211328976025086e-01,0.0,7.68082788671023863891e-01);
INSERT INTO "evaluation" VALUES(10,2,300,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(10,2,300,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(10,2,300,'greedy','random',1.66666666666666657414e-01,0.0,8.3333333333333337034e-01);
INSERT INTO "evaluation" VALUES(11,3,0,'behaviour','best',0.75,0.0,0.25);
INSERT INTO "evaluation" VALUES(11,3,0,'behaviour','optimal',7.99999999999999933386e-01,0.0,0.2);
INSERT INTO "evaluation" VALUES(11,3,0,'behaviour','random',8.33333333333333259318e-01,0.0,1.66666666666666657414e-01);
INSERT INTO "evaluation" VALUES(11,3,0,'greedy','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(11,3,0,'greedy','optimal',7.33333333333333281522e-01,0.0,2.66666666666666662965e-01);
INSERT INTO "evaluation" VALUES(11,3,0,'greedy','random',7.77777777777777679091e-01,0.0,2.22222222222222209886e-01);
INSERT INTO "evaluation" VALUES(12,3,1,'behaviour','best',7.89473684210526327476e-01,0.0,2.10526315789473672523e-01);
INSERT INTO "evaluation" VALUES(12,3,1,'behaviour','optimal',8.31578947368421084185e-01,0.0,1.6842105263157894357e-01);
INSERT INTO "evaluation" VALUES(12,3,1,'behaviour','random',8.59649122807017662672e-01,0.0,1.40350877192982448349e-01);
INSERT INTO "evaluation" VALUES(12,3,1,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(12,3,1,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(12,3,1,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(13,3,2,'behaviour','best',8.1818181818181812126e-01,0.0,1.81818181818181823228e-01);
INSERT INTO "evaluation" VALUES(13,3,2,'behaviour','optimal',8.54545454545454719053e-01,0.0,1.45454545454545475235e-01);
INSERT INTO "evaluation" VALUES(13,3,2,'behaviour','random',0.878787878787879,0.0,1.21212121212121229363e-01);
INSERT INTO "evaluation" VALUES(13,3,2,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(13,3,2,'greedy','optimal',9.99999999999999888977e-01,0.0,0.0);
INSERT INTO "evaluation" VALUES(13,3,2,'greedy','random',9.99999999999999888977e-01,0.0,0.0);
INSERT INTO "evaluation" VALUES(14,3,5,'behaviour','best',8.22580645161290369138e-01,0.0,1.77419354838709686372e-01);
INSERT INTO "evaluation" VALUES(14,3,5,'behaviour','optimal',8.60865874363327732154e-01,0.0,1.39134125636672323356e-01);
INSERT INTO "evaluation" VALUES(14,3,5,'behaviour','random',8.83588002263723804041e-01,0.0,1.16411997736276168202e-01);
INSERT INTO "evaluation" VALUES(14,3,5,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(14,3,5,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(14,3,5,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(15,3,10,'behaviour','best',8.15217391304347893665e-01,0.0,1.84782608695652161845e-01);
INSERT INTO "evaluation" VALUES(15,3,10,'behaviour','optimal',8.63844393592677395332e-01,0.0,1.36155606407322660178e-01);
INSERT INTO "evaluation" VALUES(15,3,10,'behaviour','random',8.86536994660564570125e-01,0.0,1.13463005339435540896e-01);
INSERT INTO "evaluation" VALUES(15,3,10,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(15,3,10,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(15,3,10,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(16,3,20,'behaviour','best',0.888888888888889,0.0,1.11111111111111104943e-01);
INSERT INTO "evaluation" VALUES(16,3,20,'behaviour','optimal',9.19610136452241766491e-01,0.0,8.03898635477582890196e-02);
INSERT INTO "evaluation" VALUES(16,3,20,'behaviour','random',9.32761533463287939582e-01,0.0,6.7238466536712143684e-02);
INSERT INTO "evaluation" VALUES(16,3,20,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(16,3,20,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(16,3,20,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(17,3,50,'behaviour','best',9.35185185185185119394e-01,0.0,6.48148148148148112168e-02);
INSERT INTO "evaluation" VALUES(17,3,50,'behaviour','optimal',9.51601984759879560016e-01,0.0,4.83980152401204954948e-02);
INSERT INTO "evaluation" VALUES(17,3,50,'behaviour','random',9.59373264811861470313e-01,0.0,4.06267351881386892809e-02);
INSERT INTO "evaluation" VALUES(17,3,50,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(17,3,50,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(17,3,50,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(18,3,100,'behaviour','best',0.954656862745098,0.0,4.53431372549019592876e-02);
INSERT INTO "evaluation" VALUES(18,3,100,'behaviour','optimal',9.69383415624704203317e-01,0.0,3.06165843752960117885e-02);
INSERT INTO "evaluation" VALUES(18,3,100,'behaviour','random',0.974521428317704,0.0,0.0254785716822961);
INSERT INTO "evaluation" VALUES(18,3,100,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(18,3,100,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(18,3,100,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(19,3,150,'behaviour','best',9.65350523771152158047e-01,0.0,0.0346494762288477);
INSERT INTO "evaluation" VALUES(19,3,150,'behaviour','optimal',9.77576892094053517823e-01,0.0,2.2423107905946662588e-02);
INSERT INTO "evaluation" VALUES(19,3,150,'behaviour','random',9.81390964874247706539e-01,0.0,1.86090351257525918327e-02);
INSERT INTO "evaluation" VALUES(19,3,150,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(19,3,150,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(19,3,150,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(20,1,300,'behaviour','best',9.77272727272727292913e-01,0.0,2.27272727272727279035e-02);
INSERT INTO "evaluation" VALUES(20,1,300,'behaviour','optimal',9.8337204462204474975e-01,0.0,1.66279553779553786185e-02);
INSERT INTO "evaluation" VALUES(20,1,300,'behaviour','random',9.86292318792318933873e-01,0.0,1.37076812076812066393e-02);
INSERT INTO "evaluation" VALUES(20,1,300,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(20,1,300,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(20,1,300,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(20,4,0,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(20,4,0,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(20,4,0,'behaviour','random',2.66222222232156302546e-01,0.0,7.33777777767843697453e-01);
INSERT INTO "evaluation" VALUES(20,4,0,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(20,4,0,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(20,4,0,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(21,1,301,'behaviour','best',9.77353992848629338219e-01,0.0,2.26460071513706791279e-02);
INSERT INTO "evaluation" VALUES(21,1,301,'behaviour','optimal',9.83431500958318549621e-01,0.0,1.65684990416814018066e-02);
INSERT INTO "evaluation" VALUES(21,1,301,'behaviour','random',9.86341333147054077912e-01,0.0,1.36586668529457555543e-02);
INSERT INTO "evaluation" VALUES(21,1,301,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(21,1,301,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(21,1,301,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(21,4,1,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(21,4,1,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(21,4,1,'behaviour','random',2.66222222232156302546e-01,0.0,7.33777777767843808476e-01);
INSERT INTO "evaluation" VALUES(21,4,1,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(21,4,1,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(21,4,1,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333281522e-01);
INSERT INTO "evaluation" VALUES(22,1,302,'behaviour','best',9.77434679334916900472e-01,0.0,2.25653206650831342217e-02);
INSERT INTO "evaluation" VALUES(22,1,302,'behaviour','optimal',9.83490533615236861564e-01,0.0,1.65094663847632980302e-02);
INSERT INTO "evaluation" VALUES(22,1,302,'behaviour','random',9.86389998230853493055e-01,0.0,1.36100017691466630698e-02);
INSERT INTO "evaluation" VALUES(22,1,302,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(22,1,302,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(22,1,302,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(22,4,2,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(22,4,2,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(22,4,2,'behaviour','random',2.66222222232156302546e-01,0.0,7.33777777767843697453e-01);
INSERT INTO "evaluation" VALUES(22,4,2,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(22,4,2,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(22,4,2,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(23,1,305,'behaviour','best',0.977302245036799,0.0,2.26977549632011860181e-02);
INSERT INTO "evaluation" VALUES(23,1,305,'behaviour','optimal',9.83613787005637840721e-01,0.0,1.6386212994362332751e-02);
INSERT INTO "evaluation" VALUES(23,1,305,'behaviour','random',9.86514348948028363395e-01,0.0,1.34856510519718534452e-02);
INSERT INTO "evaluation" VALUES(23,1,305,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(23,1,305,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(23,1,305,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(23,4,5,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(23,4,5,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(23,4,5,'behaviour','random',2.22295555553932905334e-01,0.0,0.777704444446067);
INSERT INTO "evaluation" VALUES(23,4,5,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(23,4,5,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(23,4,5,'greedy','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(24,1,310,'behaviour','best',9.78016195515537756222e-01,0.0,2.19838044844622437778e-02);
INSERT INTO "evaluation" VALUES(24,1,310,'behaviour','optimal',9.8393341163514147496e-01,0.0,1.60665883648584903453e-02);
INSERT INTO "evaluation" VALUES(24,1,310,'behaviour','random',0.986751304399604,0.0,1.32486956003960570926e-02);
INSERT INTO "evaluation" VALUES(24,1,310,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(24,1,310,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(24,1,310,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(24,4,10,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(24,4,10,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(24,4,10,'behaviour','random',2.66222222232156302546e-01,0.0,7.33777777767843697453e-01);
INSERT INTO "evaluation" VALUES(24,4,10,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(24,4,10,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(24,4,10,'greedy','random',2.66666666666666662965e-01,0.0,7.33333333333333392545e-01);
INSERT INTO "evaluation" VALUES(25,1,320,'behaviour','best',9.78876306620209080122e-01,0.0,2.1123693379790940694e-02);
INSERT INTO "evaluation" VALUES(25,1,320,'behaviour','optimal',9.84502736158444413661e-01,0.0,1.54972638415556453195e-02);
INSERT INTO "evaluation" VALUES(25,1,320,'behaviour','random',9.87229207132010899705e-01,0.0,1.27707928679891471318e-02);
INSERT INTO "evaluation" VALUES(25,1,320,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(25,1,320,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(25,1,320,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(25,4,20,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(25,4,20,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(25,4,20,'behaviour','random',1.67112222212238453744e-01,0.0,8.32887777787761685033e-01);
INSERT INTO "evaluation" VALUES(25,4,20,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(25,4,20,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(25,4,20,'greedy','random',1.66666666666666657414e-01,0.0,8.33333333333333259318e-01);
INSERT INTO "evaluation" VALUES(26,1,340,'behaviour','best',9.7971941914841265131e-01,0.0,2.02805808515874978759e-02);
INSERT INTO "evaluation" VALUES(26,1,340,'behaviour','optimal',9.85363824550332889629e-01,0.0,1.46361754496673011904e-02);
INSERT INTO "evaluation" VALUES(26,1,340,'behaviour','random',9.87932816881013420307e-01,0.0,1.20671831189867774514e-02);
INSERT INTO "evaluation" VALUES(26,1,340,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(26,1,340,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(26,1,340,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(26,4,40,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(26,4,40,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(26,4,40,'behaviour','random',2.77112222237073657638e-01,0.0,7.22887777762926342361e-01);
INSERT INTO "evaluation" VALUES(26,4,40,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(26,4,40,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(26,4,40,'greedy','random',2.77777777777777734602e-01,0.0,7.22222222222222320908e-01);
INSERT INTO "evaluation" VALUES(27,5,0,'behaviour','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(27,5,0,'behaviour','optimal',7.33333333333333281522e-01,0.0,2.66666666666666662965e-01);
INSERT INTO "evaluation" VALUES(27,5,0,'behaviour','random',7.77777777777777679091e-01,0.0,2.22222222222222209886e-01);
INSERT INTO "evaluation" VALUES(27,5,0,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(27,5,0,'greedy','optimal',0.8,0.0,0.2);
INSERT INTO "evaluation" VALUES(27,5,0,'greedy','random',0.8,0.0,0.2);
INSERT INTO "evaluation" VALUES(28,5,1,'behaviour','best',0.666666670000004,0.0,3.33333329999995764403e-01);
INSERT INTO "evaluation" VALUES(28,5,1,'behaviour','optimal',7.33373332025181068338e-01,0.0,2.66626667974818709616e-01);
INSERT INTO "evaluation" VALUES(28,5,1,'behaviour','random',7.77808888019585475959e-01,0.0,2.22191111980414357507e-01);
INSERT INTO "evaluation" VALUES(28,5,1,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(28,5,1,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(28,5,1,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(29,5,2,'behaviour','best',6.66666679998681899199e-01,0.0,3.333333200013181008e-01);
INSERT INTO "evaluation" VALUES(29,5,2,'behaviour','optimal',7.33413324046206072104e-01,0.0,2.66586675953793927895e-01);
INSERT INTO "evaluation" VALUES(29,5,2,'behaviour','random',7.77839993369212723273e-01,0.0,2.2216000663078719346e-01);
INSERT INTO "evaluation" VALUES(29,5,2,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(29,5,2,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(29,5,2,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(30,5,5,'behaviour','best',6.66666749966735805443e-01,0.0,3.33333250033264083533e-01);
INSERT INTO "evaluation" VALUES(30,5,5,'behaviour','optimal',7.3353326009234975924e-01,0.0,2.66466739907650240759e-01);
INSERT INTO "evaluation" VALUES(30,5,5,'behaviour','random',7.77933280070349231216e-01,0.0,2.22066719929650796538e-01);
INSERT INTO "evaluation" VALUES(30,5,5,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(30,5,5,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(30,5,5,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(31,5,10,'behaviour','best',6.67332700523115218693e-01,0.0,3.32667299476884614772e-01);
INSERT INTO "evaluation" VALUES(31,5,10,'behaviour','optimal',7.33866160418492396999e-01,0.0,2.66133839581507714022e-01);
INSERT INTO "evaluation" VALUES(31,5,10,'behaviour','random',7.78221800348743775188e-01,0.0,2.21778199651256391344e-01);
INSERT INTO "evaluation" VALUES(31,5,10,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(31,5,10,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(31,5,10,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(32,5,20,'behaviour','best',6.67997403437714076801e-01,0.0,3.32002596562285812176e-01);
INSERT INTO "evaluation" VALUES(32,5,20,'behaviour','optimal',7.34397922750171461281e-01,0.0,2.6560207724982864974e-01);
INSERT INTO "evaluation" VALUES(32,5,20,'behaviour','random',7.78664935625142939912e-01,0.0,2.2133506437485717111e-01);
INSERT INTO "evaluation" VALUES(32,5,20,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(32,5,20,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(32,5,20,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(33,5,40,'behaviour','best',6.69322827359668748314e-01,0.0,3.30677172640331251685e-01);
INSERT INTO "evaluation" VALUES(33,5,40,'behaviour','optimal',0.735458261887735,0.0,0.264541738112265);
INSERT INTO "evaluation" VALUES(33,5,40,'behaviour','random',7.79548551573112424861e-01,0.0,2.20451448426887464115e-01);
INSERT INTO "evaluation" VALUES(33,5,40,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(33,5,40,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(33,5,40,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(34,6,0,'behaviour','best',0.75,0.0,0.25);
INSERT INTO "evaluation" VALUES(34,6,0,'behaviour','optimal',7.99999999999999933386e-01,0.0,0.2);
INSERT INTO "evaluation" VALUES(34,6,0,'behaviour','random',8.33333333333333259318e-01,0.0,1.66666666666666657414e-01);
INSERT INTO "evaluation" VALUES(34,6,0,'greedy','best',6.66666666666666629659e-01,0.0,3.33333333333333314829e-01);
INSERT INTO "evaluation" VALUES(34,6,0,'greedy','optimal',7.33333333333333281522e-01,0.0,2.66666666666666662965e-01);
INSERT INTO "evaluation" VALUES(34,6,0,'greedy','random',7.77777777777777679091e-01,0.0,2.22222222222222209886e-01);
INSERT INTO "evaluation" VALUES(35,6,1,'behaviour','best',8.43933229108325688727e-01,0.0,1.56066770891674228005e-01);
INSERT INTO "evaluation" VALUES(35,6,1,'behaviour','optimal',8.75146583286660506573e-01,0.0,1.24853416713339368526e-01);
INSERT INTO "evaluation" VALUES(35,6,1,'behaviour','random',8.9595548607221708881e-01,0.0,1.04044513927782800166e-01);
INSERT INTO "evaluation" VALUES(35,6,1,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(35,6,1,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(35,6,1,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(36,6,2,'behaviour','best',9.1462542665204438208e-01,0.0,8.53745733479557566969e-02);
INSERT INTO "evaluation" VALUES(36,6,2,'behaviour','optimal',9.31700341321635594482e-01,0.0,6.82996586783646136842e-02);
INSERT INTO "evaluation" VALUES(36,6,2,'behaviour','random',9.43083617768029736083e-01,0.0,5.69163822319705067775e-02);
INSERT INTO "evaluation" VALUES(36,6,2,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(36,6,2,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(36,6,2,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(37,6,5,'behaviour','best',9.90562096627099153423e-01,0.0,9.43790337290093331312e-03);
INSERT INTO "evaluation" VALUES(37,6,5,'behaviour','optimal',9.92449677301679322738e-01,0.0,7.55032269832074578314e-03);
INSERT INTO "evaluation" VALUES(37,6,5,'behaviour','random',9.93708064418066139289e-01,0.0,6.2919355819339543856e-03);
INSERT INTO "evaluation" VALUES(37,6,5,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(37,6,5,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(37,6,5,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(38,6,10,'behaviour','best',9.99814999730935460853e-01,0.0,1.85000269064551181412e-04);
INSERT INTO "evaluation" VALUES(38,6,10,'behaviour','optimal',9.99851999784748479704e-01,0.0,1.48000215251640966813e-04);
INSERT INTO "evaluation" VALUES(38,6,10,'behaviour','random',9.99876666487290344242e-01,0.0,1.23333512709700805678e-04);
INSERT INTO "evaluation" VALUES(38,6,10,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(38,6,10,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(38,6,10,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(39,6,20,'behaviour','best',0.999999931499129,0.0,6.85008710706365335323e-08);
INSERT INTO "evaluation" VALUES(39,6,20,'behaviour','optimal',9.99999945199303352794e-01,0.0,5.4800696856509232115e-08);
INSERT INTO "evaluation" VALUES(39,6,20,'behaviour','random',9.99999954332752905017e-01,0.0,4.56672473804243512747e-08);
INSERT INTO "evaluation" VALUES(39,6,20,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(39,6,20,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(39,6,20,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(40,6,40,'behaviour','best',9.99999999999545141626e-01,0.0,4.54747350886238138698e-13);
INSERT INTO "evaluation" VALUES(40,6,40,'behaviour','optimal',9.99999999999636068892e-01,0.0,3.63797880708990571565e-13);
INSERT INTO "evaluation" VALUES(40,6,40,'behaviour','random',9.99999999999696798091e-01,0.0,3.0316490059082545946e-13);
INSERT INTO "evaluation" VALUES(40,6,40,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(40,6,40,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(40,6,40,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(41,1,340,'behaviour','best',9.7971941914841265131e-01,0.0,2.02805808515874978759e-02);
INSERT INTO "evaluation" VALUES(41,1,340,'behaviour','optimal',9.85363824550332889629e-01,0.0,1.46361754496673011904e-02);
INSERT INTO "evaluation" VALUES(41,1,340,'behaviour','random',9.87932816881013420307e-01,0.0,1.20671831189867774514e-02);
INSERT INTO "evaluation" VALUES(41,1,340,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(41,1,340,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(41,1,340,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(41,7,0,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(41,7,0,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(41,7,0,'behaviour','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(41,7,0,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(41,7,0,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(41,7,0,'greedy','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(42,1,341,'behaviour','best',9.79782862049929481607e-01,0.0,2.02171379500705392096e-02);
INSERT INTO "evaluation" VALUES(42,1,341,'behaviour','optimal',0.985409610292094,0.0,1.45903897079060866637e-02);
INSERT INTO "evaluation" VALUES(42,1,341,'behaviour','random',9.87970566150415785422e-01,0.0,1.20294338495843134567e-02);
INSERT INTO "evaluation" VALUES(42,1,341,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(42,1,341,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(42,1,341,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(42,7,1,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(42,7,1,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(42,7,1,'behaviour','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(42,7,1,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(42,7,1,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(42,7,1,'greedy','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(43,1,342,'behaviour','best',0.979845909257674,0.0,2.01540907423260369502e-02);
INSERT INTO "evaluation" VALUES(43,1,342,'behaviour','optimal',9.85455110467898243165e-01,0.0,1.45448895321018088766e-02);
INSERT INTO "evaluation" VALUES(43,1,342,'behaviour','random',9.88008079977389486181e-01,0.0,1.1991920022610560656e-02);
INSERT INTO "evaluation" VALUES(43,1,342,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(43,1,342,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(43,1,342,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(43,7,2,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(43,7,2,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(43,7,2,'behaviour','random',2.22222222222222209886e-01,0.0,7.77777777777777790113e-01);
INSERT INTO "evaluation" VALUES(43,7,2,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(43,7,2,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(43,7,2,'greedy','random',2.22222222222222209886e-01,0.0,7.77777777777777790113e-01);
INSERT INTO "evaluation" VALUES(44,1,345,'behaviour','best',9.80432543769309883252e-01,0.0,1.9567456230690012664e-02);
INSERT INTO "evaluation" VALUES(44,1,345,'behaviour','optimal',0.985559784474395,0.0,1.44402155256048627535e-02);
INSERT INTO "evaluation" VALUES(44,1,345,'behaviour','random',9.88112061374050165696e-01,0.0,1.18879386259496434841e-02);
INSERT INTO "evaluation" VALUES(44,1,345,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(44,1,345,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(44,1,345,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(44,7,5,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(44,7,5,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(44,7,5,'behaviour','random',1.85185185185185174905e-01,0.0,8.14814814814814769583e-01);
INSERT INTO "evaluation" VALUES(44,7,5,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(44,7,5,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(44,7,5,'greedy','random',1.85185185185185174905e-01,0.0,8.14814814814814769583e-01);
INSERT INTO "evaluation" VALUES(45,1,350,'behaviour','best',9.80315323621611556248e-01,0.0,1.9684676378388346607e-02);
INSERT INTO "evaluation" VALUES(45,1,350,'behaviour','optimal',9.85797041738611601324e-01,0.0,1.42029582613884507169e-02);
INSERT INTO "evaluation" VALUES(45,1,350,'behaviour','random',9.88287731378311828933e-01,0.0,1.17122686216881762705e-02);
INSERT INTO "evaluation" VALUES(45,1,350,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(45,1,350,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(45,1,350,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(45,7,10,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(45,7,10,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(45,7,10,'behaviour','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(45,7,10,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(45,7,10,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(45,7,10,'greedy','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(46,1,360,'behaviour','best',9.80359699355762392869e-01,0.0,1.96403006442376522333e-02);
INSERT INTO "evaluation" VALUES(46,1,360,'behaviour','optimal',9.86256727116216813655e-01,0.0,1.37432728837831186902e-02);
INSERT INTO "evaluation" VALUES(46,1,360,'behaviour','random',9.88628284255001155145e-01,0.0,1.13717157449988153644e-02);
INSERT INTO "evaluation" VALUES(46,1,360,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(46,1,360,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(46,1,360,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(46,7,20,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(46,7,20,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(46,7,20,'behaviour','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(46,7,20,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(46,7,20,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(46,7,20,'greedy','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(47,1,380,'behaviour','best',9.81689472435339771649e-01,0.0,1.83105275646602873307e-02);
INSERT INTO "evaluation" VALUES(47,1,380,'behaviour','optimal',9.86876346387442371366e-01,0.0,1.3123653612557696288e-02);
INSERT INTO "evaluation" VALUES(47,1,380,'behaviour','random',9.89160908081722523021e-01,0.0,1.08390919182774665696e-02);
INSERT INTO "evaluation" VALUES(47,1,380,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(47,1,380,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(47,1,380,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(47,7,40,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(47,7,40,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(47,7,40,'behaviour','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(47,7,40,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(47,7,40,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(47,7,40,'greedy','random',2.22222222222222209886e-01,0.0,7.77777777777777679091e-01);
INSERT INTO "evaluation" VALUES(49,1,380,'behaviour','best',9.81689472435339771649e-01,0.0,1.83105275646602873307e-02);
INSERT INTO "evaluation" VALUES(49,1,380,'behaviour','optimal',9.86876346387442371366e-01,0.0,1.3123653612557696288e-02);
INSERT INTO "evaluation" VALUES(49,1,380,'behaviour','random',9.89160908081722523021e-01,0.0,1.08390919182774665696e-02);
INSERT INTO "evaluation" VALUES(49,1,380,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(49,1,380,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(49,1,380,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(50,1,381,'behaviour','best',9.81740382150533386074e-01,0.0,1.82596178494666069869e-02);
INSERT INTO "evaluation" VALUES(50,1,381,'behaviour','optimal',9.8691283476634672489e-01,0.0,1.30871652336534572552e-02);
INSERT INTO "evaluation" VALUES(50,1,381,'behaviour','random',9.89191044574544542378e-01,0.0,1.08089554254555634399e-02);
INSERT INTO "evaluation" VALUES(50,1,381,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(50,1,381,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(50,1,381,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(51,1,382,'behaviour','best',9.81791009556770344346e-01,0.0,1.82089904432296348368e-02);
INSERT INTO "evaluation" VALUES(51,1,382,'behaviour','optimal',9.86949120806735580302e-01,0.0,1.30508791932643954114e-02);
INSERT INTO "evaluation" VALUES(51,1,382,'behaviour','random',9.89221013951879335479e-01,0.0,1.07789860481206558467e-02);
INSERT INTO "evaluation" VALUES(51,1,382,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(51,1,382,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(51,1,382,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(52,2,300,'behaviour','best',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(52,2,300,'behaviour','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(52,2,300,'behaviour','random',2.31917211328976025086e-01,0.0,7.68082788671023863891e-01);
INSERT INTO "evaluation" VALUES(52,2,300,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(52,2,300,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(52,2,300,'greedy','random',1.66666666666666657414e-01,0.0,8.3333333333333337034e-01);
INSERT INTO "evaluation" VALUES(53,2,301,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(53,2,301,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(53,2,301,'behaviour','random',2.40686274509803899146e-01,0.0,7.59313725490196156364e-01);
INSERT INTO "evaluation" VALUES(53,2,301,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(53,2,301,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(53,2,301,'greedy','random',1.66666666666666657414e-01,0.0,8.3333333333333337034e-01);
INSERT INTO "evaluation" VALUES(54,2,302,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(54,2,302,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(54,2,302,'behaviour','random',2.6595365418894822973e-01,0.0,7.34046345811051437202e-01);
INSERT INTO "evaluation" VALUES(54,2,302,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(54,2,302,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(54,2,302,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(55,4,40,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(55,4,40,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(55,4,40,'behaviour','random',2.77112222237073657638e-01,0.0,7.22887777762926342361e-01);
INSERT INTO "evaluation" VALUES(55,4,40,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(55,4,40,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(55,4,40,'greedy','random',2.77777777777777734602e-01,0.0,7.22222222222222320908e-01);
INSERT INTO "evaluation" VALUES(56,4,41,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(56,4,41,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(56,4,41,'behaviour','random',2.49887222224780269907e-01,0.0,7.50112777775219896625e-01);
INSERT INTO "evaluation" VALUES(56,4,41,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(56,4,41,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(56,4,41,'greedy','random',0.25,0.0,0.75);
INSERT INTO "evaluation" VALUES(57,4,42,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(57,4,42,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(57,4,42,'behaviour','random',1.67112222212238453744e-01,0.0,8.32887777787761685033e-01);
INSERT INTO "evaluation" VALUES(57,4,42,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(57,4,42,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(57,4,42,'greedy','random',1.66666666666666657414e-01,0.0,8.3333333333333337034e-01);
INSERT INTO "evaluation" VALUES(58,8,380,'behaviour','best',9.81689472435339771649e-01,0.0,1.83105275646602873307e-02);
INSERT INTO "evaluation" VALUES(58,8,380,'behaviour','optimal',9.86876346387442371366e-01,0.0,1.3123653612557696288e-02);
INSERT INTO "evaluation" VALUES(58,8,380,'behaviour','random',9.89160908081722523021e-01,0.0,1.08390919182774665696e-02);
INSERT INTO "evaluation" VALUES(58,8,380,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(58,8,380,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(58,8,380,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(59,8,381,'behaviour','best',9.81622069291897547671e-01,0.0,1.83779307081024592673e-02);
INSERT INTO "evaluation" VALUES(59,8,381,'behaviour','optimal',9.86905020921194808813e-01,0.0,1.30949790788053473111e-02);
INSERT INTO "evaluation" VALUES(59,8,381,'behaviour','random',9.89197992348020305186e-01,0.0,1.08020076519798214481e-02);
INSERT INTO "evaluation" VALUES(59,8,381,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(59,8,381,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(59,8,381,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(60,8,382,'behaviour','best',9.81673024737483745916e-01,0.0,1.83269752625162228587e-02);
INSERT INTO "evaluation" VALUES(60,8,382,'behaviour','optimal',9.86941328626588676442e-01,0.0,1.30586713734112472296e-02);
INSERT INTO "evaluation" VALUES(60,8,382,'behaviour','random',9.89227942461657683281e-01,0.0,1.07720575383421710013e-02);
INSERT INTO "evaluation" VALUES(60,8,382,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(60,8,382,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(60,8,382,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(65,1,382,'behaviour','best',0.978790122779591,0.0,2.12098772204090228743e-02);
INSERT INTO "evaluation" VALUES(65,1,382,'behaviour','optimal',9.85419465114478421163e-01,0.0,1.45805348855216256737e-02);
INSERT INTO "evaluation" VALUES(65,1,382,'behaviour','random',9.87650220332966122249e-01,0.0,1.23497796670339193836e-02);
INSERT INTO "evaluation" VALUES(65,1,382,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(65,1,382,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(65,1,382,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(66,1,382,'behaviour','best',0.978790122779591,0.0,2.12098772204090228743e-02);
INSERT INTO "evaluation" VALUES(66,1,382,'behaviour','optimal',9.85419465114478421163e-01,0.0,1.45805348855216256737e-02);
INSERT INTO "evaluation" VALUES(66,1,382,'behaviour','random',9.87650220332966122249e-01,0.0,1.23497796670339193836e-02);
INSERT INTO "evaluation" VALUES(66,1,382,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(66,1,382,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(66,1,382,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(66,2,302,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(66,2,302,'behaviour','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(66,2,302,'behaviour','random',2.6595365418894822973e-01,0.0,7.34046345811051437202e-01);
INSERT INTO "evaluation" VALUES(66,2,302,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(66,2,302,'greedy','optimal',0.0,0.0,9.99999999999999888977e-01);
INSERT INTO "evaluation" VALUES(66,2,302,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
INSERT INTO "evaluation" VALUES(67,1,383,'behaviour','best',9.78848713600641850973e-01,0.0,2.11512863993581698429e-02);
INSERT INTO "evaluation" VALUES(67,1,383,'behaviour','optimal',9.8545974283515658243e-01,0.0,1.45402571648433915491e-02);
INSERT INTO "evaluation" VALUES(67,1,383,'behaviour','random',9.8768433574641090189e-01,0.0,1.23156642535890755579e-02);
INSERT INTO "evaluation" VALUES(67,1,383,'greedy','best',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(67,1,383,'greedy','optimal',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(67,1,383,'greedy','random',1.0,0.0,0.0);
INSERT INTO "evaluation" VALUES(67,2,303,'behaviour','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(67,2,303,'behaviour','optimal',0.0,0.0,9.99999999999999777955e-01);
INSERT INTO "evaluation" VALUES(67,2,303,'behaviour','random',2.6595365418894822973e-01,0.0,7.34046345811051548224e-01);
INSERT INTO "evaluation" VALUES(67,2,303,'greedy','best',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(67,2,303,'greedy','optimal',0.0,0.0,1.0);
INSERT INTO "evaluation" VALUES(67,2,303,'greedy','random',3.33333333333333314829e-01,0.0,6.66666666666666629659e-01);
CREATE TABLE game (
    game_id  INTEGER PRIMARY KEY,
    block_id INTEGER NOT NULL REFERENCES block,
    number   INTEGER NOT NULL CHECK (number >= 1),
    actions  TEXT    NOT NULL,
    explored TEXT    NOT NULL,
    learned  TEXT    NOT NULL,
    ended_by TEXT    NOT NULL CHECK (ended_by IN ('board', 'resignation')),
    outcome  TEXT    NOT NULL CHECK (outcome IN ('X', 'O', 'draw')),
    UNIQUE (block_id, number)
) STRICT;
INSERT INTO "game" VALUES(1,50,1,'1,0,5','000','111','board','X');
INSERT INTO "game" VALUES(2,51,1,'1,0,5','000','111','board','X');
INSERT INTO "game" VALUES(3,53,1,'0,5,1','000','111','board','X');
INSERT INTO "game" VALUES(4,54,1,'0,1,2,5','0000','1111','board','O');
INSERT INTO "game" VALUES(5,56,1,'0,3,1','000','111','board','X');
INSERT INTO "game" VALUES(6,57,1,'0,4,1','000','111','board','X');
INSERT INTO "game" VALUES(7,59,1,'0,1,4','000','111','board','X');
INSERT INTO "game" VALUES(8,60,1,'4,0,3','000','111','board','X');
INSERT INTO "game" VALUES(9,62,1,'1,0,4','000','111','board','X');
INSERT INTO "game" VALUES(10,64,1,'0,4,1','000','111','board','X');
CREATE TABLE learner (
    learner_id   INTEGER PRIMARY KEY,
    name         TEXT    NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 60),
    plays        TEXT    NOT NULL CHECK (plays IN ('X', 'O')),
    algorithm    TEXT    NOT NULL,
    preset       TEXT    NOT NULL,
    settings     TEXT    NOT NULL CHECK (json_valid(settings)),
    seed         INTEGER          CHECK (seed >= 0),
    games        INTEGER NOT NULL DEFAULT 0 CHECK (games >= 0),
    epsilon      REAL             CHECK (epsilon BETWEEN 0 AND 1),
    outcome_mean REAL             CHECK (outcome_mean BETWEEN -1 AND 1),
    created_at   TEXT    NOT NULL
) STRICT;
INSERT INTO "learner" VALUES(1,'menace-x','X','menace','menace','{"boxes": "choices", "beads": [4, 3, 2, 1], "merged": true, "win": 3, "draw": 1, "loss": -1, "floor": 0, "when_empty": "restock", "pick": "bead", "rewards": "outcome", "epsilon": 0.0, "epsilon_decay": 1.0, "epsilon_least": 0.0}',NULL,383,NULL,NULL,'2026-11-21T15:28:08Z');
INSERT INTO "learner" VALUES(2,'menace-o','O','menace','menace','{"boxes": "choices", "beads": [4, 3, 2, 1], "merged": true, "win": 3, "draw": 1, "loss": -1, "floor": 0, "when_empty": "restock", "pick": "bead", "rewards": "outcome", "epsilon": 0.0, "epsilon_decay": 1.0, "epsilon_least": 0.0}',NULL,303,NULL,NULL,'2026-11-21T15:28:08Z');
INSERT INTO "learner" VALUES(3,'quitter','X','menace','scroggs','{"boxes": "choices", "beads": [8, 4, 2, 1], "merged": true, "win": 3, "draw": 1, "loss": -1, "floor": 0, "when_empty": "resign", "pick": "bead", "rewards": "outcome", "epsilon": 0.0, "epsilon_decay": 1.0, "epsilon_least": 0.0}',NULL,150,NULL,NULL,'2026-11-21T15:28:09Z');
INSERT INTO "learner" VALUES(4,'zhang','O','td','zhang','{"epsilon": 0.01, "epsilon_decay": 1.0, "epsilon_least": 0.0, "epsilon_first": false, "ties": "random", "alpha": 0.1, "win": 1.0, "draw": 0.5, "loss": 0.0, "drawn_by_other": 0.5, "initial": "constant", "initial_value": 0.5, "backup": "all", "from_exploration": false}',NULL,42,0.01,NULL,'2026-11-21T15:28:09Z');
INSERT INTO "learner" VALUES(5,'q-table','X','sarsa','q-table','{"epsilon": 1.0, "epsilon_decay": 0.9999, "epsilon_least": 0.0, "epsilon_first": true, "ties": "first", "alpha": 0.2, "gamma": 1.0, "win": 1.0, "draw": 0.0, "loss": -1.0, "initial_value": 0.0, "order": "backward", "final": "set"}',NULL,40,9.96007790129132875023e-01,NULL,'2026-11-21T15:28:09Z');
INSERT INTO "learner" VALUES(6,'michie-1963','X','odds','michie-1963','{"growth": 1.025, "last": 1099511627776.0, "origin": "fixed", "memory": 0.98}',NULL,40,NULL,NULL,'2026-11-21T15:28:09Z');
INSERT INTO "learner" VALUES(7,'article-code','O','menace','article-code','{"boxes": "choices", "beads": [2], "merged": true, "win": 3, "draw": 1, "loss": -1, "floor": 1, "when_empty": "restock", "pick": "favourite", "rewards": "length", "epsilon": 0.0, "epsilon_decay": 1.0, "epsilon_least": 0.0}',NULL,40,0.0,NULL,'2026-11-21T15:28:09Z');
INSERT INTO "learner" VALUES(8,'renamed copy','X','menace','menace','{"boxes": "choices", "beads": [4, 3, 2, 1], "merged": true, "win": 3, "draw": 1, "loss": -1, "floor": 0, "when_empty": "restock", "pick": "bead", "rewards": "outcome", "epsilon": 0.0, "epsilon_decay": 1.0, "epsilon_least": 0.0}',NULL,382,NULL,NULL,'2026-11-21T15:28:09Z');
CREATE TABLE matchbox (
    learner_id  INTEGER NOT NULL REFERENCES learner,
    position_id INTEGER NOT NULL,
    action      INTEGER NOT NULL,
    beads       INTEGER NOT NULL CHECK (beads BETWEEN 0 AND 67108863),
    drawn       INTEGER NOT NULL DEFAULT 0 CHECK (drawn >= 0),
    PRIMARY KEY (learner_id, position_id, action),
    FOREIGN KEY (position_id, action) REFERENCES move
) STRICT, WITHOUT ROWID;
INSERT INTO "matchbox" VALUES(1,0,0,464,177);
INSERT INTO "matchbox" VALUES(1,0,1,622,206);
INSERT INTO "matchbox" VALUES(1,3,2,4,1);
INSERT INTO "matchbox" VALUES(1,3,3,45,14);
INSERT INTO "matchbox" VALUES(1,3,4,51,16);
INSERT INTO "matchbox" VALUES(1,3,5,1,2);
INSERT INTO "matchbox" VALUES(1,4,1,6,0);
INSERT INTO "matchbox" VALUES(1,4,3,54,17);
INSERT INTO "matchbox" VALUES(1,4,4,15,4);
INSERT INTO "matchbox" VALUES(1,4,5,3,0);
INSERT INTO "matchbox" VALUES(1,5,1,69,22);
INSERT INTO "matchbox" VALUES(1,5,2,1,6);
INSERT INTO "matchbox" VALUES(1,5,4,75,24);
INSERT INTO "matchbox" VALUES(1,5,5,2,5);
INSERT INTO "matchbox" VALUES(1,6,1,69,22);
INSERT INTO "matchbox" VALUES(1,6,2,2,1);
INSERT INTO "matchbox" VALUES(1,6,3,21,6);
INSERT INTO "matchbox" VALUES(1,6,5,2,1);
INSERT INTO "matchbox" VALUES(1,7,1,12,3);
INSERT INTO "matchbox" VALUES(1,7,2,2,5);
INSERT INTO "matchbox" VALUES(1,7,3,24,7);
INSERT INTO "matchbox" VALUES(1,7,4,66,21);
INSERT INTO "matchbox" VALUES(1,8,2,12,3);
INSERT INTO "matchbox" VALUES(1,8,3,39,12);
INSERT INTO "matchbox" VALUES(1,8,4,36,11);
INSERT INTO "matchbox" VALUES(1,8,5,144,47);
INSERT INTO "matchbox" VALUES(1,9,1,39,12);
INSERT INTO "matchbox" VALUES(1,9,2,105,34);
INSERT INTO "matchbox" VALUES(1,9,3,15,4);
INSERT INTO "matchbox" VALUES(1,9,5,45,14);
INSERT INTO "matchbox" VALUES(1,10,0,189,62);
INSERT INTO "matchbox" VALUES(1,10,3,24,7);
INSERT INTO "matchbox" VALUES(1,33,1,2,0);
INSERT INTO "matchbox" VALUES(1,33,4,8,2);
INSERT INTO "matchbox" VALUES(1,34,1,5,1);
INSERT INTO "matchbox" VALUES(2,1,1,5,27);
INSERT INTO "matchbox" VALUES(2,1,2,1,15);
INSERT INTO "matchbox" VALUES(2,1,3,2,50);
INSERT INTO "matchbox" VALUES(2,1,4,0,24);
INSERT INTO "matchbox" VALUES(2,1,5,3,29);
INSERT INTO "matchbox" VALUES(2,2,0,3,53);
INSERT INTO "matchbox" VALUES(2,2,3,4,52);
INSERT INTO "matchbox" VALUES(2,2,4,3,53);
INSERT INTO "matchbox" VALUES(2,15,3,9,2);
INSERT INTO "matchbox" VALUES(2,15,4,3,0);
INSERT INTO "matchbox" VALUES(2,18,2,3,0);
INSERT INTO "matchbox" VALUES(2,18,3,6,1);
INSERT INTO "matchbox" VALUES(2,18,4,9,2);
INSERT INTO "matchbox" VALUES(2,19,1,9,2);
INSERT INTO "matchbox" VALUES(2,19,4,24,7);
INSERT INTO "matchbox" VALUES(2,19,5,1,2);
INSERT INTO "matchbox" VALUES(2,20,1,6,1);
INSERT INTO "matchbox" VALUES(2,20,3,3,0);
INSERT INTO "matchbox" VALUES(2,23,1,6,1);
INSERT INTO "matchbox" VALUES(2,23,3,2,1);
INSERT INTO "matchbox" VALUES(2,23,4,12,3);
INSERT INTO "matchbox" VALUES(3,0,0,43,21);
INSERT INTO "matchbox" VALUES(3,0,1,395,129);
INSERT INTO "matchbox" VALUES(3,3,2,4,0);
INSERT INTO "matchbox" VALUES(3,3,3,13,3);
INSERT INTO "matchbox" VALUES(3,3,4,7,1);
INSERT INTO "matchbox" VALUES(3,3,5,3,1);
INSERT INTO "matchbox" VALUES(3,4,1,4,0);
INSERT INTO "matchbox" VALUES(3,4,3,16,4);
INSERT INTO "matchbox" VALUES(3,4,4,4,0);
INSERT INTO "matchbox" VALUES(3,4,5,4,0);
INSERT INTO "matchbox" VALUES(3,5,1,4,0);
INSERT INTO "matchbox" VALUES(3,5,2,3,1);
INSERT INTO "matchbox" VALUES(3,5,4,7,1);
INSERT INTO "matchbox" VALUES(3,5,5,3,1);
INSERT INTO "matchbox" VALUES(3,6,1,7,1);
INSERT INTO "matchbox" VALUES(3,6,2,3,1);
INSERT INTO "matchbox" VALUES(3,6,3,7,1);
INSERT INTO "matchbox" VALUES(3,6,5,3,1);
INSERT INTO "matchbox" VALUES(3,7,1,4,0);
INSERT INTO "matchbox" VALUES(3,7,2,2,2);
INSERT INTO "matchbox" VALUES(3,7,3,7,1);
INSERT INTO "matchbox" VALUES(3,7,4,10,2);
INSERT INTO "matchbox" VALUES(3,8,2,16,4);
INSERT INTO "matchbox" VALUES(3,8,3,49,15);
INSERT INTO "matchbox" VALUES(3,8,4,49,15);
INSERT INTO "matchbox" VALUES(3,8,5,25,7);
INSERT INTO "matchbox" VALUES(3,9,1,22,6);
INSERT INTO "matchbox" VALUES(3,9,2,10,2);
INSERT INTO "matchbox" VALUES(3,9,3,70,22);
INSERT INTO "matchbox" VALUES(3,9,5,91,29);
INSERT INTO "matchbox" VALUES(3,10,0,49,15);
INSERT INTO "matchbox" VALUES(3,10,3,46,14);
INSERT INTO "matchbox" VALUES(3,33,1,2,0);
INSERT INTO "matchbox" VALUES(3,33,4,2,0);
INSERT INTO "matchbox" VALUES(3,34,1,2,0);
INSERT INTO "matchbox" VALUES(7,1,1,1,3);
INSERT INTO "matchbox" VALUES(7,1,2,1,3);
INSERT INTO "matchbox" VALUES(7,1,3,1,4);
INSERT INTO "matchbox" VALUES(7,1,4,1,3);
INSERT INTO "matchbox" VALUES(7,1,5,1,4);
INSERT INTO "matchbox" VALUES(7,2,0,1,10);
INSERT INTO "matchbox" VALUES(7,2,3,1,5);
INSERT INTO "matchbox" VALUES(7,2,4,1,8);
INSERT INTO "matchbox" VALUES(7,15,3,2,0);
INSERT INTO "matchbox" VALUES(7,15,4,2,0);
INSERT INTO "matchbox" VALUES(7,18,2,2,0);
INSERT INTO "matchbox" VALUES(7,18,3,2,0);
INSERT INTO "matchbox" VALUES(7,18,4,2,0);
INSERT INTO "matchbox" VALUES(7,19,1,2,0);
INSERT INTO "matchbox" VALUES(7,19,4,2,0);
INSERT INTO "matchbox" VALUES(7,19,5,2,0);
INSERT INTO "matchbox" VALUES(7,20,1,2,0);
INSERT INTO "matchbox" VALUES(7,20,3,2,0);
INSERT INTO "matchbox" VALUES(7,23,1,2,0);
INSERT INTO "matchbox" VALUES(7,23,3,2,0);
INSERT INTO "matchbox" VALUES(7,23,4,2,0);
INSERT INTO "matchbox" VALUES(8,0,0,466,178);
INSERT INTO "matchbox" VALUES(8,0,1,616,204);
INSERT INTO "matchbox" VALUES(8,3,2,2,1);
INSERT INTO "matchbox" VALUES(8,3,3,45,14);
INSERT INTO "matchbox" VALUES(8,3,4,54,17);
INSERT INTO "matchbox" VALUES(8,3,5,1,2);
INSERT INTO "matchbox" VALUES(8,4,1,3,0);
INSERT INTO "matchbox" VALUES(8,4,3,54,17);
INSERT INTO "matchbox" VALUES(8,4,4,15,4);
INSERT INTO "matchbox" VALUES(8,4,5,3,0);
INSERT INTO "matchbox" VALUES(8,5,1,69,22);
INSERT INTO "matchbox" VALUES(8,5,2,1,6);
INSERT INTO "matchbox" VALUES(8,5,4,75,24);
INSERT INTO "matchbox" VALUES(8,5,5,2,5);
INSERT INTO "matchbox" VALUES(8,6,1,69,22);
INSERT INTO "matchbox" VALUES(8,6,2,2,1);
INSERT INTO "matchbox" VALUES(8,6,3,21,6);
INSERT INTO "matchbox" VALUES(8,6,5,2,1);
INSERT INTO "matchbox" VALUES(8,7,1,12,3);
INSERT INTO "matchbox" VALUES(8,7,2,2,5);
INSERT INTO "matchbox" VALUES(8,7,3,24,7);
INSERT INTO "matchbox" VALUES(8,7,4,66,21);
INSERT INTO "matchbox" VALUES(8,8,2,12,3);
INSERT INTO "matchbox" VALUES(8,8,3,39,12);
INSERT INTO "matchbox" VALUES(8,8,4,36,11);
INSERT INTO "matchbox" VALUES(8,8,5,138,45);
INSERT INTO "matchbox" VALUES(8,9,1,39,12);
INSERT INTO "matchbox" VALUES(8,9,2,105,34);
INSERT INTO "matchbox" VALUES(8,9,3,18,5);
INSERT INTO "matchbox" VALUES(8,9,5,45,14);
INSERT INTO "matchbox" VALUES(8,10,0,186,61);
INSERT INTO "matchbox" VALUES(8,10,3,24,7);
INSERT INTO "matchbox" VALUES(8,33,1,2,0);
INSERT INTO "matchbox" VALUES(8,33,4,8,2);
INSERT INTO "matchbox" VALUES(8,34,1,5,1);
CREATE TABLE move (
    position_id      INTEGER NOT NULL REFERENCES position,
    action           INTEGER NOT NULL CHECK (action >= 0),
    next_position_id INTEGER NOT NULL REFERENCES position,
    multiplicity     INTEGER NOT NULL CHECK (multiplicity >= 1),
    minimax          INTEGER NOT NULL CHECK (minimax IN (1, 0, -1)),
    optimal          INTEGER NOT NULL CHECK (optimal IN (0, 1)),
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
    position_id  INTEGER PRIMARY KEY CHECK (position_id >= 0),
    board        TEXT    NOT NULL UNIQUE,
    ply          INTEGER NOT NULL CHECK (ply >= 0),
    to_move      TEXT             CHECK (to_move IN ('X', 'O')),
    outcome      TEXT             CHECK (outcome IN ('X', 'O', 'draw')),
    images       INTEGER NOT NULL CHECK (images IN (1, 2, 4, 8)),
    minimax      INTEGER NOT NULL CHECK (minimax IN (1, 0, -1)),
    plies_to_end INTEGER NOT NULL CHECK (plies_to_end >= 0),
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
    name     TEXT NOT NULL,
    variant  TEXT NOT NULL,
    symmetry TEXT NOT NULL CHECK (symmetry IN ('full', 'none'))
) STRICT;
INSERT INTO "rules" VALUES('tictactoe','2x3x2','full');
CREATE TABLE run (
    run_id       INTEGER PRIMARY KEY,
    kind         TEXT    NOT NULL CHECK (kind IN ('selfplay', 'train', 'copy', 'play', 'recount')),
    x_player     TEXT    NOT NULL,
    o_player     TEXT    NOT NULL,
    x_learner_id INTEGER          REFERENCES learner,
    o_learner_id INTEGER          REFERENCES learner,
    x_learns     INTEGER NOT NULL CHECK (x_learns IN (0, 1)),
    o_learns     INTEGER NOT NULL CHECK (o_learns IN (0, 1)),
    games_wanted INTEGER NOT NULL CHECK (games_wanted >= 0),
    games_played INTEGER NOT NULL DEFAULT 0 CHECK (games_played BETWEEN 0 AND games_wanted),
    seed         INTEGER NOT NULL CHECK (seed >= 0),
    options      TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(options)),
    version      TEXT    NOT NULL,
    started_at   TEXT    NOT NULL,
    finished_at  TEXT,
    CHECK (x_learns <= (x_learner_id IS NOT NULL)),
    CHECK (o_learns <= (o_learner_id IS NOT NULL))
) STRICT;
INSERT INTO "run" VALUES(1,'selfplay','menace-x','menace-o',1,2,1,1,300,300,1,'{}','0.1.0','2026-11-21T15:28:08Z','2026-11-21T15:28:09Z');
INSERT INTO "run" VALUES(2,'train','quitter','random',3,NULL,1,0,150,150,2,'{}','0.1.0','2026-11-21T15:28:09Z','2026-11-21T15:28:09Z');
INSERT INTO "run" VALUES(3,'train','menace-x','zhang',1,4,1,1,40,40,3,'{}','0.1.0','2026-11-21T15:28:09Z','2026-11-21T15:28:09Z');
INSERT INTO "run" VALUES(4,'train','q-table','perfect',5,NULL,1,0,40,40,4,'{}','0.1.0','2026-11-21T15:28:09Z','2026-11-21T15:28:09Z');
INSERT INTO "run" VALUES(5,'train','michie-1963','menace-o',6,2,1,0,40,40,4,'{}','0.1.0','2026-11-21T15:28:09Z','2026-11-21T15:28:09Z');
INSERT INTO "run" VALUES(6,'train','menace-x','article-code',1,7,1,1,40,40,3,'{}','0.1.0','2026-11-21T15:28:09Z','2026-11-21T15:28:09Z');
INSERT INTO "run" VALUES(7,'copy','copied','nobody',8,NULL,1,0,0,0,0,'{"copied_from": 1}','0.1.0','2026-11-21T15:28:09Z','2026-11-21T15:28:09Z');
INSERT INTO "run" VALUES(8,'play','menace-x','human',1,NULL,1,0,2,2,7,'{}','0.1.0','2026-11-21T15:28:09Z','2026-11-21T15:28:09Z');
INSERT INTO "run" VALUES(9,'play','human','menace-o',NULL,2,0,1,2,2,8,'{}','0.1.0','2026-11-21T15:28:09Z','2026-11-21T15:28:09Z');
INSERT INTO "run" VALUES(10,'play','human','zhang',NULL,4,0,1,2,2,9,'{}','0.1.0','2026-11-21T15:28:09Z','2026-11-21T15:28:09Z');
INSERT INTO "run" VALUES(11,'play','copied','human',8,NULL,1,0,2,2,11,'{}','0.1.0','2026-11-21T15:28:09Z','2026-11-21T15:28:09Z');
INSERT INTO "run" VALUES(12,'play','menace-x','human',1,NULL,0,0,1,1,10,'{}','0.1.0','2026-11-21T15:28:09Z','2026-11-21T15:28:09Z');
INSERT INTO "run" VALUES(13,'play','human','optimal',NULL,NULL,0,0,1,1,10,'{}','0.1.0','2026-11-21T15:28:10Z','2026-11-21T15:28:10Z');
INSERT INTO "run" VALUES(14,'recount','menace-x','nobody',1,NULL,1,0,0,0,0,'{}','0.1.0','2026-11-21T15:28:10Z','2026-11-21T15:28:10Z');
INSERT INTO "run" VALUES(15,'selfplay','menace-x','menace-o',1,2,1,1,500,1,12,'{}','0.1.0','2026-11-21T15:28:10Z',NULL);
CREATE TABLE state_value (
    learner_id  INTEGER NOT NULL REFERENCES learner,
    position_id INTEGER NOT NULL REFERENCES position,
    value       REAL    NOT NULL,
    updates     INTEGER NOT NULL DEFAULT 0 CHECK (updates >= 0),
    PRIMARY KEY (learner_id, position_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "state_value" VALUES(4,0,3.80503826356618057857e-01,42);
INSERT INTO "state_value" VALUES(4,1,3.84704189997597423289e-01,19);
INSERT INTO "state_value" VALUES(4,2,2.98294312955477591842e-01,23);
INSERT INTO "state_value" VALUES(4,3,3.28050000000000063771e-01,4);
INSERT INTO "state_value" VALUES(4,4,3.64500000000000046185e-01,3);
INSERT INTO "state_value" VALUES(4,5,3.28050000000000063771e-01,4);
INSERT INTO "state_value" VALUES(4,6,3.28050000000000063771e-01,4);
INSERT INTO "state_value" VALUES(4,7,3.28050000000000063771e-01,4);
INSERT INTO "state_value" VALUES(4,8,0.215233605,8);
INSERT INTO "state_value" VALUES(4,9,0.23914845,7);
INSERT INTO "state_value" VALUES(4,10,0.215233605,8);
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
    matchbox.drawn,
    CASE move.minimax * iif(learner.plays = 'X', 1, -1)
        WHEN 1 THEN 'wins'
        WHEN 0 THEN 'draws'
        ELSE 'loses'
    END AS verdict,
    move.optimal
FROM matchbox
JOIN learner ON learner.learner_id = matchbox.learner_id
JOIN position ON position.position_id = matchbox.position_id
JOIN move ON move.position_id = matchbox.position_id AND move.action = matchbox.action;
CREATE VIEW boxes AS
SELECT
    learner.name AS learner,
    learner.plays,
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
        sum(drawn) AS opened
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
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('block',67);
COMMIT;
