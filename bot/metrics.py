"""The metrics of a running bot, for Prometheus.

Labels have few values: a kind of press, a command, the key of a refusal, a route without its ids.
"""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

# Most answers take a few milliseconds; Discord takes none that comes after three seconds, unless
# it was promised.
_ANSWER_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0)
_LAG_SECONDS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)


class Metrics:
    """The counters of one bot, in a registry of its own."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        ProcessCollector(registry=registry)  # CPU and memory of this process; on Linux alone
        self.answers = Histogram(
            "rowbot_answer_seconds",
            "Time from the arrival of a press or a command until it was answered",
            ["kind", "name"],
            buckets=_ANSWER_SECONDS,
            registry=registry,
        )
        self.refusals = Counter(
            "rowbot_refusals",
            "Presses and commands that were refused",
            ["reason"],
            registry=registry,
        )
        self.errors = Counter(
            "rowbot_errors", "Presses and commands that failed unexpectedly", registry=registry
        )
        self.undrawn = Counter(
            "rowbot_boards_undrawn",
            "Boards that were shown in emoji where they should have been a picture",
            ["reason"],
            registry=registry,
        )
        self.failed_calls = Counter(
            "rowbot_discord_failed_calls",
            "Calls to Discord that it refused, or that got no answer",
            ["method", "route", "status"],
            registry=registry,
        )
        self.invalid_requests = Gauge(
            "rowbot_discord_invalid_requests",
            "Answers 401, 403 and 429 of the last 10 minutes; Discord bans an address at 10,000",
            registry=registry,
        )
        self.backlog = Gauge(
            "rowbot_discord_backlog",
            "Calls to Discord in the background that are under way, or put off after a failure",
            ["state"],
            registry=registry,
        )
        self.commits = Counter(
            "rowbot_database_commits", "Transactions that were committed", registry=registry
        )
        self.lag = Histogram(
            "rowbot_event_loop_lag_seconds",
            "Delay between the planned and the actual run of a timer on the event loop",
            buckets=_LAG_SECONDS,
            registry=registry,
        )
        self.connected = Gauge(
            "rowbot_gateway_connected", "1 while connected to Discord", registry=registry
        )
        self.identifies = Gauge(
            "rowbot_gateway_identifies_today",
            "Connections of today by Discord's own count, of which it allows 1,000",
            registry=registry,
        )
        self.live_matches = Gauge(
            "rowbot_matches_live", "Matches that are being played", registry=registry
        )
        self.waiting = Gauge(
            "rowbot_work_waiting",
            "Searches and pictures that wait for a process",
            ["work"],
            registry=registry,
        )
        self.running = Gauge(
            "rowbot_work_running",
            "Searches and pictures that a process is busy with",
            ["work"],
            registry=registry,
        )
