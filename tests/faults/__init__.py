"""Fault test: ``python -m tests.faults``."""
