"""Games of adversaries: draw of the candidates, evidence and result, a module for each game."""
