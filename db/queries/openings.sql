-- How does each learner open the game?
-- What those who play X have for the first board. Equivalent moves are one opening: its lowest action stands for all.
-- UCB1, whose choices follow from counts, has no shares here: `menace show` has them.
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
