"""What fuzzers share. A fuzzer says what members do, and what must hold of what they see.

- `report`: the acts of a seed, what is wrong, and how a person reads it. All fuzzers have it, the
  soak (`tests.load.soak`) too.
- `fuzzer`: a run of a seed on the simulated Discord: its steps and rests, the bot that is started
  again, the time that passes at once.
- `timers`: they go off by the simulated time, never by the machine's.
- `requests`: the bot's requests, which fail, come late, and are the last before a kill.
- `acting`: presses and commands that are begun without waiting for their answers.
- `messages`: what must hold of every message. `languages`: which one a text is in.
- `command`: the command line.
- `orders`: the orders of `tests.discord.orders`, which a seed decides to the last step.

Two fuzzers are built on all of it: `tests.discord.fuzz` and `tests.discord.tournaments.fuzz`. The
soak's bot is a process of its own, on a Discord on the loopback interface, in the machine's time:
it starts, fails and waits in other ways.
"""
