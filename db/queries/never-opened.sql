-- How many boxes were never opened?
-- A learner that plays well leaves most of its boxes shut: the positions in them come up after mistakes only.
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
