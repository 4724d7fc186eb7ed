"""The datasets: how each is fetched, read from its original format, checked, and imitated."""
