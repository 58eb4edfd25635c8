"""Discord without features: responses, channels, components, commands, permissions, loops."""
