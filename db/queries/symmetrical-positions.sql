-- How many positions are symmetrical?
-- The fewer different boards rotations and reflections produce from a position, the more symmetrical it is.
-- On a square board, 8 means no symmetry. (With symmetry `none`, every board is its own position, and the count is 1.)
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
