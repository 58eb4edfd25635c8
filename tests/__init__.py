"""The tests, by what they drive.

- `core`: the rules and the computer player alone.
- `bot`: services, stores and views of each feature, over SQLite and PostgreSQL.
- `discord`: the whole bot as members see it, on simcord's Discord, over SQLite.
- `fuzzing`: what the fuzzers share. A fuzzer lets members of that Discord do anything.
- `load`: the bot as a process, on a Discord on the loopback interface; its programs measure it.
- `strength`: the computer player against others, and the clock.
- `golden`: files that tests compare with.

The folders here in `bot` and `discord` have the names of the rooms of the package `bot`. Those in
`bot` test what a room decides and stores; those in `discord` test what members see of it. Besides,
`discord/contexts` is about direct messages, groups, and servers where only members have the bot;
`discord/program` is about the bot's commands, restarts, a database that is away, and the preview.

A test fails if a statement of the bot reads a whole table that grows with use (`plans`).

A folder's fixtures are in its `conftest.py`, and in those of the folders above. Steps that several
tests share are in a module beside them, never in a test.
"""
