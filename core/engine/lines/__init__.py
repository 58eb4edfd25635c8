"""Line games: the searches of boards on which owning a set of squares whole ends the game.

`search` decides which of them a position needs. From the bottom up:

- The board: `geometry`, `symmetry`, and `evaluation`, a position with its moves in order.
- Proofs, for boards of up to 36 squares: `bounds` and `zones` leave out moves and replies, and
  `threats` (threat-space search), `and_or` (by depth) and `dfpn` (proof numbers) search, the last
  two within a `budget`. `candidates` asks them about the moves of a position, `solver` for its
  result, `deepening` for the distance and the best moves. `book` has first marks.
- Draws: `pairing`, and `held`, the book for it.
- Larger boards: `patterns`, and `order` by them; `fours` (victory by continuous fours, VCF) and
  `forcing` (by threes and fours, VCT); `pvs` (principal variations) and `root`. `casual` has the
  moves of the weaker levels.
"""
