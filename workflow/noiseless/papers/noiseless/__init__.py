"""*Noiseless Privacy*: its settings, experiments, figures and claims."""
