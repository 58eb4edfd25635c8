"""The database: engine, connection, schema."""


class CorruptRowError(Exception):
    """A stored row from which no match or invitation can be read."""
