"""The programs that measure_peers.py compares: those of others and our own."""
