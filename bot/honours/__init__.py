"""Honours of members and servers: achievements, seasons, and roles for both."""
