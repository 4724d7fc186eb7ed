"""A file of the user's: what the experiments say of it, as tables, figures and a page."""
