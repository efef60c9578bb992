"""The programs that measure_peers.py compares, by us and by others."""
