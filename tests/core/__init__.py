"""The core's specification: diagrams, laws, perft counts and playthroughs."""
