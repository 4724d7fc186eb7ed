"""What a curator releases.  A mechanism does not know who attacks it."""
