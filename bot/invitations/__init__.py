"""Challenges and open tables: matches that wait for their players."""
