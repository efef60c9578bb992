-- How many mistakes can each learner still make?
-- A mistake is a move that does not keep the value of its position. `chance` is the probability of a mistake, averaged
-- over all boxes at a ply. All boxes have the same weight, including those that are rarely opened. The shares of UCB1
-- depend on counts and are not available here; `menace mistakes` shows them.
SELECT
    learner,
    ply,
    count(DISTINCT position_id) AS boxes,
    count(DISTINCT iif(optimal, NULL, position_id)) AS boxes_with_mistakes,
    sum(NOT optimal) AS mistakes,
    iif(unit = 'beads', sum(iif(optimal, 0, amount)), NULL) AS beads_of_mistakes,
    round(sum(iif(optimal, 0.0, share)) / count(DISTINCT position_id), 4) AS chance
FROM choices
WHERE share > 0
GROUP BY learner, ply
ORDER BY learner, ply;
