"""Honours of members and servers: seasons, roles for results, and the choices about them."""
