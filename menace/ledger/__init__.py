"""Store a game and its learners in a database, and train and query them.

This folder may import `menace.arena` and the folders above it. Start with training.py, which carries out a run. The
folder store/ executes all SQL. The folder log/ reads, replays and verifies the log.
"""
