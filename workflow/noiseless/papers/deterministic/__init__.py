"""*Deterministic Privacy-Preserving Policies*: its settings, experiments, figures and claims."""
