"""*Non-Stochastic Hypothesis Testing for Privacy*: its settings, experiments, figures and claims."""
