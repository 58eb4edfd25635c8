"""A member's data as zip files of JSON, each small enough to be uploaded.

Rows are compressed as they come, so that memory doesn't grow with their number. Each file can be
read by itself: it holds one JSON object, with a list of rows for each section that begins or goes
on in it.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile
from typing import IO, Any, TypeAlias
from zipfile import ZIP_DEFLATED, ZipFile

Row: TypeAlias = Mapping[str, Any]

_INSIDE = "rowbot-data.json"
# The bytes that zlib holds back, and the end of a file, come on top of those that are written.
_RESERVE = 192 * 1024
# Larger files are on the disk.
_IN_MEMORY = 1024 * 1024


class _Part:
    """One file, and the zip within it; `head` are the first fields of its object.

    `files` closes them, after the file has been sent, or something has failed.
    """

    def __init__(self, head: Row, files: ExitStack):
        opened = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - `files` closes it
        self.file: IO[bytes] = files.enter_context(opened)
        self._zip = files.enter_context(ZipFile(self.file, "w", ZIP_DEFLATED))
        self._entry = files.enter_context(self._zip.open(_INSIDE, "w"))
        self._write("{" + json.dumps(head, ensure_ascii=False)[1:-1])
        self._section: str | None = None
        self._rows = 0

    @property
    def size(self) -> int:
        """The bytes that are written so far; zlib holds some back."""
        return self.file.tell()

    def begin(self, section: str) -> None:
        """Begin the list of a section, unless it has begun."""
        if section != self._section:
            self._end_section()
            self._write(f",\n{json.dumps(section)}: [")
            self._section, self._rows = section, 0

    def add(self, row: Row) -> None:
        """Write a row of the section that has begun."""
        self._write(f"{',' if self._rows else ''}\n{json.dumps(row, ensure_ascii=False)}")
        self._rows += 1

    def finish(self) -> None:
        """Write the end, and go to the beginning of the file."""
        self._end_section()
        self._write("\n}\n")
        self._entry.close()
        self._zip.close()
        self.file.seek(0)

    def _end_section(self) -> None:
        if self._section is not None:
            self._write("\n]")

    def _write(self, text: str) -> None:
        self._entry.write(text.encode())


class Archive:
    """Zip files of at most `limit` bytes, until it is closed.

    `head` are the fields that begin the object in each of them.
    """

    def __init__(self, head: Row, limit: int):
        self._head = head
        self._limit = limit - _RESERVE
        self._parts: list[_Part] = []
        self._files = ExitStack()

    def close(self) -> None:
        """Close the files, which are gone then."""
        self._files.close()

    def add(self, section: str, rows: Sequence[Row]) -> None:
        """Write rows of a section, which come one section after another."""
        part = self._parts[-1] if self._parts else self._next()
        part.begin(section)
        for row in rows:
            if part.size > self._limit:
                part.finish()
                part = self._next()
                part.begin(section)
            part.add(row)

    def finish(self) -> list[IO[bytes]]:
        """Return the files, to be read from their beginning; nothing can be added any more."""
        self._parts[-1].finish()
        return [part.file for part in self._parts]

    def _next(self) -> _Part:
        part = _Part({"part": len(self._parts) + 1, **self._head}, self._files)
        self._parts.append(part)
        return part
