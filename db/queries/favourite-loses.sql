-- Which boxes favour a move that throws the game away?
-- Opened boxes of positions that are not lost, whose favourite move loses against perfect play: the twenty of each
-- learner that were opened most. In a tie the lowest action counts as the favourite; `ties` is the number of other
-- moves that it has as much for.
-- UCB1, whose choices follow from counts, has no shares here: `menace show` has them.
SELECT
    learner,
    board,
    ply,
    move AS favourite,
    round(share, 4) AS favourite_share,
    ties,
    opened
FROM (
    SELECT *, row_number() OVER (PARTITION BY learner ORDER BY opened DESC, position_id) AS place
    FROM (
        SELECT
            *,
            count(*) OVER (PARTITION BY learner, position_id, amount) - 1 AS ties,
            sum(picked) OVER (PARTITION BY learner, position_id) AS opened
        FROM choices
    )
    WHERE favourite AND verdict = 'loses' AND NOT optimal AND opened > 0
)
WHERE place <= 20
ORDER BY learner, place;
