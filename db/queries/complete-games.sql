-- How many games are there, and how do they end?
-- `games` counts games on actual boards, and `games_up_to_symmetry` counts sequences of positions. `chance_at_random`
-- is the probability of the outcome if both sides choose empty cells at random. The query returns no rows for any game
-- except 3x3x3 tic-tac-toe, because other games would take too long.
WITH RECURSIVE
edge AS MATERIALIZED (
    SELECT
        position_id,
        next_position_id,
        multiplicity,
        1.0 * multiplicity / sum(multiplicity) OVER (PARTITION BY position_id) AS chance
    FROM move
),
course (position_id, games, chance) AS (
    SELECT 0, 1, 1.0
    FROM rules
    WHERE name = 'tictactoe' AND variant = '3x3x3'
    UNION ALL
    SELECT edge.next_position_id, course.games * edge.multiplicity, course.chance * edge.chance
    FROM course
    JOIN edge ON edge.position_id = course.position_id
)
SELECT
    position.outcome,
    position.ply AS plies,
    sum(course.games) AS games,
    count(*) AS games_up_to_symmetry,
    round(sum(course.chance), 4) AS chance_at_random
FROM course
JOIN position ON position.position_id = course.position_id
WHERE position.outcome IS NOT NULL
GROUP BY position.outcome, position.ply
ORDER BY position.ply, position.outcome;
