"""A JSON object written piece by piece, so that memory doesn't grow with the number of its rows."""

import json
from collections.abc import Mapping, Sequence
from typing import IO, Any, TypeAlias

Row: TypeAlias = Mapping[str, Any]


class JsonObject:
    """An object in a file: the fields of `head`, then a list of rows for each section."""

    def __init__(self, file: IO[bytes], head: Row):
        self._file = file
        self._section: str | None = None
        self._write(json.dumps(head)[:-1])

    def add(self, section: str, rows: Sequence[Row]) -> None:
        """Write rows of a section; all rows of one section come before the next section."""
        if section != self._section:
            self._end_section()
            self._write(f",\n{json.dumps(section)}: [")
            self._section, self._separator = section, ""
        for row in rows:
            self._write(f"{self._separator}\n{json.dumps(row, ensure_ascii=False)}")
            self._separator = ","

    def end(self) -> None:
        """Write the end of the object; nothing can be added any more."""
        self._end_section()
        self._write("\n}\n")

    def _end_section(self) -> None:
        if self._section is not None:
            self._write("\n]")

    def _write(self, text: str) -> None:
        self._file.write(text.encode())
