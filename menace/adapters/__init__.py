"""Games and players in the interfaces of PettingZoo, Gymnasium and OpenSpiel.

This folder may import `menace.arena` and the folders before it, and no other folder imports those libraries. Start with
pettingzoo_env.py.
"""
