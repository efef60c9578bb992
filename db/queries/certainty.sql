-- How sure is each learner at each stage of the game?
-- Over its opened boxes that have a favourite: the favourite's share on average, what it would be if all moves had the
-- same, and the share of the boxes whose favourite keeps the position's value.
-- UCB1, whose choices follow from counts, has no shares here: `menace show` has them.
SELECT
    learner,
    ply,
    count(*) AS boxes,
    round(avg(favourite_share), 4) AS favourite_share,
    round(avg(1.0 / moves), 4) AS even_share,
    round(avg(favourite_optimal), 4) AS favourite_keeps_value
FROM boxes
WHERE opened > 0 AND favourite IS NOT NULL
GROUP BY learner, ply
ORDER BY learner, ply;
