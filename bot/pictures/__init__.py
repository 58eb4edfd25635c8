"""Pictures of matches and ratings, drawn from the core's values; imported in a drawing process."""
