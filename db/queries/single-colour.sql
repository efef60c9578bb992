-- How many boxes hold a single colour?
-- In such a box nothing is left to chance. `always` counts those that had one colour from the first, because all their
-- moves are equivalent; `decided` lost all other colours, and `decided_well` of them hold one that keeps the value.
SELECT
    learner,
    count(*) AS boxes,
    sum(colours_left = 1) AS single_colour,
    sum(colours = 1 AND colours_left = 1) AS always,
    sum(colours > 1 AND colours_left = 1) AS decided,
    sum(colours > 1 AND colours_left = 1 AND favourite_optimal) AS decided_well,
    sum(colours_left = 0) AS empty
FROM boxes
GROUP BY learner
ORDER BY learner;
