-- Which matchboxes are empty?
-- For each learner, the query lists the twenty empty boxes that were opened most often. The setting `when_empty`
-- determines what the learner does at an empty box: `resign`, `restock` or `random`.
SELECT
    empty.learner,
    empty.board,
    empty.ply,
    empty.opened,
    empty.moves,
    json_extract(learner.settings, '$.when_empty') AS when_empty
FROM (
    SELECT
        *,
        row_number() OVER (PARTITION BY learner ORDER BY opened DESC, position_id) AS place
    FROM boxes
    WHERE beads = 0
) AS empty
JOIN learner ON learner.name = empty.learner
WHERE empty.place <= 20
ORDER BY empty.learner, empty.place;
