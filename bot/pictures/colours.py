"""The colours of every picture: light on an opaque dark panel, for Discord's dark and light themes.

Nothing is told by colour alone: shapes differ too. The hues are those of Okabe and Ito
(https://jfly.uni-koeln.de/color/), which colour-blind people can tell apart, lightened for the dark
panel.
"""

PANEL = "#1e1f22"
SQUARE = "#3a3d44"
RECENT = "#5a6070"
GOLD = "#f2c94c"
INK = "#141517"
TEXT = "#f2f3f5"
DIM = "#9aa0aa"

SKY = "#6cc4f5"
ORANGE = "#f5a623"
RED = "#ff7f6e"
GREEN = "#3ddc97"
PINK = "#e59ad0"
YELLOW = "#f7ea6b"
