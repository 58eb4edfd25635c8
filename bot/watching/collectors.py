"""The state of the loops in the background and of the connections, read at each scrape."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from bot.gateway.loops import Loop


class StateCollector(Collector):
    """Reads the `loops`, and the latency in seconds of each shard that has connected."""

    def __init__(self, loops: Sequence[Loop], latencies: Callable[[], Iterable[tuple[int, float]]]):
        self._loops = loops
        self._latencies = latencies

    def collect(self) -> Iterator[Metric]:
        """Yield the loops' rounds, failures, states and last successes, and the shards' latencies.

        A loop that has ended, such as one that had to succeed once, has no age.
        """
        rounds = CounterMetricFamily("rowbot_loop_rounds", "Rounds of a loop", labels=["loop"])
        failures = CounterMetricFamily(
            "rowbot_loop_failures", "Rounds that failed", labels=["loop"]
        )
        age = GaugeMetricFamily(
            "rowbot_loop_success_age_seconds", "Time since the last success", labels=["loop"]
        )
        well = GaugeMetricFamily(
            "rowbot_loop_well", "0 if a loop has ended, or fails again and again", labels=["loop"]
        )
        now = time.monotonic()
        for loop in self._loops:
            rounds.add_metric([loop.name], loop.rounds)
            failures.add_metric([loop.name], loop.failures)
            well.add_metric([loop.name], loop.well)
            if loop.running and loop.succeeded_at is not None:
                age.add_metric([loop.name], now - loop.succeeded_at)
        latency = GaugeMetricFamily(
            "rowbot_gateway_latency_seconds",
            "Time between a heartbeat and its acknowledgement",
            labels=["shard"],
        )
        for shard, seconds in self._latencies():
            latency.add_metric([str(shard)], seconds)
        yield from (rounds, failures, age, well, latency)
