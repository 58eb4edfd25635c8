"""A member's data as zip files of JSON, each small enough to be uploaded.

Rows are compressed as they come, so that memory doesn't grow with their number. Each file can be
read by itself: it holds one JSON object, with a list of rows for each section that begins or
continues in this file.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile
from typing import IO, Any, TypeAlias
from zipfile import ZIP_DEFLATED, ZipFile

Row: TypeAlias = Mapping[str, Any]

_INSIDE = "rowbot-data.json"
# Room for the bytes that zlib holds back, and for the end of a file.
_RESERVE = 192 * 1024
# Larger files are on the disk.
_IN_MEMORY = 1024 * 1024


class Archive:
    """Zip files of at most `limit` bytes, until it is closed; the last one is being written.

    `head` holds the first fields of the object in each file.
    """

    def __init__(self, head: Row, limit: int):
        self._head = head
        self._limit = limit - _RESERVE
        self._parts: list[IO[bytes]] = []
        self._files = ExitStack()
        self._section: str | None = None

    def close(self) -> None:
        """Close and delete the files, once they are sent, or something has failed."""
        self._files.close()

    def add(self, section: str, rows: Sequence[Row]) -> None:
        """Write rows of a section; all rows of one section come before the next section."""
        if not self._parts:
            self._begin_part()
        self._begin(section)
        for row in rows:
            if self._parts[-1].tell() > self._limit:
                self._finish_part()
                self._begin_part()
                self._begin(section)
            self._write(f"{',' if self._rows else ''}\n{json.dumps(row, ensure_ascii=False)}")
            self._rows += 1

    def finish(self) -> list[IO[bytes]]:
        """Return the files, to be read from their beginning; nothing can be added any more."""
        self._finish_part()
        return self._parts

    def _begin_part(self) -> None:
        opened = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - `close` closes it
        file: IO[bytes] = self._files.enter_context(opened)
        self._zip = self._files.enter_context(ZipFile(file, "w", ZIP_DEFLATED))
        self._entry = self._files.enter_context(self._zip.open(_INSIDE, "w"))
        self._parts.append(file)
        self._section = None
        head = {"part": len(self._parts), **self._head}
        self._write("{" + json.dumps(head, ensure_ascii=False)[1:-1])

    def _finish_part(self) -> None:
        self._end_section()
        self._write("\n}\n")
        self._entry.close()
        self._zip.close()
        self._parts[-1].seek(0)

    def _begin(self, section: str) -> None:
        """Begin the list of a section, unless it has begun in this part."""
        if section != self._section:
            self._end_section()
            self._write(f",\n{json.dumps(section)}: [")
            self._section, self._rows = section, 0

    def _end_section(self) -> None:
        if self._section is not None:
            self._write("\n]")

    def _write(self, text: str) -> None:
        self._entry.write(text.encode())
