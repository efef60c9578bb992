-- How did each learner's strength change with the number of games?
-- Each row shows a learner's exact expected result (1 for a win, 0 for a draw, -1 for a loss) against three opponents.
-- A run also measures its learners before its first game, so two rows can show the same number of games.
SELECT
    learner,
    preset,
    policy,
    games,
    run_id,
    round(max(iif(opponent = 'random', value, NULL)), 4) AS against_random,
    round(max(iif(opponent = 'optimal', value, NULL)), 4) AS against_optimal,
    round(max(iif(opponent = 'best_response', value, NULL)), 4) AS against_best_response
FROM learning_curve
GROUP BY learner, policy, block_id
ORDER BY learner, policy, block_id;
