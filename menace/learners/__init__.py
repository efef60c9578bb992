"""Players in memory: machines and fixed opponents, with their policies, learning algorithms and presets.

This folder may import `menace.games`, `menace.kernel` and every folder that these two may import, but no module that
reads a database. Start with machine.py. algorithms/ contains the learning algorithms, and registry.py lists all
algorithms and presets.
"""
