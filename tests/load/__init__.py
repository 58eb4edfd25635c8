"""The bot as a process of its own, on a Discord on the loopback interface.

Each of these is a program, whose docstring says what it reports and how long it takes:

- `costs`: what a start, a turn and the memory cost, beside other bots or other conditions.
- `instructions`: the instructions of a turn, which depend little on how busy the machine is.
- `answers`: how soon presses are answered, also under Discord's limits and beside searches.
- `sweeper`: what loops and deadlines cost beside many matches.
- `soak`: what is wrong after games of all kinds under faults.
- `tournament`: what is wrong after a large tournament whose bot is killed.

They share

- the loopback Discord: `discord_server`, with its parts `gateway`, `interactions`, `messages`,
  `threads`, `payloads` and `responses`; its `limits` and `faults`, which know `calls`;
- the bots: `processes` starts them through `launch`, also `bare_bot`, `hasty_bot` and `slow_bot`;
- the players: `tables` play against the computer, as quickly as they are answered; `members` play
  all games, as people would, by what `reading` sees;
- the results: `figures` of measurements; for a soak `ledger`, `mishaps` and `aftermath`.
"""
