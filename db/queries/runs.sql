-- Which runs were started, and how did they end?
-- The query shows learners under their current names. The latest runs come first.
SELECT
    run.run_id,
    run.kind,
    coalesce(x.name, run.x_player) AS x_player,
    coalesce(o.name, run.o_player) AS o_player,
    run.x_learns,
    run.o_learns,
    run.games_wanted,
    run.games_played,
    CASE
        WHEN run.finished_at IS NULL THEN 'unfinished'
        WHEN count(block.block_id) FILTER (WHERE block.kind = 'ruin') THEN 'stopped'
        WHEN run.games_played < run.games_wanted THEN 'abandoned'
        ELSE 'finished'
    END AS state,
    sum(block.x_wins) AS x_wins,
    sum(block.draws) AS draws,
    sum(block.o_wins) AS o_wins,
    count(block.block_id) AS blocks,
    run.seed,
    run.version,
    run.started_at,
    run.finished_at
FROM run
LEFT JOIN learner AS x ON x.learner_id = run.x_learner_id
LEFT JOIN learner AS o ON o.learner_id = run.o_learner_id
LEFT JOIN block ON block.run_id = run.run_id
GROUP BY run.run_id
ORDER BY run.run_id DESC
LIMIT 200;
