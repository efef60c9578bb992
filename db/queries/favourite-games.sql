-- Which game would each pair play if both drew their favourites?
-- The canonical boards of the game, one after the other. Without a box the lowest action is played; an empty box ends
-- the game. In a tie the lowest action counts as the favourite, so two fresh machines always play the lowest action.
WITH RECURSIVE
owner AS (
    SELECT name, plays
    FROM learner
    WHERE learner_id IN (SELECT learner_id FROM matchbox)
),
step AS MATERIALIZED (
    SELECT
        owner.name,
        move.position_id,
        move.next_position_id
    FROM owner
    JOIN position ON position.to_move = owner.plays
    LEFT JOIN boxes ON boxes.learner = owner.name AND boxes.position_id = position.position_id
    JOIN move
        ON move.position_id = position.position_id
        AND move.action = iif(
            boxes.position_id IS NULL,
            (SELECT min(action) FROM move AS first WHERE first.position_id = position.position_id),
            boxes.favourite
        )
),
course (x, o, plies, position_id, boards) AS (
    SELECT x.name, o.name, 0, 0, ''
    FROM owner AS x
    JOIN owner AS o ON x.plays = 'X' AND o.plays = 'O'
    UNION ALL
    SELECT course.x, course.o, course.plies + 1, step.next_position_id, course.boards || ' ' || position.board
    FROM course
    JOIN step ON step.position_id = course.position_id AND step.name = iif(course.plies % 2 = 0, course.x, course.o)
    JOIN position ON position.position_id = step.next_position_id
)
SELECT
    course.x,
    course.o,
    coalesce(position.outcome, 'empty box') AS outcome,
    max(course.plies) AS plies,
    trim(course.boards) AS boards
FROM course
JOIN position ON position.position_id = course.position_id
GROUP BY course.x, course.o
ORDER BY course.x, course.o
LIMIT 200;
