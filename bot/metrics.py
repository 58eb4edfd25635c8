"""The metrics of a running bot, for Prometheus.

Labels have few values: a kind of press, a command, the key of a refusal, a route without its ids.
"""

from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

# Most answers take a few milliseconds. Discord takes no answer after three seconds, unless it was
# promised.
_ANSWER_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0)
_LAG_SECONDS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)


class Metrics:
    """The counters of one bot, in a registry of its own."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        ProcessCollector(registry=registry)  # CPU and memory of this process; on Linux alone
        counter, gauge = partial(Counter, registry=registry), partial(Gauge, registry=registry)
        histogram = partial(Histogram, registry=registry)
        self.answers = histogram(
            "rowbot_answer_seconds",
            "Time from the arrival of a press or a command until it was answered",
            ["kind", "name"],
            buckets=_ANSWER_SECONDS,
        )
        self.refusals = counter(
            "rowbot_refusals", "Presses and commands that were refused", ["reason"]
        )
        self.errors = counter("rowbot_errors", "Presses and commands that failed unexpectedly")
        self.undrawn = counter(
            "rowbot_boards_undrawn",
            "Boards that were shown in emoji where they should have been a picture",
            ["reason"],
        )
        self.failed_calls = counter(
            "rowbot_discord_failed_calls",
            "Calls to Discord that it refused, or that got no answer",
            ["method", "route", "status"],
        )
        self.backlog = gauge(
            "rowbot_discord_backlog",
            "Calls to Discord in the background that are under way, or put off after a failure",
            ["state"],
        )
        self.lag = histogram(
            "rowbot_event_loop_lag_seconds",
            "Delay between the planned and the actual run of a timer on the event loop",
            buckets=_LAG_SECONDS,
        )
        self.connected = gauge("rowbot_gateway_connected", "1 while connected to Discord")
        self.serving = gauge(
            "rowbot_serving", "1 while this process serves its shards, 0 while it stands by"
        )
        self.servers = gauge(
            "rowbot_servers", "Servers that have the bot, on the shards that this process serves"
        )
        self.identifies = gauge(
            "rowbot_gateway_identifies_today",
            "Connections of today by Discord's own count, of which it allows 1,000",
        )
        self.live_matches = gauge("rowbot_matches_live", "Matches that are being played")
        self.waiting = gauge(
            "rowbot_work_waiting", "Searches and pictures that wait for a process", ["work"]
        )
        self.running = gauge(
            "rowbot_work_running", "Searches and pictures that a process is busy with", ["work"]
        )
