"""The state of the loops in the background, for Prometheus."""

import time
from collections.abc import Iterator, Sequence

from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from bot.gateway.loops import Loop


class LoopCollector(Collector):
    """The rounds of the loops in the background."""

    def __init__(self, loops: Sequence[Loop]):
        self._loops = loops

    def collect(self) -> Iterator[Metric]:
        """Yield the rounds, the failures, and the age of the last success of each loop."""
        rounds = CounterMetricFamily("rowbot_loop_rounds", "Rounds of a loop", labels=["loop"])
        failures = CounterMetricFamily(
            "rowbot_loop_failures", "Rounds that failed", labels=["loop"]
        )
        age = GaugeMetricFamily(
            "rowbot_loop_success_age_seconds", "Time since the last success", labels=["loop"]
        )
        now = time.monotonic()
        for loop in self._loops:
            rounds.add_metric([loop.name], loop.rounds)
            failures.add_metric([loop.name], loop.failures)
            if loop.succeeded_at is not None:
                age.add_metric([loop.name], now - loop.succeeded_at)
        yield from (rounds, failures, age)
