"""Tests of the bot as members see it.

`world` is the server of most tests: alice, bob and carol in a channel, with functions for their
actions and for reading messages. `elsewhere` makes the channel one of direct messages, of a group,
or of a server where only members have the bot. `failing` lets calls to Discord fail, and `killing`
kills the bot at a call. `specification` checks every request, and `limits` what a message may hold.

`settling`, `copying`, `registering`, `parameters`, `translating` and `starting` make simcord and
the bot quicker.
"""
