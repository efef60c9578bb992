"""What measure_peers.py measures: programs of others and our own, each a function of how many games."""
