"""Players in memory: learning algorithms, presets, policies, fixed opponents, and machines with their boxes.

It imports `menace.games`, `menace.kernel` and the folders above them, and nothing that reads a database. Start with
machine.py; algorithms/ contains how machines learn, and registry.py lists the algorithms and presets.
"""
