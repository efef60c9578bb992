-- How did each learner's strength change with the number of games?
-- Each row shows a learner's exact expected result (1 for a win, 0 for a draw, -1 for a loss) against three opponents.
-- A run also measures its learners before the first game, so two rows can show the same number of games. The query
-- groups the rows in the order of the table `evaluation`, because sorting them first would take twice as long.
WITH measured AS (
    SELECT
        block_id,
        learner_id,
        policy,
        learner_games AS games,
        max(iif(opponent = 'random', win - loss, NULL)) AS against_random,
        max(iif(opponent = 'optimal', win - loss, NULL)) AS against_optimal,
        max(iif(opponent = 'best_response', win - loss, NULL)) AS against_best_response
    FROM evaluation
    GROUP BY block_id, learner_id, policy
)
SELECT
    learner.name AS learner,
    learner.preset,
    measured.policy,
    measured.games,
    block.run_id,
    round(measured.against_random, 4) AS against_random,
    round(measured.against_optimal, 4) AS against_optimal,
    round(measured.against_best_response, 4) AS against_best_response
FROM measured
JOIN learner ON learner.learner_id = measured.learner_id AND learner.deleted_at IS NULL
JOIN block ON block.block_id = measured.block_id
WHERE block.block_id NOT IN (SELECT coalesce(json_extract(options, '$.takes_back'), 0) FROM run WHERE kind = 'forget')
ORDER BY learner.name, measured.policy, measured.block_id;
