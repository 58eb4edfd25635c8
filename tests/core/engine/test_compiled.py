"""The searches compiled to C make the same moves as the source that they were compiled from."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
# The parts of a wheel, which are copied. Tests run from a folder without the source.
SOURCE = ["bot", "core", "migrations", "pyproject.toml", "setup.py", "README.md", "LICENSE"]
# Tests of all recorded moves, slow ones included, and tests of what processes send each other.
MOVES = ["tests/core/engine/test_recorded.py", "tests/core/engine/drops"]
PROCESSES = ["tests/bot/workers", "tests/discord/analysis", "tests/discord/puzzles"]


def run(*arguments: str | Path, cwd: Path, **environment: str) -> None:
    """Run Python; fail unless it exits with 0."""
    command = [sys.executable, "-P", *arguments]
    subprocess.run(command, cwd=cwd, env=os.environ | environment, check=True)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a compiled wheel unpacked; building it takes two minutes."""
    folder = tmp_path_factory.mktemp("compiled")
    source, unpacked = folder / "source", folder / "unpacked"
    source.mkdir()
    subprocess.run(["cp", "-r", *SOURCE, source], cwd=ROOT, check=True)
    wheel = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]
    run(*wheel, folder, source, cwd=folder, ROWBOT_COMPILED="1")
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as archive:
        archive.extractall(unpacked)
    return unpacked


@pytest.mark.slow
def test_compiled_searches(installed: Path) -> None:
    """C code runs, and the tests of the engine and of the search processes pass with it."""
    path = str(installed)
    compiled = "import core.engine.search as search; assert not search.__file__.endswith('.py')"
    run("-c", compiled, cwd=installed, PYTHONPATH=path)
    pytest_of_root = "-m", "pytest", "--import-mode=append"
    run(*pytest_of_root, "-m", "slow or not slow", *MOVES, cwd=ROOT, PYTHONPATH=path)
    run(*pytest_of_root, *PROCESSES, cwd=ROOT, PYTHONPATH=path)
