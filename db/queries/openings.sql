-- How does each learner open the game?
-- The box of the first board, for those who play X. Equivalent moves are one opening: its lowest action stands for all.
SELECT
    contents.learner,
    contents.action,
    next.board AS opening,
    contents.multiplicity AS cells,
    contents.beads,
    round(contents.share, 4) AS share,
    contents.picked,
    contents.verdict
FROM matchbox_contents AS contents
JOIN move ON move.position_id = contents.position_id AND move.action = contents.action
JOIN position AS next ON next.position_id = move.next_position_id
WHERE contents.ply = 0
ORDER BY contents.learner, contents.share DESC, contents.action;
