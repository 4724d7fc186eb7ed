"""Errors that a user can mend: bad input, bad configuration, a download that failed."""


class UserError(Exception):
    """A problem that the user can solve.

    The message is for the person at the keyboard: it names the file, row or key, says what was
    expected, and what to do.  Scripts print it alone, without a traceback.
    """


class ConfigError(UserError):
    """A configuration file, or a key in one, that cannot be used."""


class DataError(UserError):
    """A data file that is missing, damaged, or not what its name says."""


class DownloadError(UserError):
    """A file that could not be fetched, or was not the file that was asked for."""
