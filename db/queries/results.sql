-- How did the games of each learner end?
-- The query groups the results of each learner by opponent. Games that were undone with `menace forget` do not count.
-- `learns` is 0 if the learner played without learning.
WITH seat AS (
    SELECT
        run_id,
        'X' AS plays,
        x_learner_id AS learner_id,
        x_learns AS learns,
        o_learner_id AS other_id,
        o_player AS other
    FROM run
    UNION ALL
    SELECT run_id, 'O', o_learner_id, o_learns, x_learner_id, x_player
    FROM run
)
SELECT
    learner.name AS learner,
    seat.plays,
    coalesce(other.name, seat.other) AS opponent,
    seat.learns,
    sum(block.games) AS games,
    sum(iif(seat.plays = 'X', block.x_wins, block.o_wins)) AS wins,
    sum(block.draws) AS draws,
    sum(iif(seat.plays = 'X', block.o_wins, block.x_wins)) AS losses,
    round(1.0 * sum(block.draws) / sum(block.games), 4) AS share_drawn
FROM seat
JOIN learner ON learner.learner_id = seat.learner_id AND learner.deleted_at IS NULL
LEFT JOIN learner AS other ON other.learner_id = seat.other_id
JOIN block ON block.run_id = seat.run_id
WHERE block.block_id NOT IN (SELECT coalesce(json_extract(options, '$.takes_back'), 0) FROM run WHERE kind = 'forget')
GROUP BY learner.learner_id, coalesce(other.name, seat.other), seat.learns
HAVING sum(block.games) > 0
ORDER BY learner.name, games DESC, opponent;
