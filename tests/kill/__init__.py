"""Kill test: ``python -m tests.kill --rounds 20``."""
