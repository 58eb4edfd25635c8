"""The rules and the help."""
