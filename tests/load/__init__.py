"""Load tests: a real bot process against a loopback Discord."""
