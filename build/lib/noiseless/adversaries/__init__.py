"""Who attacks a release, and what the attack wins.

An adversary does not know where data came from, nor a mechanism who attacks it.
"""
