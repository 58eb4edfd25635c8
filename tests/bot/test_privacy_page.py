"""PRIVACY.md names all that is stored about people."""

import re

import pytest

from bot.db.tables import metadata
from tests.bot.processes import ROOT

_ROW = re.compile(r"^\| (`.+`) \| (.+) \| .+ \|$", re.MULTILINE)
_IDS = {"user_id", "owner_id", "organiser_id"}
_NAMES = {"owner_name", "organiser_name", "name"}


def page() -> dict[str, str]:
    """Return what the page says of each table."""
    rows = _ROW.findall((ROOT / "PRIVACY.md").read_text(encoding="utf-8"))
    return {table: told for tables, told in rows for table in re.findall(r"`(\w+)`", tables)}


def test_every_table_is_named() -> None:
    """A new table has to say what it has to do with people."""
    assert sorted(page()) == sorted(metadata.tables)


@pytest.mark.parametrize("table", sorted(metadata.tables))
def test_every_column_that_names_a_person_is_named(table: str) -> None:
    """Ids and names of members stand in the row of their table."""
    columns = {column.name for column in metadata.tables[table].columns}
    told = page()[table]
    if "no members" in told:
        assert not columns & _IDS
    else:
        assert [name for name in columns & (_IDS | _NAMES) if f"`{name}`" not in told] == []
