-- How many matchboxes do machines for X and for O need?
-- A machine needs one box for each position in which it has a choice. `stage` is the number of the machine's move, from
-- 1. `colours` is the number of moves in all boxes of the stage, and `boards` is the number of boards that these boxes
-- represent.
SELECT
    choice.to_move AS plays,
    choice.ply / 2 + 1 AS stage,
    choice.ply,
    count(*) AS boxes,
    sum(choice.colours) AS colours,
    sum(choice.images) AS boards
FROM (
    SELECT
        position.to_move,
        position.ply,
        position.images,
        count(*) AS colours
    FROM position
    JOIN move ON move.position_id = position.position_id
    GROUP BY position.position_id
    HAVING sum(move.multiplicity) > 1
) AS choice
GROUP BY choice.to_move, choice.ply
ORDER BY choice.to_move DESC, choice.ply;
