"""What members and servers are proud of: achievements, seasons, and roles for both."""
