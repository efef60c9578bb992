-- From schema 2 to 3: to take the colour with most beads is an algorithm, `favourite`, no longer a setting of menace.
-- A learner's preset is one of its algorithm: where it was made from one of the other, the nearest takes its place, and
-- its settings stay as they are. They are written as Python writes JSON, so that learners that are alike have the same
-- text; nothing in these settings has a comma or a colon of its own. Run in one transaction.
UPDATE learner
SET
    algorithm = 'favourite',
    preset = 'article-code',
    settings = replace(replace(json_remove(settings, '$.pick', '$.when_empty'), ',', ', '), ':', ': ')
WHERE algorithm = 'menace' AND json_extract(settings, '$.pick') = 'favourite';

UPDATE learner
SET
    preset = CASE preset WHEN 'article-code' THEN 'menace' ELSE preset END,
    settings = replace(
        replace(
            json_remove(settings, '$.pick', '$.rewards', '$.epsilon', '$.epsilon_decay', '$.epsilon_least'), ',', ', '
        ), ':', ': '
    )
WHERE algorithm = 'menace' AND json_extract(settings, '$.pick') = 'bead';

-- `q-learning` is the name of plain settings now; those of before are called by their author.
UPDATE learner SET preset = 'sala' WHERE algorithm = 'q-learning' AND preset = 'q-learning';

PRAGMA user_version = 3;
