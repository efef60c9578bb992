-- How many mistakes can each learner still make?
-- A mistake is a move that does not keep the value of its position. `chance` is that of drawing one, averaged over all
-- boxes of the ply that hold beads, each box counting equally, whether it comes up often or never.
SELECT
    learner,
    ply,
    count(DISTINCT position_id) AS boxes_with_beads,
    count(DISTINCT iif(optimal, NULL, position_id)) AS boxes_with_mistakes,
    sum(NOT optimal) AS colours_of_mistakes,
    sum(iif(optimal, 0, beads)) AS beads_of_mistakes,
    round(sum(iif(optimal, 0.0, share)) / count(DISTINCT position_id), 4) AS chance
FROM matchbox_contents
WHERE beads > 0
GROUP BY learner, ply
ORDER BY learner, ply;
