-- Which boxes did Michie leave out?
-- Michie's machine had only 287 boxes instead of 304. Michie left out the boxes for some positions before X's fourth
-- move. In these positions, X cannot win at once and O threatens to win on at least two cells, so X loses whatever
-- it plays. For other games, the query returns no rows.
WITH
line (a, b, c) AS (
    VALUES (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)
),
-- A line can be completed in three ways. Each row contains the last cell of a line and the two cells of the same line
-- that are taken before it.
ending (cell, one, other) AS (
    SELECT a, b, c FROM line
    UNION ALL
    SELECT b, a, c FROM line
    UNION ALL
    SELECT c, a, b FROM line
),
winning_cell AS (
    SELECT DISTINCT
        position.position_id,
        ending.cell,
        substr(position.board, ending.one + 1, 1) AS side
    FROM position
    JOIN ending
        ON substr(position.board, ending.cell + 1, 1) = '.'
        AND substr(position.board, ending.one + 1, 1) <> '.'
        AND substr(position.board, ending.one + 1, 1) = substr(position.board, ending.other + 1, 1)
    WHERE position.ply = 6
)
SELECT
    position.position_id,
    position.board,
    position.images,
    position.minimax,
    position.plies_to_end,
    group_concat(winning_cell.cell, ' ') AS o_wins_on
FROM position
JOIN rules ON rules.name = 'tictactoe' AND rules.variant = '3x3x3'
JOIN winning_cell ON winning_cell.position_id = position.position_id
WHERE position.ply = 6 AND position.to_move = 'X'
GROUP BY position.position_id
HAVING sum(winning_cell.side = 'O') >= 2 AND sum(winning_cell.side = 'X') = 0
ORDER BY position.position_id;
