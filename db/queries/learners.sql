-- Which learners exist, and what do their boxes contain?
-- Each box belongs to one position. `beads` is NULL for learners that do not use beads.
SELECT
    learner.name AS learner,
    learner.plays,
    learner.preset,
    learner.games,
    count(boxes.position_id) AS boxes,
    sum(boxes.moves) AS moves,
    sum(boxes.beads) AS beads,
    sum(boxes.opened > 0) AS boxes_opened,
    learner.created_at
FROM learner
LEFT JOIN boxes ON boxes.learner = learner.name
WHERE learner.deleted_at IS NULL
GROUP BY learner.learner_id
ORDER BY learner.learner_id;
