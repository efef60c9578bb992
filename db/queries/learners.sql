-- Which learners exist, and what do their boxes contain?
-- Each box belongs to one position. `beads` is NULL for learners that do not use beads. The query reads the tables
-- instead of the view `boxes`, which also ranks the moves in each box and takes ten times as long.
WITH box AS (
    SELECT learner_id, position_id, count(*) AS moves, sum(beads) AS beads, sum(picked) AS opened
    FROM matchbox
    GROUP BY learner_id, position_id
    UNION ALL
    SELECT learner_id, position_id, count(*), NULL, sum(updates)
    FROM action_value
    GROUP BY learner_id, position_id
    UNION ALL
    -- A learner that stores values of positions has a box for each position in which it is to move.
    SELECT learner.learner_id, move.position_id, count(*), NULL, sum(coalesce(state_value.updates, 0))
    FROM learner
    JOIN position ON position.to_move = learner.plays
    JOIN move ON move.position_id = position.position_id
    LEFT JOIN state_value
        ON state_value.learner_id = learner.learner_id AND state_value.position_id = move.next_position_id
    WHERE EXISTS (SELECT 1 FROM state_value AS known WHERE known.learner_id = learner.learner_id)
    GROUP BY learner.learner_id, move.position_id
)
SELECT
    learner.name AS learner,
    learner.plays,
    learner.preset,
    learner.games,
    count(box.position_id) AS boxes,
    sum(box.moves) AS moves,
    sum(box.beads) AS beads,
    sum(box.opened > 0) AS boxes_opened,
    learner.created_at
FROM learner
LEFT JOIN box ON box.learner_id = learner.learner_id
WHERE learner.deleted_at IS NULL
GROUP BY learner.learner_id
ORDER BY learner.learner_id;
