"""Privacy accounting by realized privacy loss: queries, certified bounds, filters, a curator's store."""
