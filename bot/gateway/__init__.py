"""Discord without features: answers, components, commands, permissions, membership, loops."""
