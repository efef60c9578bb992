-- How many matchboxes contain beads of a single colour?
-- A box with a single colour always plays the same move. `always` counts boxes that had a single colour from the start,
-- because all their moves are equivalent. `decided` counts boxes that lost all other colours. `decided_well` counts
-- those of the latter boxes whose last colour keeps the value of the position.
SELECT
    learner,
    count(*) AS boxes,
    sum(colours_left = 1) AS single_colour,
    sum(moves = 1 AND colours_left = 1) AS always,
    sum(moves > 1 AND colours_left = 1) AS decided,
    sum(moves > 1 AND colours_left = 1 AND favourite_optimal) AS decided_well,
    sum(colours_left = 0) AS empty
FROM boxes
WHERE unit = 'beads'
GROUP BY learner
ORDER BY learner;
