"""Tables and queries (SQLAlchemy Core): SQLite by default, PostgreSQL by URL, one schema."""
