"""Lets the processes of a test's bot work as promptly as the bot itself.

The bot's own give way to it if all cores are busy. Beside other tests they would then take many
seconds for what a bot waits a few seconds for. The process from which they are forked imports this.
"""

from bot.workers import child

child._NICENESS = 0  # noqa: SLF001
