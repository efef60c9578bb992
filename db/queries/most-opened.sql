-- Which boxes were opened most often?
-- For each learner, the query lists the ten boxes that were opened most often. Only games from which the learner
-- learned are counted. The shares of UCB1 depend on counts and are not available in this query; `menace show` prints
-- them.
SELECT
    learner,
    board,
    ply,
    opened,
    beads,
    favourite,
    round(favourite_share, 4) AS favourite_share,
    favourite_verdict
FROM (
    SELECT
        *,
        row_number() OVER (PARTITION BY learner ORDER BY opened DESC, position_id) AS place
    FROM boxes
    WHERE opened > 0
)
WHERE place <= 10
ORDER BY learner, place;
