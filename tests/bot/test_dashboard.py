"""The dashboard for Grafana asks for metrics that exist, and shows all of them."""

import json
import re
from pathlib import Path
from typing import Any

from bot.metrics import Metrics
from bot.watching.collectors import StateCollector

DOCS = Path(__file__).parents[2] / "docs"
DASHBOARD = DOCS / "grafana.json"

_SUFFIXES = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_count", "_sum")}


def metrics() -> dict[str, set[str]]:
    """Return every metric's name, with the names of its samples."""
    registry = Metrics().registry
    registry.register(StateCollector([], list))
    families = {family.name: family.type for family in registry.collect()}
    return {name: {name + end for end in _SUFFIXES[kind]} for name, kind in families.items()}


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
    return [panel for panel in found if panel["type"] != "row"]


def test_the_dashboard_shows_every_metric_and_no_other() -> None:
    """A renamed or added metric must be changed there, too; of the process it shows some."""
    asked = {
        name
        for panel in panels()
        for target in panel["targets"]
        for name in re.findall(r"(?:rowbot|process)_\w+", target["expr"])
    }
    assert asked - set().union(*metrics().values()) == set()
    own = {name: samples for name, samples in metrics().items() if name.startswith("rowbot_")}
    assert [name for name, samples in own.items() if not samples & asked] == []


def test_each_panel_says_what_it_shows() -> None:
    """It has a title of its own, and a description."""
    titles = [panel["title"] for panel in panels()]
    assert len(set(titles)) == len(titles)
    assert all(panel["description"] for panel in panels())


def test_the_documentation_names_metrics_that_exist() -> None:
    """It has the names of samples, by which they are looked up; histograms by their own."""
    pages = "".join(page.read_text(encoding="utf-8") for page in DOCS.rglob("*.md"))
    named = set(re.findall(r"(?:rowbot|process)_[a-z_]+", pages))
    samples = set().union(*metrics().values())
    known = samples | {name for name in metrics() if f"{name}_bucket" in samples}
    assert {name for name in named if not name.endswith("_")} - known == set()
