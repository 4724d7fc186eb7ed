"""The reader of all CSV and Parquet that comes from outside, and of compressed files."""
