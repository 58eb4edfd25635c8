"""Tests of the bot's features without Discord, and of the program.

Steps for all of them: `playing` writes and stores matches, `serving` plays them by a service with a
manual clock, `inviting` offers them, `timed` lets their deadlines pass. `engines` has computer
players that wait, fail or know the answer; `searching` runs them in processes, and its `Gate` lets
those that wait go on. `costs` counts what the database is asked for, `planning` shows how it finds
rows. `processes` runs Python, and `scripted_discord` answers it.
"""
