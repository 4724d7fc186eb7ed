"""What the small run of a paper's statements takes: a module for each paper.

``tables``: the tables of the small run that rest on no data, by name; ``LEAST``: the least sizes of
its universes; ``WITHOUT_DATA``: how many statements need no data, at least.
"""
