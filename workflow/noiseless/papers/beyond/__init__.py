"""Questions that no paper asks: their settings, experiments, figures and claims."""
