"""Uncertain variables: what can be known without probabilities, computed exactly."""
