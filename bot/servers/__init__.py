"""The settings of servers and members, and the welcome on a new server."""
