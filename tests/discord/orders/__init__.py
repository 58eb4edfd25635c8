"""What members do at once, in orders that chance decides."""
