"""The fixture of tests elsewhere than on servers that have the bot."""

from tests.discord.elsewhere import elsewhere

__all__ = ["elsewhere"]
