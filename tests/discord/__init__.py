"""Tests of the bot as members see it.

`world` is the server of most tests: alice, bob and carol in a channel, what they do, and how
messages are read. `elsewhere` makes the channel one of direct messages, of a group, or of a server
where only members have the bot. `failing` lets calls to Discord fail, and `killing` kills the bot
at one. Every request is held against `specification`, and `limits` checks what a message may hold.

`settling`, `copying`, `registering`, `parameters`, `translating` and `starting` make simcord and
the bot quicker.
"""
