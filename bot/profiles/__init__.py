"""A member's profile and finished matches."""
