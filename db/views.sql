-- Views: the tables with names instead of numbers. db/README.md explains every column.
-- Learners that were deleted are in none of them but game_changes.
-- They are not part of the file's version: menace brings them up to date in a file whose views differ from these.

-- matchbox_contents: a row is one colour of bead in one box of one learner.
CREATE VIEW matchbox_contents AS
SELECT
    learner.name AS learner,
    learner.plays,
    matchbox.box,
    position.ply / 2 + 1 AS stage,
    matchbox.position_id,
    position.board,
    position.ply,
    matchbox.action,
    move.multiplicity,
    matchbox.beads,
    -- NULL in an empty box: nothing divided by nothing.
    1.0 * matchbox.beads / (
        SELECT nullif(sum(pile.beads), 0)
        FROM matchbox AS pile
        WHERE pile.learner_id = matchbox.learner_id AND pile.position_id = matchbox.position_id
    ) AS share,
    matchbox.picked,
    CASE move.minimax * iif(learner.plays = 'X', 1, -1)
        WHEN 1 THEN 'wins'
        WHEN 0 THEN 'draws'
        ELSE 'loses'
    END AS verdict,
    move.optimal
FROM (
    -- The number on the label: positions are numbered by ply, and so are boxes.
    SELECT *, dense_rank() OVER (PARTITION BY learner_id ORDER BY position_id) AS box
    FROM matchbox
) AS matchbox
JOIN learner ON learner.learner_id = matchbox.learner_id AND learner.deleted_at IS NULL
JOIN position ON position.position_id = matchbox.position_id
JOIN move ON move.position_id = matchbox.position_id AND move.action = matchbox.action;

-- boxes: a row is one box of one learner. Its favourite is the colour with most beads, the lowest action in a tie.
CREATE VIEW boxes AS
SELECT
    learner.name AS learner,
    learner.plays,
    box.box,
    position.ply / 2 + 1 AS stage,
    box.position_id,
    position.board,
    position.ply,
    box.beads,
    box.colours,
    box.colours_left,
    box.opened,
    favourite.action AS favourite,
    1.0 * favourite.beads / box.beads AS favourite_share,
    CASE move.minimax * iif(learner.plays = 'X', 1, -1)
        WHEN 1 THEN 'wins'
        WHEN 0 THEN 'draws'
        WHEN -1 THEN 'loses'
    END AS favourite_verdict,
    move.optimal AS favourite_optimal
FROM (
    SELECT
        learner_id,
        position_id,
        sum(beads) AS beads,
        count(*) AS colours,
        sum(beads > 0) AS colours_left,
        sum(picked) AS opened,
        row_number() OVER (PARTITION BY learner_id ORDER BY position_id) AS box
    FROM matchbox
    GROUP BY learner_id, position_id
) AS box
JOIN learner ON learner.learner_id = box.learner_id AND learner.deleted_at IS NULL
JOIN position ON position.position_id = box.position_id
LEFT JOIN matchbox AS favourite
    ON favourite.learner_id = box.learner_id
    AND favourite.position_id = box.position_id
    AND favourite.action = (
        SELECT pile.action
        FROM matchbox AS pile
        WHERE pile.learner_id = box.learner_id AND pile.position_id = box.position_id AND pile.beads > 0
        ORDER BY pile.beads DESC, pile.action
        LIMIT 1
    )
LEFT JOIN move ON move.position_id = favourite.position_id AND move.action = favourite.action;

-- learning_curve: a row is the exact strength of one learner, playing one way against one opponent, at one mark. What was
-- taken back is left out.
CREATE VIEW learning_curve AS
SELECT
    learner.name AS learner,
    evaluation.learner_games AS games,
    evaluation.policy,
    evaluation.opponent,
    evaluation.win,
    evaluation.draw,
    evaluation.loss,
    evaluation.win - evaluation.loss AS value,
    block.run_id,
    evaluation.block_id
FROM evaluation
JOIN learner ON learner.learner_id = evaluation.learner_id AND learner.deleted_at IS NULL
JOIN block ON block.block_id = evaluation.block_id
WHERE block.block_id NOT IN (SELECT coalesce(json_extract(options, '$.takes_back'), 0) FROM run WHERE kind = 'forget');

-- game_changes: a row is what one game with a person changed in one entry of what one learner has learned.
CREATE VIEW game_changes AS
SELECT
    change.game_id,
    learner.name AS learner,
    learner.plays,
    change.ply,
    change.position_id,
    position.board,
    change.action,
    change.before,
    change.put_back,
    change.after - change.before - change.put_back AS learned,
    change.after,
    block.created_at
FROM change
JOIN game ON game.game_id = change.game_id
JOIN block ON block.block_id = game.block_id
JOIN learner ON learner.learner_id = change.learner_id
JOIN position ON position.position_id = change.position_id;
