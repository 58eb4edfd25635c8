"""Rowbot with clocks of a few seconds, so that members lose on time while a test lasts."""

import sys

from bot.__main__ import main
from bot.matches import clock

SHORTEST = 20

if __name__ == "__main__":
    clock.SHORTEST = SHORTEST
    sys.exit(main(["run"]))
