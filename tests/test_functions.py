"""Functions are short: at most 25 lines of code."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST_LINES = 25
# Lists that would read worse in parts: a metric, a field or a part of the bot after the other.
_LISTS = {
    "bot/app.py __init__",
    "bot/app.py create_bot",
    "bot/metrics.py __init__",
    "bot/matches/rows.py read_match",
}


def functions(file: Path) -> Iterator[tuple[str, int]]:
    """Yield each function of a file with its lines of code, without docstring and comments."""
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            documented = ast.get_docstring(node) is not None and len(node.body) > 1
            start = node.body[documented].lineno - 1
            code = (line.strip() for line in lines[start : node.end_lineno])
            count = sum(bool(line) and not line.startswith("#") for line in code)
            yield f"{file.relative_to(ROOT).as_posix()} {node.name}", count


def test_functions_are_short() -> None:
    """No function of the program has more lines of code, but for the lists."""
    files = (file for folder in ("bot", "core") for file in (ROOT / folder).rglob("*.py"))
    long = {name for file in files for name, count in functions(file) if count > MOST_LINES}
    assert long == _LISTS
