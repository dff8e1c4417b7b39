"""Equal and nearly equal texts: hashes, 64-bit SimHash and the test that decides."""
