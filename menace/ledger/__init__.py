"""The database of a game and its learners, and the log from which they can be rebuilt; the only room with SQL."""
