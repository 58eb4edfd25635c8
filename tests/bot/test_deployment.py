"""The files for containers and systemd agree with the program and with each other."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from bot.failures import ExitCode
from bot.settings import Settings
from bot.shards import Shards
from tests.bot.processes import ROOT

UNIT = ROOT / "deploy" / "rowbot.service"
DROP_IN = ROOT / "deploy" / "rowbot@.service.d" / "process.conf"
ACTION = ROOT / "deploy" / "rowbot"
CONTAINERFILE = ROOT / "Containerfile"
COMPOSE = [ROOT / "compose.yaml", ROOT / "compose.sqlite.yaml"]
_OTHERS = {"PATH", "MPLCONFIGDIR", "POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD"}


def unit() -> dict[str, str]:
    """Return the unit's settings; if one is repeated, its last value."""
    lines = UNIT.read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if re.match(r"\w+=", line))


def test_the_unit_leaves_a_bot_that_somebody_has_to_mend() -> None:
    """Systemd starts it again after failures, but not after the exit code for a lasting one."""
    assert unit()["Restart"] == "on-failure"
    assert str(int(ExitCode.DONT_RESTART)) in unit()["RestartPreventExitStatus"].split()
    assert str(int(ExitCode.TRY_AGAIN)) not in unit()["RestartPreventExitStatus"].split()


@pytest.mark.parametrize("file", [CONTAINERFILE, *COMPOSE], ids=lambda file: file.name)
def test_settings_of_containers_exist(file: Path) -> None:
    """A variable that a file sets for the bot is a setting, or one of Python or PostgreSQL."""
    named = set(re.findall(r"^(?:ENV)?\s+([A-Z][A-Z_]+)[=:]", file.read_text(), re.MULTILINE))
    ours = {name for name in named if not name.startswith("PYTHON")} - _OTHERS
    assert {"DATABASE_URL", "METRICS_PORT"} <= ours
    assert ours <= {name.upper() for name in Settings.model_fields}


def test_the_image_can_back_up_the_server() -> None:
    """It has PostgreSQL's programs in the version of the server, in the Debian that has both."""
    image = re.search(r"image: \S+/postgres:(\d+)-(\w+)", COMPOSE[0].read_text(encoding="utf-8"))
    assert image is not None
    version, debian = image.groups()
    made = CONTAINERFILE.read_text(encoding="utf-8")
    assert re.findall(r"postgresql-client-(\d+)", made) == [version]
    assert set(re.findall(r"^FROM \S+-(\w+)", made, re.MULTILINE)) == {debian}


def test_the_image_has_the_packages_of_every_setting() -> None:
    """It has each extra except those for the preview, the measurements and the tests."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    installed = re.findall(r"'\.\[([a-z,]+)\]'", CONTAINERFILE.read_text(encoding="utf-8"))
    wanted = project["optional-dependencies"].keys() - {"preview", "bench", "dev"}
    assert [set(extras.split(",")) for extras in installed] == [wanted]


@pytest.mark.parametrize("file", COMPOSE, ids=lambda file: file.name)
def test_containers_keep_to_themselves(file: Path) -> None:
    """Every service is read-only, without capabilities, and publishes no port."""
    declared = file.read_text(encoding="utf-8").partition("\nservices:")[2]
    services = re.split(r"\n  (?=\w+:\n)", re.split(r"\n(?=\w)", declared)[0])[1:]
    assert len(services) in (1, 2)
    for service in services:
        assert "read_only: true" in service
        assert re.search(r"cap_drop:\n\s+- ALL", service)
        assert "no-new-privileges:true" in service
        assert "ports:" not in service


@pytest.mark.parametrize("file", COMPOSE, ids=lambda file: file.name)
def test_a_container_ends_at_once_while_it_starts(file: Path) -> None:
    """Linux gives the first process of a container no SIGTERM before it has a handler for it."""
    bot = file.read_text(encoding="utf-8").partition("\n  bot:\n")[2].partition("\n\n")[0]
    assert "\n    init: true" in bot


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd isn't installed")
@pytest.mark.parametrize("name", ["rowbot.service", "rowbot@1.service"])
def test_systemd_knows_all_that_the_unit_says(tmp_path: Path, name: str) -> None:
    """It finds nothing wrong, except two settings that it knows since 254, and low exposure.

    The same unit, with its drop-in, is that of each of several processes.
    """
    file = tmp_path / name
    text = UNIT.read_text(encoding="utf-8")
    file.write_text(text.replace("/opt/rowbot/.venv/bin/python", sys.executable), encoding="utf-8")
    shutil.copytree(DROP_IN.parent, tmp_path / DROP_IN.parent.name)
    verified = _analyse("verify", "--man=no", "--recursive-errors=no", str(file))
    newer = re.compile("Unknown key.* '(RestartSteps|RestartMaxDelaySec)'")
    assert [line for line in verified.stderr.splitlines() if not newer.search(line)] == []
    judged = _analyse("security", "--offline=true", "--threshold=20", str(file))
    assert judged.returncode == 0, judged.stdout[-200:]


def _analyse(*arguments: str) -> subprocess.CompletedProcess[str]:
    told = ["systemd-analyze", *arguments]
    return subprocess.run(told, check=False, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("file", [UNIT, *COMPOSE], ids=lambda file: file.name)
def test_tasks_are_allowed_for_as_many_searches_as_can_be_set(file: Path) -> None:
    """Each search process has three threads, and two more in the bot.

    On 64 cores the bot has up to 32 threads more for work that waits, and the drawing process 64
    for numpy; the database, the event loop and the drawing processes take fewer than 54.
    """
    found = re.search(r"(?:TasksMax=|pids_limit: )(\d+)", file.read_text(encoding="utf-8"))
    bounds = Settings.model_fields["engine_processes"].metadata
    most = max(getattr(bound, "le", 0) for bound in bounds)
    assert found is not None
    assert int(found[1]) >= 5 * most + 150


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no systemd")
def test_an_action_runs_as_the_service_does(tmp_path: Path) -> None:
    """`deploy/rowbot` has the user, the folders, the settings and the program of the unit."""
    told = tmp_path / "systemd-run"
    told.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n", encoding="utf-8")
    told.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    backup = [str(ACTION), "backup", "before update.db"]
    ran = subprocess.run(
        backup, env={"PATH": path}, check=True, capture_output=True, text=True, timeout=30
    )
    given = ran.stdout.splitlines()
    properties = dict(
        one.removeprefix("--property=").split("=", 1) for one in given if "--property=" in one
    )
    variables = [one.removeprefix("--setenv=") for one in given if "--setenv=" in one]
    expanded = {
        k: v.replace("%S", "/var/lib").replace("%C", "/var/cache") for k, v in unit().items()
    }
    assert properties.keys() >= {"User", "DynamicUser", "StateDirectory", "EnvironmentFile"}
    assert properties.items() <= expanded.items()
    assert variables == expanded["Environment"].split()
    assert given[-5:] == [*expanded["ExecStart"].split(), "backup", "before update.db"][-5:]
    assert given[-6].startswith("--")


def test_containers_with_shards_divide_them() -> None:
    """Each shard is served by one container."""
    text = (ROOT / "compose.shards.yaml").read_text(encoding="utf-8")
    parts = [Shards.parse(shards) for shards in re.findall(r"SHARDS: (\S+)", text)]
    assert len({part.count for part in parts}) == 1
    assert sorted(number for part in parts for number in part.ids) == [*range(parts[0].count)]
