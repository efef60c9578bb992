-- The views show the contents of the tables with names instead of ids. db/README.md explains every column. All views
-- except game_changes exclude deleted learners. Views are not part of the schema's version: menace replaces every view
-- in a database that differs from the view in this file.

-- The view moves contains one row for each move of the game, including the name of the move.
CREATE VIEW moves AS
SELECT
    move.position_id,
    position.board,
    position.ply,
    position.to_move,
    move.action,
    (
        SELECT move_name.name
        FROM move_name
        WHERE move_name.to_move = position.to_move
            AND move_name.action = move.action
            AND move_name.position_id <= move.position_id
        ORDER BY move_name.position_id DESC
        LIMIT 1
    ) AS move,
    move.multiplicity,
    move.next_position_id,
    next.board AS next_board,
    CASE move.minimax * iif(position.to_move = 'X', 1, -1)
        WHEN 1 THEN 'wins'
        WHEN 0 THEN 'draws'
        ELSE 'loses'
    END AS verdict,
    move.optimal
FROM move
JOIN position ON position.position_id = move.position_id
JOIN position AS next ON next.position_id = move.next_position_id;

-- The view choices contains one row for each move that a learner can choose, including the learner's amount for the
-- move.
CREATE VIEW choices AS
SELECT
    weighed.learner,
    learner.plays,
    moves.ply / 2 + 1 AS stage,
    weighed.position_id,
    moves.board,
    moves.ply,
    weighed.action,
    moves.move,
    moves.multiplicity,
    weighed.amount,
    weighed.unit,
    CASE
        -- A learner without an epsilon picks each move in proportion to the move's beads or odds. For an empty box,
        -- nullif makes the probability NULL. UCB1 is the only algorithm with values but no epsilon, and its bounds need
        -- logarithms.
        WHEN weighed.unknown OR learner.epsilon IS NULL AND weighed.unit = 'value' THEN NULL
        WHEN learner.epsilon IS NULL THEN 1.0 * weighed.amount / nullif(weighed.amounts, 0)
        ELSE learner.explores * weighed.if_exploring / weighed.all_exploring
            + (1 - learner.explores) * CASE
                WHEN NOT weighed.best THEN 0
                WHEN json_extract(learner.settings, '$.ties') = 'first' THEN weighed.first_of_best
                ELSE 1.0 * moves.multiplicity / weighed.all_best
            END
    END AS share,
    weighed.picked,
    moves.verdict,
    moves.optimal,
    CASE
        WHEN weighed.unknown THEN NULL
        ELSE weighed.best AND weighed.first_of_best AND (weighed.unit <> 'beads' OR weighed.amount > 0)
    END AS favourite
