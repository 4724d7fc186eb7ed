"""*Non-Stochastic Hypothesis Testing for Privacy*: settings, experiments, figures, claims."""
