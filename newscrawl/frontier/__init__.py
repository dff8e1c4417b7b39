"""Requests in the database: queued, leased, done. None is lost, whatever ends the process."""
