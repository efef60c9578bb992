"""The database of a game and its learners: learners, runs, training, positions and queries.

This folder may import `menace.arena` and the folders before it. Start with training.py, which carries out a run; store/
executes all SQL, and log/ reads, replays and verifies what was recorded.
"""
