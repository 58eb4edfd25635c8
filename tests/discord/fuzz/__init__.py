"""A fuzzer of the places outside of ordinary channels, and of what happens there at the same time.

    python -m tests.discord.fuzz --seed 1 --steps 2000

Members play in direct messages with the bot and with each other, in a group, in a server that adds
and removes the bot, in a channel and in a thread, in several languages. Meanwhile tokens end,
Discord and the database fail, and the bot is killed. With odd seeds, requests also fail after
Discord has carried them out. An oracle checks what members see. The exit status is 1 if it found
something wrong.
"""
