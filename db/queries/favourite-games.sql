-- Which game would each pair play if both drew their favourites?
-- The canonical boards of the game, one after the other. Without a box the lowest action is played; an empty box ends
-- the game. In a tie the lowest action counts as the favourite, so two fresh machines always play the lowest action.
WITH RECURSIVE
owner AS (
    SELECT learner_id, name, plays
    FROM learner
    WHERE deleted_at IS NULL AND EXISTS (SELECT 1 FROM matchbox WHERE matchbox.learner_id = learner.learner_id)
),
course (x_id, o_id, plies, position_id, boards) AS (
    SELECT x.learner_id, o.learner_id, 0, 0, ''
    FROM owner AS x
    JOIN owner AS o ON x.plays = 'X' AND o.plays = 'O'
    UNION ALL
    SELECT course.x_id, course.o_id, course.plies + 1, next.position_id, course.boards || ' ' || next.board
    FROM course
    JOIN position ON position.position_id = course.position_id
    -- -1, which is not an action, where the box is empty.
    JOIN move
        ON move.position_id = position.position_id
        AND move.action = coalesce(
            (
                SELECT iif(pile.beads > 0, pile.action, -1)
                FROM matchbox AS pile
                WHERE pile.learner_id = iif(position.to_move = 'X', course.x_id, course.o_id)
                    AND pile.position_id = position.position_id
                ORDER BY pile.beads DESC, pile.action
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
