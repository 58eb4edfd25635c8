"""Line games: the searches of boards on which owning a set of squares whole ends the game."""
