-- How sure is each learner at each stage of the game?
-- Over its opened boxes that hold beads: the favourite's share on average, what it would be if all colours had as many
-- beads, and the share of the boxes whose favourite keeps the position's value.
SELECT
    learner,
    ply,
    count(*) AS boxes,
    round(avg(favourite_share), 4) AS favourite_share,
    round(avg(1.0 / colours), 4) AS even_share,
    round(avg(favourite_optimal), 4) AS favourite_keeps_value
FROM boxes
WHERE opened > 0 AND beads > 0
GROUP BY learner, ply
ORDER BY learner, ply;
