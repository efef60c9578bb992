-- How sure is each learner at each stage of the game?
-- The averages include only boxes that were opened and have a favourite. `favourite_share` is the mean share of the
-- favourite, and `even_share` is what this mean would be if all moves were equally likely. `favourite_keeps_value` is
-- the fraction of boxes in which the favourite is optimal. The shares of UCB1 depend on counts and are not available in
-- this query; `menace show` prints them.
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
