"""The code of a search process, called in this one."""

import time
from collections.abc import Sequence
from random import Random
from threading import Event

from bot.workers import search_worker
from core.engine.levels import Level
from core.engine.player import Engine
from core.grid import Move
from core.position import Position
from tests.bot.searching import START


class LateEngine(Engine):
    """Chooses as soon as a stop has begun, which takes longer than the choice."""

    stopping, stopped = Event(), Event()

    def choose(
        self, position: Position, level: Level, rng: Random, history: Sequence[Position] = ()
    ) -> Move:
        self.stopping.wait()
        return super().choose(position, level, rng, history)

    def stop(self) -> None:
        self.stopping.set()
        time.sleep(0.1)
        self.stopped.set()


def test_a_stop_that_has_begun_is_waited_for() -> None:
    """Otherwise it could end the next search of the process."""
    search_worker.choose(LateEngine, START, Level.HARD, 1, (), seconds=0)
    assert LateEngine.stopped.is_set()
