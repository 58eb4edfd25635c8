"""The latency of each shard's connection, for Prometheus."""

from collections.abc import Callable, Iterable, Iterator

from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector


class LatencyCollector(Collector):
    """Asks for the latencies in seconds, by the numbers of the shards that have connected."""

    def __init__(self, latencies: Callable[[], Iterable[tuple[int, float]]]):
        self._latencies = latencies

    def collect(self) -> Iterator[Metric]:
        """Yield the latency of each shard."""
        latency = GaugeMetricFamily(
            "rowbot_gateway_latency_seconds",
            "Time between a heartbeat and its acknowledgement",
            labels=["shard"],
        )
        for shard, seconds in self._latencies():
            latency.add_metric([str(shard)], seconds)
        yield latency
