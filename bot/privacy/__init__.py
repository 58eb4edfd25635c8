"""What is stored about a member or a server, handed out and erased."""
