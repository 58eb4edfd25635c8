"""Folders in memory, which tests of databases share."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import conftest
from tests.conftest import quick_folder


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no folder in memory")
def test_a_folder_stays_while_its_process_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next test doesn't remove it, whatever its date; it removes that of a killed process."""
    monkeypatch.setattr(conftest, "MEMORY", tmp_path)
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    with quick_folder() as ours:
        left = ours.with_name(ours.name.replace(str(os.getpid()), str(ended.pid)))
        left.mkdir()
        os.utime(ours, (0, 0))
        with quick_folder():
            assert ours.exists() and not left.exists()
