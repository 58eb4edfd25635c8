"""Draws the dashboard of `docs/grafana.json` without Grafana, as Prometheus evaluates it.

    METRICS_PORT=9100 python -m tests.load.soak --minutes 3 --games 40 --rooms 10
    python -m tests.load.dashboard http://127.0.0.1:9090 --seconds 200 docs/grafana.png

Prometheus (its address is the first argument) scrapes the bot meanwhile, every two seconds.
"""

import argparse
import json
import time
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

DASHBOARD = Path(__file__).parents[2] / "docs" / "grafana.json"
_STEP_SECONDS = 2
# Grafana fills these in.
_VARIABLES = {"$__rate_interval": "20s", "$job": ".*"}
_COLUMNS = 24
_INCH_A_COLUMN, _INCH_A_LINE = 0.7, 0.4
_MOST_LEGENDS = 8


class Recording:
    """Prometheus's data of the last `seconds`."""

    def __init__(self, address: str, seconds: float):
        self._address = address
        self.end = time.time()
        self.start = self.end - seconds

    def ask(self, expression: str) -> list[dict[str, Any]]:
        """Return the series of an expression; raise HTTPError if Prometheus can't evaluate it."""
        for name, value in _VARIABLES.items():
            expression = expression.replace(name, value)
        span = {"start": self.start, "end": self.end, "step": _STEP_SECONDS}
        query = urllib.parse.urlencode({"query": expression, **span})
        with urllib.request.urlopen(f"{self._address}/api/v1/query_range?{query}") as answer:
            found: list[dict[str, Any]] = json.load(answer)["data"]["result"]
        return found


def draw(axes: Axes, panel: dict[str, Any], recording: Recording) -> None:
    """Draw one panel; each of its series is a line over the seconds of the recording."""
    for target in panel["targets"]:
        for series in recording.ask(target["expr"]):
            name = target["legendFormat"]
            for label, value in series["metric"].items():
                name = name.replace(f"{{{{{label}}}}}", value)
            points = [
                (moment - recording.start, float(value)) for moment, value in series["values"]
            ]
            axes.plot(*zip(*points, strict=True), label=name or "_", linewidth=1)
    axes.set_title(panel["title"], fontsize=8)
    axes.set_ylim(bottom=0)
    axes.tick_params(labelsize=6)
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        axes.legend(handles[:_MOST_LEGENDS], labels[:_MOST_LEGENDS], fontsize=5, loc="upper left")


def main() -> None:
    """Draw the dashboard into the file named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.dashboard", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("prometheus")
    parser.add_argument("picture", type=Path)
    parser.add_argument("--seconds", type=float, default=200.0)
    args = parser.parse_args()
    recording = Recording(args.prometheus, args.seconds)
    panels = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
    lines = max(panel["gridPos"]["y"] + panel["gridPos"]["h"] for panel in panels)
    figure = Figure((_COLUMNS * _INCH_A_COLUMN, lines * _INCH_A_LINE), layout="constrained")
    grid = figure.add_gridspec(lines, _COLUMNS)
    for panel in panels:
        if panel["type"] == "row":
            continue
        place = panel["gridPos"]
        down = slice(place["y"], place["y"] + place["h"])
        across = slice(place["x"], place["x"] + place["w"])
        draw(figure.add_subplot(grid[down, across]), panel, recording)
    figure.savefig(args.picture, dpi=70)


if __name__ == "__main__":
    main()
