"""Players in memory: learning algorithms, presets, policies, fixed opponents, and machines with their boxes."""
