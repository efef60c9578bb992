-- How many positions and boards are there at each ply?
-- `finished`, `won_by_x`, `won_by_o` and `drawn` count positions in which the game is over. `x_can_force`,
-- `o_can_force` and `neither` count all positions, grouped by the winner under perfect play. `moves` is the number of
-- moves from all positions at the ply.
SELECT
    position.ply,
    count(*) AS positions,
    sum(position.images) AS boards,
    sum(position.outcome IS NOT NULL) AS finished,
    sum(position.outcome IS 'X') AS won_by_x,
    sum(position.outcome IS 'O') AS won_by_o,
    sum(position.outcome IS 'draw') AS drawn,
    coalesce(sum(exits.moves), 0) AS moves,
    sum(position.minimax = 1) AS x_can_force,
    sum(position.minimax = -1) AS o_can_force,
    sum(position.minimax = 0) AS neither
FROM position
LEFT JOIN (
    SELECT position_id, count(*) AS moves
    FROM move
    GROUP BY position_id
) AS exits ON exits.position_id = position.position_id
GROUP BY position.ply
ORDER BY position.ply;
