"""The folder of tests that migrate and copy databases."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import quick_folder


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder in memory if possible, since each migration commits, and would wait for the disk."""
    with quick_folder() as folder:
        yield folder
