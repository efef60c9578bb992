-- Which piles were recounted?
-- The query compares the number of beads in the database with the number in the real box. The latest recounts come
-- first. `taken_back` is 1 if the recount was undone, and 0 otherwise.
SELECT
    block.block_id,
    learner.name AS learner,
    moves.board,
    moves.move,
    adjustment.beads_before,
    adjustment.beads_after,
    adjustment.beads_after - adjustment.beads_before AS change,
    run.run_id IS NOT NULL AS taken_back,
    block.created_at
FROM adjustment
JOIN block ON block.block_id = adjustment.block_id
JOIN learner ON learner.learner_id = adjustment.learner_id
JOIN moves ON moves.position_id = adjustment.position_id AND moves.action = adjustment.action
LEFT JOIN run ON run.kind = 'forget' AND json_extract(run.options, '$.takes_back') = block.block_id
ORDER BY block.block_id DESC, adjustment.position_id, adjustment.action
LIMIT 1000;
