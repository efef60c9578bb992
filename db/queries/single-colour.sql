-- How many matchboxes contain beads of a single colour?
-- Such a box always plays the same move. `always` counts boxes that had a single colour from the start, because all their
-- moves are equivalent. `decided` counts boxes that lost all other colours. In `decided_well` of these, the remaining move
-- keeps the value of the position.
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
