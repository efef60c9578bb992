"""Games and training jobs that pages have open on the server.

It imports `menace.people` and `menace.ledger`, but no page. Start with training.py, which keeps them for each file.
"""
