-- What are people's results against each machine?
-- The results are from the point of view of the person, whose name was specified with `menace play --name`. `learns` is
-- 0 if the machine did not learn from the games. Games that were undone with `menace forget` do not count.
SELECT
    coalesce(json_extract(run.options, '$.person'), '') AS person,
    coalesce(learner.name, iif(run.x_player = 'human', run.o_player, run.x_player)) AS machine,
    iif(run.x_player = 'human', 'X', 'O') AS person_plays,
    run.x_learns + run.o_learns AS learns,
    count(*) AS games,
    sum(game.outcome = iif(run.x_player = 'human', 'X', 'O')) AS wins,
    sum(game.outcome = 'draw') AS draws,
    sum(game.outcome = iif(run.x_player = 'human', 'O', 'X')) AS losses,
    max(block.created_at) AS last_played
FROM game
JOIN block ON block.block_id = game.block_id
JOIN run ON run.run_id = block.run_id
LEFT JOIN learner ON learner.learner_id = coalesce(run.x_learner_id, run.o_learner_id)
WHERE block.block_id NOT IN (SELECT coalesce(json_extract(options, '$.takes_back'), 0) FROM run WHERE kind = 'forget')
GROUP BY person, machine, person_plays, learns
ORDER BY games DESC, machine, person;
