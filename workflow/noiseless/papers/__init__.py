"""The papers, a folder each: settings, experiments, figures with their captions, and statements.

An experiment takes parameters and returns tidy tables.  It reads and writes no files, but for the
runs of counts of the trips, which do not fit into memory.
"""
