"""Synthetic look-alikes of the public datasets, for runs without network or login.

They are written in the original file formats and with the originals' quirks, so that the real
parsers read them.  No value is taken from the data.
"""
