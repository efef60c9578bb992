"""Players in memory, with learning algorithms, presets, policies, fixed opponents and machines.

This folder may import `menace.games`, `menace.kernel` and the folders that these may import, but no module that reads a
database. Start with machine.py. algorithms/ contains the learning algorithms, and registry.py lists all algorithms and
presets.
"""
