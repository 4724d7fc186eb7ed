"""Steps of other libraries' pipelines: :mod:`.scikit_learn`."""
