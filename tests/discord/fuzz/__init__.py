"""A fuzzer of the places outside of ordinary channels, and of what happens there at the same time.

    python -m tests.discord.fuzz --seed 1 --steps 2000

Members play in direct messages with the bot and with each other, in a group, in a server that adds
and removes the bot and in a thread of it, in two channels, in a thread and in those that the bot
opens for matches, in several languages. Moderators change the settings, the roles that are given as
prizes, and the channels. Meanwhile tokens end, Discord and the database fail, and the bot is
killed. At times a second process stands by, and serves once the first one hands over, as in an
update, or is killed. With odd seeds, requests also fail after Discord has carried them out. An
oracle checks what members see. The exit status is 1 if it found something wrong.
"""
