"""What columns say of people: which have a member's id, and which no export has.

A column says it in its declaration (`Column.info`). Erasures and exports (`bot/privacy/store/`)
follow from that, so a new table needs no other line.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from sqlalchemy import Column, MetaData


class Erasing(Enum):
    """What becomes of a row with a member's id when the member is erased."""

    ROW = auto()
    """It is erased."""
    FORMER = auto()
    """It goes to a former player of its server, since results of others follow from it."""
    SPECIAL = auto()
    """`PersonalStore.forget` has a statement for it."""


@dataclass(frozen=True)
class OfMember:
    """Marks a column with the id of a member.

    `section` names the part of the export that has the rows as they are. If there is none, the
    export has a statement that leaves out what isn't the member's.
    """

    erasing: Erasing
    section: str | None = None


def of_member(erasing: Erasing, section: str | None = None) -> dict[str, object]:
    """Return the `info` of a column with the id of a member."""
    return {"member": OfMember(erasing, section)}


INTERNAL: dict[str, object] = {"internal": True}
"""The `info` of a column that no export has: only the bot's own work needs it."""


def is_internal(column: Column[Any]) -> bool:
    """Return whether no export has a column."""
    return bool(column.info.get("internal"))


def ids_of_members(metadata: MetaData) -> Iterator[tuple[Column[Any], OfMember]]:
    """Yield the columns with ids of members, a table before those that refer to it."""
    for table in metadata.sorted_tables:
        for column in table.columns:
            if of := column.info.get("member"):
                yield column, of
