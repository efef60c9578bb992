-- Which boxes favour a move that throws the game away?
-- Opened boxes of positions that are not lost, whose favourite move loses against perfect play: the twenty of each
-- learner that were opened most. In a tie the lowest action counts as the favourite; `ties` is the number of other
-- colours with as many beads.
SELECT
    wrong.learner,
    wrong.board,
    wrong.ply,
    wrong.favourite,
    round(wrong.favourite_share, 4) AS favourite_share,
    (
        SELECT count(*) - 1
        FROM matchbox_contents AS contents
        WHERE contents.learner = wrong.learner
            AND contents.position_id = wrong.position_id
            AND contents.share = wrong.favourite_share
    ) AS ties,
    wrong.opened
FROM (
    SELECT
        *,
        row_number() OVER (PARTITION BY learner ORDER BY opened DESC, position_id) AS place
    FROM boxes
    WHERE favourite_verdict = 'loses' AND NOT favourite_optimal AND opened > 0
) AS wrong
WHERE wrong.place <= 20
ORDER BY wrong.learner, wrong.place;
