"""Support vector machines made small, and files of models."""
