-- Which good moves has each learner given up?
-- Moves that keep a win or a draw, but whose colour has run out in a box that still holds other beads: the twenty of
-- each learner that were picked most.
SELECT
    learner,
    board,
    ply,
    action,
    verdict,
    picked,
    favourite,
    favourite_verdict
FROM (
    SELECT
        contents.*,
        boxes.favourite,
        boxes.favourite_verdict,
        row_number() OVER (
            PARTITION BY contents.learner
            ORDER BY contents.picked DESC, contents.position_id, contents.action
        ) AS place
    FROM matchbox_contents AS contents
    JOIN boxes ON boxes.learner = contents.learner AND boxes.position_id = contents.position_id
    WHERE contents.beads = 0 AND contents.optimal AND contents.verdict <> 'loses' AND boxes.beads > 0
)
WHERE place <= 20
ORDER BY learner, place;
