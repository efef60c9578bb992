-- What is the exact strength of each learner?
-- The query shows the latest measurement of each learner. `games` is the number of games before the measurement, and
-- `games_since` is the number of games after the measurement. `best_response` is the opponent that exploits the learner
-- most. `value` is the difference `win` - `loss`.
WITH last AS (
    SELECT learner, max(block_id) AS block_id
    FROM learning_curve
    GROUP BY learner
)
SELECT
    curve.learner,
    learner.plays,
    curve.games,
    learner.games - curve.games AS games_since,
    curve.policy,
    curve.opponent,
    round(curve.win, 4) AS win,
    round(curve.draw, 4) AS draw,
    round(curve.loss, 4) AS loss,
    round(curve.value, 4) AS value
FROM last
JOIN learning_curve AS curve ON curve.learner = last.learner AND curve.block_id = last.block_id
JOIN learner ON learner.name = curve.learner
ORDER BY
    curve.learner,
    curve.policy,
    CASE curve.opponent WHEN 'random' THEN 1 WHEN 'optimal' THEN 2 ELSE 3 END;
