-- Which boxes favour a losing move?
-- In each of these boxes, the favourite loses against perfect play, although another move does not. For each learner,
-- the query lists the twenty of these boxes that were opened most often. Ties go to the lowest action, and `ties`
-- counts the other moves that are tied with the favourite. The shares of UCB1 depend on counts and are not available in
-- this query; `menace show` prints them.
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
