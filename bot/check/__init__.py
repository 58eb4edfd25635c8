"""`python -m bot check`: a report to the host on the setup, with advice on each problem."""
