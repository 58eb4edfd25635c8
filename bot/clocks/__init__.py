"""Deadlines, reminders and idle matches."""
