-- How does each learner of O answer each opening?
-- What it has for each board after X's first move. A reply that `loses` lets X win by force.
-- UCB1, whose choices follow from counts, has no shares here: `menace show` has them.
SELECT
    choices.learner,
    choices.board AS opening,
    choices.move,
    moves.next_board AS reply,
    iif(choices.unit = 'beads', choices.amount, round(choices.amount, 4)) AS amount,
    choices.unit,
    round(choices.share, 4) AS share,
    choices.picked,
    choices.verdict
FROM choices
JOIN moves ON moves.position_id = choices.position_id AND moves.action = choices.action
WHERE choices.position_id IN (SELECT next_position_id FROM move WHERE position_id = 0)
ORDER BY choices.learner, choices.position_id, choices.share DESC, choices.action;
