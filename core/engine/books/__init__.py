"""Books of moves, tables of results and tablebases as data, and in `make` their makers."""

from pathlib import Path

FOLDER = Path(__file__).parent
# Joining a path at each use costs a tenth of a first move on 3x3, and `importlib.resources` more
# than all the rest of it.
_PREFIX = f"{FOLDER}/"


def content(name: str) -> bytes | None:
    """Return the content of the file with this name, None if there is none."""
    try:
        with open(_PREFIX + name, "rb") as file:  # noqa: PTH123 - no path is joined
            return file.read()
    except FileNotFoundError:
        return None
