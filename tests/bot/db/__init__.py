"""The database: migrations, the schema, and SQLite's connection."""