FROM (
    SELECT
        *,
        sum(amount) OVER same_box AS amounts,
        sum(if_exploring) OVER same_box AS all_exploring,
        max(amount IS NULL) OVER same_box AS unknown,
        -- The frame ends at the last move with the same amount. For a best move, the frame therefore contains exactly
        -- the best moves.
        rank() OVER best_first = 1 AS best,
        sum(multiplicity) OVER best_first AS all_best,
        min(action) OVER best_first = action AS first_of_best
    FROM (
        SELECT
            learner.learner_id,
            learner.name AS learner,
            matchbox.position_id,
            matchbox.action,
            matchbox.beads AS amount,
            'beads' AS unit,
            matchbox.picked,
            move.multiplicity,
            1 AS if_exploring -- all moves are equally likely, regardless of how many cells they represent
        FROM learner
        JOIN matchbox ON matchbox.learner_id = learner.learner_id
        JOIN move ON move.position_id = matchbox.position_id AND move.action = matchbox.action
        UNION ALL
        SELECT
            learner.learner_id,
            learner.name,
            action_value.position_id,
            action_value.action,
            action_value.value,
            iif(learner.algorithm = 'odds', 'odds', 'value'),
            action_value.updates,
            move.multiplicity,
            move.multiplicity
        FROM learner
        JOIN action_value ON action_value.learner_id = learner.learner_id
        JOIN move ON move.position_id = action_value.position_id AND move.action = action_value.action
        UNION ALL
        -- The amount of a move is the value of the next position. If the next position is final, its value is either a
        -- setting or a random number.
        SELECT
            learner.learner_id,
            learner.name,
            move.position_id,
            move.action,
            CASE
                WHEN next.outcome IS NULL THEN state_value.value
                WHEN json_extract(learner.settings, '$.initial') = 'uniform-ends' THEN NULL
                WHEN next.outcome = learner.plays THEN json_extract(learner.settings, '$.win')
                WHEN next.outcome = 'draw' THEN json_extract(learner.settings, '$.draw')
                ELSE json_extract(learner.settings, '$.loss')
            END,
            'value',
            coalesce(state_value.updates, 0),
            move.multiplicity,
            move.multiplicity
        FROM learner
        JOIN position ON position.to_move = learner.plays
        JOIN move ON move.position_id = position.position_id
        JOIN position AS next ON next.position_id = move.next_position_id
        LEFT JOIN state_value
            ON state_value.learner_id = learner.learner_id AND state_value.position_id = next.position_id
        WHERE EXISTS (SELECT 1 FROM state_value AS known WHERE known.learner_id = learner.learner_id)
    )
    WINDOW
        best_first AS (PARTITION BY learner_id, learner, position_id ORDER BY amount DESC),
        same_box AS (best_first RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
) AS weighed
JOIN (
    -- The kernel explores if a 32-bit random number is below floor(epsilon * 2^32).
    SELECT *, CAST(coalesce(epsilon, 0) * 4294967296 AS INTEGER) / 4294967296.0 AS explores
    FROM learner
    WHERE deleted_at IS NULL
) AS learner ON learner.learner_id = weighed.learner_id
JOIN moves ON moves.position_id = weighed.position_id AND moves.action = weighed.action;

-- The view `boxes` contains one row for each box of a learner. The favourite of a box is the move with the highest
-- amount. Ties go to the lowest action.
CREATE VIEW boxes AS
SELECT
    learner,
    plays,
    -- Boxes are numbered in the order of their positions, and labels show the same numbers.
    iif(unit = 'beads', row_number() OVER (PARTITION BY learner ORDER BY position_id), NULL) AS box,
    stage,
    position_id,
    board,
    ply,
    unit,
    beads,
    moves,
    colours_left,
    opened,
    iif(favourite, move, NULL) AS favourite,
    iif(favourite, share, NULL) AS favourite_share,
    iif(favourite, verdict, NULL) AS favourite_verdict,
    iif(favourite, optimal, NULL) AS favourite_optimal
FROM (
    SELECT
        *,
        iif(unit = 'beads', sum(amount) OVER same_box, NULL) AS beads,
        count(*) OVER same_box AS moves,
        iif(unit = 'beads', sum(amount > 0) OVER same_box, NULL) AS colours_left,
        sum(picked) OVER same_box AS opened,
        min(iif(favourite, -1, action)) OVER same_box AS first
    FROM choices
    WINDOW same_box AS (PARTITION BY learner, position_id)
)
-- Each box is represented by its favourite, or by its first move if it has no favourite.
WHERE favourite OR action = first;

-- Each row of the view learning_curve shows the exact strength of a learner's policy against one opponent at one mark.
-- Measurements after undone games are excluded.
CREATE VIEW learning_curve AS
SELECT
    learner.name AS learner,
    learner.plays,
    learner.algorithm,
    learner.preset,
    learner.settings,
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

-- The view game_changes shows how each game with a person changed the entries of a learner's state.
CREATE VIEW game_changes AS
SELECT
    change.game_id,
    learner.name AS learner,
    learner.plays,
    change.ply,
    change.position_id,
    position.board,
    change.action,
    moves.move,
    change.before,
    change.put_back,
    change.after - change.before - change.put_back AS learned,
    change.after,
    block.created_at
FROM change
JOIN game ON game.game_id = change.game_id
JOIN block ON block.block_id = game.block_id
JOIN learner ON learner.learner_id = change.learner_id
JOIN position ON position.position_id = change.position_id
LEFT JOIN moves ON moves.position_id = change.position_id AND moves.action = change.action;
