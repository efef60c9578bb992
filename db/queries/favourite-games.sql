-- Which games result if both sides choose their favourite moves?
-- `boards` lists the canonical boards of the game in the order of play. A player that has no box for a position plays
-- the lowest action there. An empty box ends the game. Ties go to the lowest action, so two new machines always play
-- the lowest actions. The query excludes learners that assign random values to final positions, because no table
-- contains these values.
WITH RECURSIVE
player AS (
    SELECT learner_id, plays
    FROM learner
    WHERE deleted_at IS NULL AND json_extract(settings, '$.initial') IS NOT 'uniform-ends'
),
course (x_id, o_id, plies, position_id, boards) AS (
    SELECT x.learner_id, o.learner_id, 0, 0, ''
    FROM player AS x
    JOIN player AS o ON x.plays = 'X' AND o.plays = 'O'
    UNION ALL
    SELECT course.x_id, course.o_id, course.plies + 1, next.position_id, course.boards || ' ' || next.board
    FROM course
    JOIN position ON position.position_id = course.position_id
    JOIN learner ON learner.learner_id = iif(position.to_move = 'X', course.x_id, course.o_id)
    -- The query reads the favourite from the tables, because the view `choices` is slow for individual boxes. If a box
    -- is empty, its favourite is -1, which is not an action.
    JOIN move
        ON move.position_id = position.position_id
        AND move.action = coalesce(
            (
                SELECT iif(pile.beads > 0, pile.action, -1)
                FROM matchbox AS pile
                WHERE pile.learner_id = learner.learner_id AND pile.position_id = position.position_id
                ORDER BY pile.beads DESC, pile.action
                LIMIT 1
            ),
            (
                SELECT valued.action
                FROM action_value AS valued
                WHERE valued.learner_id = learner.learner_id AND valued.position_id = position.position_id
                ORDER BY valued.value DESC, valued.action
                LIMIT 1
            ),
            (
                SELECT valued.action
                FROM (
                    SELECT
                        option.action,
                        CASE after.outcome
                            WHEN learner.plays THEN json_extract(learner.settings, '$.win')
                            WHEN 'draw' THEN json_extract(learner.settings, '$.draw')
                            ELSE coalesce(state_value.value, json_extract(learner.settings, '$.loss'))
                        END AS value
                    FROM move AS option
                    JOIN position AS after ON after.position_id = option.next_position_id
                    LEFT JOIN state_value
                        ON state_value.learner_id = learner.learner_id AND state_value.position_id = after.position_id
                    WHERE option.position_id = position.position_id
                        AND EXISTS (SELECT 1 FROM state_value AS known WHERE known.learner_id = learner.learner_id)
                ) AS valued
                ORDER BY valued.value DESC, valued.action
                LIMIT 1
            ),
            (SELECT min(first.action) FROM move AS first WHERE first.position_id = position.position_id)
        )
    JOIN position AS next ON next.position_id = move.next_position_id
)
SELECT
    x.name AS x,
    o.name AS o,
    coalesce(position.outcome, 'empty box') AS outcome,
    max(course.plies) AS plies,
    trim(course.boards) AS boards
FROM course
JOIN position ON position.position_id = course.position_id
JOIN learner AS x ON x.learner_id = course.x_id
JOIN learner AS o ON o.learner_id = course.o_id
GROUP BY course.x_id, course.o_id
ORDER BY x.name, o.name
LIMIT 200;
