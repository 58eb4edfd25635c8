"""The common parts of fuzzers. Each fuzzer adds acts of members, and laws of what they see.

- `report`: the acts of a seed and what is wrong, readable for a person. The soak
  (`tests.load.soak`) has it, too.
- `fuzzer`: a run of a seed on the simulated Discord. It makes steps and rests, starts the bot
  again, and lets time pass at once.
- `timers`: timers that fire by the simulated time, never by the machine's.
- `process`: the processes of the bot, one of which may be killed while another stands by.
- `requests`: the bot's requests, which fail, come late, or are the last before a kill.
- `acting`: presses and commands that are begun without waiting for their answers.
- `messages`: the laws of every message. `languages`: the language of a text.
- `command`: the command line.
- `orders`: orders of concurrent work that a seed decides completely, for `tests.discord.orders`.

Two fuzzers use all the other modules: `tests.discord.fuzz` and `tests.discord.tournaments.fuzz`.
With them, the orders and the soak share the laws of boards, `tests.laws`. Otherwise the soak only
has `report`, since its bot is a process of its own, in the machine's time, on a
Discord on the loopback interface.
"""
