"""What a build does beside packing files; everything else about the package is in pyproject.toml.

The catalogues of texts are compiled whenever the package is built or installed:
`compile_catalog` is Babel's own command, and writes each `.mo` beside its `.po`.

With ROWBOT_COMPILED=1 in the environment a wheel holds the searches of `core.engine` as C as well,
made of the same source by mypyc; docs/decisions/38-compiled-engine.md says what that is worth.
"""

import os
import sys
from pathlib import Path
from typing import ClassVar

from setuptools import Extension, setup
from setuptools.command.build import build

# An editable install stays Python, so that what is edited is what runs.
WANTED = os.environ.get("ROWBOT_COMPILED") == "1" and "editable_wheel" not in sys.argv
# What the rest of the program uses stays Python: compiled objects can't go from process to process.
# So does `stop`, as it says itself.
PYTHON = {"analysis.py", "levels.py", "player.py", "stop.py"}


class Build(build):
    """The usual steps of a build, after the catalogues."""

    sub_commands: ClassVar = [("compile_catalog", None), *build.sub_commands]


def compiled() -> list[Extension]:
    """Return the searches of the engine as C, none unless this is the build of a wheel."""
    if not WANTED or "bdist_wheel" not in sys.argv:
        return []
    from mypyc.build import mypycify

    engine = Path("core", "engine")
    alone = (file for file in engine.glob("[!_]*.py") if file.name not in PYTHON)
    modules = map(str, sorted([*alone, *engine.glob("*/[!_]*.py")]))
    return mypycify(["--config-file=", "--strict", *modules], opt_level="3")


setup(
    cmdclass={"build": Build},
    options={"compile_catalog": {"directory": "bot/i18n", "domain": "rowbot"}},
    setup_requires=["mypy>=2.4,<3"] if WANTED else [],
    ext_modules=compiled(),
)
