"""What an adversary makes of a release.  An adversary does not know where data came from."""
