"""Games of adversaries: draw of the candidates, views and result, a module for each game."""
