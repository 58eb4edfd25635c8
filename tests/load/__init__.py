"""Load tests: a real bot process against a Discord on this machine."""
