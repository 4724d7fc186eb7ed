"""What the text of the paper leaves to its reader: numbers that experiments and figures share.

Figures import nothing else of an experiment, whose modules load what compiles and computes.
"""

# Section V.A calls advantages "almost zero"; the largest absolute one that counts as that.
ALMOST_ZERO = 0.05
# The upper end of a day's reading (kWh) that no home can exceed, so that it is public: a main fuse
# of 100 A at 230 V for 24 hours.
MAIN_FUSE_KWH = 552

ALONE, WITH_MEAN = "pair", "pair_known"
"""Adversaries who know the two homes alone, and the mean of other homes as well."""
ANYBODY = "anybody"
"""The best test of a sum of homes of one law."""
