-- Which piles were counted again?
-- The latest first: what the database had, and what was in the real box.
SELECT
    block.block_id,
    learner.name AS learner,
    position.board,
    adjustment.action,
    adjustment.beads_before,
    adjustment.beads_after,
    adjustment.beads_after - adjustment.beads_before AS change,
    block.created_at
FROM adjustment
JOIN block ON block.block_id = adjustment.block_id
JOIN learner ON learner.learner_id = adjustment.learner_id
JOIN position ON position.position_id = adjustment.position_id
ORDER BY block.block_id DESC, position.position_id, adjustment.action
LIMIT 1000;
