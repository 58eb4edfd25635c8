"""The computer player: searches over positions, and levels; it never imports a game.

`player` has the `Engine`, which gives each position to the search for its kind of view
(`core.views`):

- `lines`: the first to own a set of squares wins. Proofs by threats and proof numbers, books, and
  principal-variation search on large boards.
- `misere`: the first to own a set loses. Alpha-beta.
- `swap`: the first two plies of both kinds of line game under the pie rule.
- `drops`: pieces fall into columns. Alpha-beta, a book, and stored results.
- `retrograde`: games that go in circles. Tablebases.
- `territory`: seats take squares. Max^n, and paranoid search.
- `rules_alone`: everything else. Max^n (`max_n`), then Monte-Carlo tree search (`monte_carlo`).

A search returns `Findings` (`search`, with what else searches share), from which the engine makes
an `Analysis` (`analysis`). `levels` says how far the weaker levels see. A `Stop` (`stop`) ends a
search early. `books` has the results of searches made in advance, and `puzzles` finds positions
with one right move.
"""
