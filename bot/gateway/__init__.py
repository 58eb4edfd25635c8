"""Discord without features: answers, components, permissions, membership."""
