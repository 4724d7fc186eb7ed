"""*Statistical Privacy Frameworks*: its settings, experiments, figures and claims."""
