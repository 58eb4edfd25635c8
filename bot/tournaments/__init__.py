"""Tournaments of a server: who meets whom, and how they stand.

A tournament is a value (`model`). `pairings` returns the games that may begin, by the rules of
`round_robin`, `swiss` or `knockout`, and `standings` ranks the entrants. `stored` adds what the
database keeps beside the value (`rows`, `store`).

Members act through the `feature` and `creation` on the `service`. `meant` finds the tournament of a
command that names none, `intervening` says what the organiser and moderators may do, and
`corrections` enters results by hand. A tournament is changed while `TournamentService.held`.

All else happens by itself. `Director.go_on` takes a tournament as far as it goes: `progress` enters
results and begins pairings, in the database alone; `openings` opens their games on Discord; and
`messages` shows the tournament, and which of the `obstacles` holds it up. The director also moves
games out of channels that were deleted. `view` makes the messages for everybody and `pages` those
for one member alone, from the same `lines`; `picture` is the bracket or table. `finished_threads`
archives the threads of games that are over.
"""
