"""*Actual Knowledge Gain as Privacy Loss*: its settings, experiments, figures and claims."""
