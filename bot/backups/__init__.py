"""Backups that the bot makes by itself."""
