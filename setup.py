"""Compiles the catalogues of texts whenever the package is built or installed.

Everything else about the package is in pyproject.toml. `compile_catalog` is Babel's own command: it
writes each `.mo` beside its `.po`.
"""

from typing import ClassVar

from setuptools import setup
from setuptools.command.build import build


class Build(build):
    """The usual steps of a build, after the catalogues."""

    sub_commands: ClassVar = [("compile_catalog", None), *build.sub_commands]


setup(
    cmdclass={"build": Build},
    options={"compile_catalog": {"directory": "bot/i18n", "domain": "rowbot"}},
)
