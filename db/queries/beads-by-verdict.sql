-- How many beads do winning, drawing and losing moves have?
-- The verdict of a move is the result for the learner if both sides play perfectly after the move.
SELECT
    learner,
    verdict,
    count(*) AS colours,
    sum(amount > 0) AS colours_left,
    sum(amount) AS beads,
    round(1.0 * sum(amount) / nullif(sum(sum(amount)) OVER (PARTITION BY learner), 0), 4) AS share_of_beads,
    sum(picked) AS picked
FROM choices
WHERE unit = 'beads'
GROUP BY learner, verdict
ORDER BY learner, CASE verdict WHEN 'wins' THEN 1 WHEN 'draws' THEN 2 ELSE 3 END;
