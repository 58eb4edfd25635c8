"""Lines of ``key: value`` in a fixed order, taken one after the other."""

from collections.abc import Iterator

from core.errors import RecordError


class Fields:
    """Lines that have not been taken yet."""

    def __init__(self, lines: list[str]):
        self._rest = lines

    def one(self, key: str) -> str:
        """Return the value of the next line, which has this key; raise RecordError."""
        for value in self._taken(key):
            return value
        found = repr(self._rest[0]) if self._rest else "the end"
        raise RecordError(f"expected a line '{key}: …', found {found}")

    def all(self, key: str) -> list[str]:
        """Return the values of the next lines with this key, none or more."""
        return list(self._taken(key))

    def _taken(self, key: str) -> Iterator[str]:
        while self._rest and (self._rest[0] + " ").startswith(f"{key}: "):
            yield self._rest.pop(0)[len(key) + 1 :].strip()

    def end(self) -> None:
        """Raise RecordError unless every line is taken."""
        if self._rest:
            raise RecordError(f"nothing should follow the result, found {self._rest[0]!r}")
