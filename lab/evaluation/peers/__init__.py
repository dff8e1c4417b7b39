"""Other projects' extractors, run in an environment of their own (``make peers``)."""
