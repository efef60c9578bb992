-- In which positions does only one move keep the value?
-- In these positions, every other move is a mistake. Equivalent cells count as one move. `choices` is the number of
-- cells to choose from, and `cells` is the number of cells that keep the value. The query excludes lost positions and
-- positions without a choice, and lists only the first 200 remaining positions.
SELECT
    position.position_id,
    position.board,
    position.ply,
    position.to_move,
    max(iif(moves.optimal, moves.move, NULL)) AS move,
    sum(iif(moves.optimal, moves.multiplicity, 0)) AS cells,
    sum(moves.multiplicity) AS choices,
    iif(position.minimax = 0, 'draws', 'wins') AS verdict
FROM position
JOIN moves ON moves.position_id = position.position_id
GROUP BY position.position_id
HAVING count(*) > 1 AND sum(moves.optimal) = 1
ORDER BY position.position_id
LIMIT 200;
