-- How does each learner open the game?
-- For each learner that plays X, the query lists all first moves with the learner's beads, value or odds for each move.
-- Equivalent moves count as one opening, which is named after the lowest of their actions. The shares of UCB1 depend on
-- counts and are not available in this query; `menace show` prints them.
SELECT
    choices.learner,
    choices.move,
    moves.next_board AS opening,
    choices.multiplicity AS cells,
    iif(choices.unit = 'beads', choices.amount, round(choices.amount, 4)) AS amount,
    choices.unit,
    round(choices.share, 4) AS share,
    choices.picked,
    choices.verdict
FROM choices
JOIN moves ON moves.position_id = choices.position_id AND moves.action = choices.action
WHERE choices.position_id = 0
ORDER BY choices.learner, choices.share DESC, choices.action;
