"""Integrations into other libraries: :mod:`.scikit_learn`."""
