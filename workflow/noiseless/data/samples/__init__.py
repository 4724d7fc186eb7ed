"""Synthetic samples of the public datasets, for runs without network or login.

They are written in the original file formats and with the originals' irregularities, so that the
readers of real data read them.  No value is taken from the data.
"""
