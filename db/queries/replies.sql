-- How does each learner that plays O answer each opening?
-- For each learner that plays O, the query lists the replies to X's first move with the learner's beads, value or odds
-- for each reply. If the verdict of a reply is `loses`, X can force a win after that reply. The shares of UCB1 depend
-- on counts and are not available in this query; `menace show` prints them.
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
