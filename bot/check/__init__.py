"""`python -m bot check`: tells a host what is well, and what to do about the rest."""
