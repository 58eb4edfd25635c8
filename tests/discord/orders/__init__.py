"""Members who act at once, in orders that chance decides."""
