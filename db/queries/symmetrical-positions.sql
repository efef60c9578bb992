-- How many positions are symmetrical?
-- `images` is the number of different boards produced by rotating and reflecting a position. A position with fewer
-- images is more symmetrical. On a square board, a position with 8 images has no symmetry. `images` is always 1 if the
-- game's `symmetry` is `none`.
SELECT
    images,
    count(*) AS positions,
    sum(images) AS boards,
    sum(outcome IS NULL) AS unfinished,
    min(position_id) AS first_position_id,
    board AS first_board
FROM position
GROUP BY images
ORDER BY images;
