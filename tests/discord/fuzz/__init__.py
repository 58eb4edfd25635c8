"""A fuzzer of the places outside of ordinary channels, and of what happens there at the same time.

    python -m tests.discord.fuzz --seed 1 --steps 2000

Members play in direct messages with the bot, in those of each other, in a group, in a server that
adds and removes the bot, in a channel and in a thread, in several languages, while tokens end,
Discord fails, and the bot is killed; with odd seeds, requests also fail after Discord has carried
them out. An oracle looks at what they see. The exit status is 1 if something doesn't hold.
"""
