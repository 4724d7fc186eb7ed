"""Errors that a user can mend: bad input, bad configuration, a download that failed."""


class UserError(ValueError):
    """A problem that the user can solve.

    The message is for the person at the keyboard: it names the file, row or key, says what was
    expected, and what to do.  Scripts print it alone, without a traceback.  It is a ``ValueError``,
    as other libraries raise for a value that cannot be used.

    Examples
    --------
    >>> from noiseless import Domain, Quantizer
    >>> try:
    ...     Quantizer(Domain((0,), (20,), "kwh"), 4, clip=False).release([3.5, 24.0])
    ... except UserError as error:
    ...     print(error)
    1 of 2 values are outside the public range [0, 20]; the first is 24.0 at position 1. Correct the
    data, widen the range, or ask for clipping.
    """


class ConfigError(UserError):
    """A configuration file, or a key in one, that cannot be used."""


class TooSmallError(ConfigError):
    """A set of homes that is too small for an experiment, so that nothing of it is left to do."""


class DataError(UserError):
    """A data file that is missing, damaged, or not what its name says."""


class DownloadError(UserError):
    """A file that could not be fetched, or was not the file that was asked for."""
