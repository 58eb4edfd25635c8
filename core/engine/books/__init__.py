"""Books of moves, tables of results and tablebases as data, and in `make` their makers."""

from pathlib import Path

FOLDER = Path(__file__).parent


def content(name: str) -> bytes | None:
    """Return the content of the file with this name, None if there is none."""
    try:
        return (FOLDER / name).read_bytes()
    except FileNotFoundError:
        return None
