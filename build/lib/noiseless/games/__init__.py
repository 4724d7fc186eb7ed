"""Games: how candidates are drawn, what an adversary observes, and who wins; one for each topic."""
