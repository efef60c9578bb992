-- How many boxes were never opened?
-- A learner that plays well opens only a few of its boxes, because most positions occur only after mistakes.
SELECT
    learner,
    ply,
    count(*) AS boxes,
    sum(opened > 0) AS opened,
    sum(opened = 0) AS never_opened,
    round(avg(opened = 0), 4) AS share_never_opened
FROM boxes
GROUP BY learner, ply
ORDER BY learner, ply;
