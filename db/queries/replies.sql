-- How does each learner of O answer each opening?
-- The boxes of O's first move. A reply that `loses` lets X win by force.
SELECT
    contents.learner,
    contents.board AS opening,
    contents.action,
    next.board AS reply,
    contents.beads,
    round(contents.share, 4) AS share,
    contents.picked,
    contents.verdict
FROM matchbox_contents AS contents
JOIN move ON move.position_id = contents.position_id AND move.action = contents.action
JOIN position AS next ON next.position_id = move.next_position_id
WHERE contents.position_id IN (SELECT next_position_id FROM move WHERE position_id = 0)
ORDER BY contents.learner, contents.position_id, contents.share DESC, contents.action;
