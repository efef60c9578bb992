-- Which learners are there, and what is in their boxes?
-- A learner that keeps values instead of matchboxes has no boxes, and NULL for what would be in them.
SELECT
    learner.name AS learner,
    learner.plays,
    learner.preset,
    learner.games,
    count(boxes.position_id) AS boxes,
    sum(boxes.colours) AS colours,
    sum(boxes.beads) AS beads,
    sum(boxes.opened > 0) AS boxes_opened,
    learner.created_at
FROM learner
LEFT JOIN boxes ON boxes.learner = learner.name
WHERE learner.deleted_at IS NULL
GROUP BY learner.learner_id
ORDER BY learner.learner_id;
