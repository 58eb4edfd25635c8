"""The examples of the core in the documentation are correct."""

import doctest
from pathlib import Path

import core

README = Path(__file__).parents[2] / "README.md"


def failures(source: str, name: str) -> tuple[int, int]:
    """Run the examples in `source`; return the numbers of failures and of examples."""
    runner = doctest.DocTestRunner()
    for test in [doctest.DocTestParser().get_doctest(source, {}, name, None, 0)]:
        runner.run(test)
    return runner.failures, runner.tries


def test_the_examples_of_the_package_run() -> None:
    """The docstring of `core` has an example of each of its main types."""
    failed, tried = failures(core.__doc__ or "", "core")
    assert failed == 0
    assert tried >= 5


def test_the_examples_of_the_readme_run() -> None:
    """The README's example of the core runs as printed."""
    blocks = README.read_text("utf-8").split("```pycon\n")[1:]
    shown = "".join(block.partition("```")[0] for block in blocks)
    failed, tried = failures(shown, "README.md")
    assert failed == 0
    assert tried >= 5
