-- How many matchboxes contain beads of a single colour?
-- A machine always plays the same move from a box with a single colour. `always` is the number of boxes that had only
-- one colour from the start, because all their moves are equivalent. `decided` is the number of boxes that have lost
-- the beads of all colours but one. `decided_well` is the number of these decided boxes in which the remaining colour
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
