"""Our programs and other authors' programs, which measure_peers.py compares."""
