"""`python -m bot check`: a report to the host of what is well, and what to do about the rest."""
