-- How many moves does a forced win take?
-- The query counts the unfinished positions in which one side can force a win. `plies` is the number of remaining moves
-- if the winner wins as soon as possible and the loser delays the loss as long as possible. `first_board` is the board
-- of the first of these positions.
SELECT
    iif(minimax = 1, 'X', 'O') AS winner,
    to_move,
    plies_to_end AS plies,
    count(*) AS positions,
    sum(images) AS boards,
    min(position_id) AS first_position_id,
    board AS first_board
FROM position
WHERE outcome IS NULL AND minimax <> 0
GROUP BY minimax, to_move, plies_to_end
ORDER BY minimax DESC, plies_to_end, to_move;
