"""The stored data of members and servers: export and erasure."""
