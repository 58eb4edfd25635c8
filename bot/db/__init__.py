"""The database: engine, connection, schema."""


class CorruptRowError(Exception):
    """A stored row from which no value can be read, such as a match or an invitation."""
