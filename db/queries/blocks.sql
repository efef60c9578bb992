-- What does the log of blocks contain?
-- Each row shows the results of the games in one block, and how many random numbers the block used. The latest blocks
-- come first.
SELECT
    block.block_id,
    block.run_id,
    block.kind,
    coalesce(x.name, run.x_player) AS x_player,
    coalesce(o.name, run.o_player) AS o_player,
    block.games,
    block.x_wins,
    block.draws,
    block.o_wins,
    block.numbers_before,
    block.numbers,
    block.created_at
FROM block
JOIN run ON run.run_id = block.run_id
LEFT JOIN learner AS x ON x.learner_id = run.x_learner_id
LEFT JOIN learner AS o ON o.learner_id = run.o_learner_id
ORDER BY block.block_id DESC
LIMIT 1000;
