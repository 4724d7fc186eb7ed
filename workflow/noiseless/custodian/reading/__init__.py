"""Data of the user's: any CSV or Parquet file, with columns that the configuration names.

Unlike a public dataset, such a file has not been looked at before.  What cannot be meant (a word
among numbers, a reading that comes twice, latitude and longitude exchanged) is an error that names
the file, the row and the column; what can (an empty cell, a trip outside the box) is excluded and
counted.
"""
