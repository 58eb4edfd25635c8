"""The database: migrations, the schema, SQLite's connection."""
