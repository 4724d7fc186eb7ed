"""Privacy accounting by realized loss: queries, certified bounds, filters."""
