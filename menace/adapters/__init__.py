"""Games and players in the interfaces of PettingZoo, Gymnasium and OpenSpiel.

It imports `menace.arena` and what comes before it, and it is the only folder that imports those libraries. Start with
pettingzoo_env.py.
"""
