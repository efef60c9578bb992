"""Our programs and programs of other authors, which measure_peers.py compares."""
