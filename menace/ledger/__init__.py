"""Store a game and its learners in a database, and train and query them.

The modules in this folder may import `menace.arena` and everything that `menace.arena` may import. Start with
training.py, which carries out a run. All SQL is executed in the folder store/. The folder log/ reads, replays and
verifies the log.
"""
