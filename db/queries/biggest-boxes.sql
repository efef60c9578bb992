-- Which boxes contain the most beads?
-- For each learner, the query lists the ten boxes with the most beads. `share_of_all_beads` is the fraction of the
-- learner's beads that are in the box.
SELECT
    learner,
    board,
    ply,
    beads,
    round(1.0 * beads / nullif(all_beads, 0), 4) AS share_of_all_beads,
    opened,
    favourite,
    round(favourite_share, 4) AS favourite_share
FROM (
    SELECT
        *,
        row_number() OVER (PARTITION BY learner ORDER BY beads DESC, position_id) AS place,
        sum(beads) OVER (PARTITION BY learner) AS all_beads
    FROM boxes
    WHERE unit = 'beads'
)
WHERE place <= 10
ORDER BY learner, place;
