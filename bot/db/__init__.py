"""The database: engine, connection, schema."""
