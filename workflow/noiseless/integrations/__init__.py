"""A step of another library's pipeline: :mod:`.scikit_learn`."""
