-- Which good moves have no beads left?
-- A good move is one that preserves a win or a draw. The query considers only boxes that still contain beads of other
-- colours. For each learner, the query lists the twenty of these moves that were picked most often.
SELECT
    learner,
    board,
    ply,
    move,
    verdict,
    picked,
    favourite,
    favourite_verdict
FROM (
    SELECT *, row_number() OVER (PARTITION BY learner ORDER BY picked DESC, position_id, action) AS place
    FROM (
        SELECT
            *,
            max(iif(favourite, move, NULL)) OVER same_box AS favourite,
            max(iif(favourite, verdict, NULL)) OVER same_box AS favourite_verdict,
            sum(amount) OVER same_box AS beads
        FROM choices
        WHERE unit = 'beads'
        WINDOW same_box AS (PARTITION BY learner, position_id)
    )
    WHERE amount = 0 AND optimal AND verdict <> 'loses' AND beads > 0
)
WHERE place <= 20
ORDER BY learner, place;
