-- How many matchboxes contain beads of a single colour?
-- In such a box nothing is left to chance. `always` counts those that had one colour from the first, because all their
-- moves are equivalent; `decided` lost all other colours, and `decided_well` of them hold one that keeps the value.
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
