-- How many positions are symmetrical?
-- A position stands for as many boards as rotations and reflections make of it: the fewer, the more symmetrical.
-- On a square board 8 means no symmetry at all. (A database with symmetry `none` keeps every board apart: all 1.)
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
