<<<<<<< HEAD
"""Adversaries: what they see, and what they conclude from it."""
||||||| 74402b5
=======
"""What an adversary makes of a release.  An adversary does not know where data came from."""
>>>>>>> issue-5
