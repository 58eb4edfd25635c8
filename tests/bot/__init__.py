"""Tests of the bot's features without Discord, and of the program.

Steps that they share: `playing` writes and stores matches, `serving` plays them by a service with a
manual clock, `inviting` offers them, and `timed` lets their deadlines pass. `engines` has computer
players that wait, fail or know the answer; `searching` runs them in processes, and its `Gate` lets
waiting searches go on. `forking` says what processes have imported before they are forked, and
`prompt` lets them begin at once on a busy machine. `costs` counts requests to the database, and
`planning` shows how it finds rows. `processes` runs Python, and `scripted_discord` is a Discord for
it.
"""
