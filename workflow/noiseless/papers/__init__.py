"""Experiments, ``<paper>/<topic>.py``: parameters in, tidy tables out.

They read and write no files, but for the runs of counts of the trips, which do not fit into memory.
"""
