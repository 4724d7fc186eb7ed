"""User errors: invalid data, an invalid configuration, or a failed download."""


class UserError(ValueError):
    """Problem that the user can solve.

    The message names the file, row or key, the value, the rule, and what to do. Scripts print it
    alone, without a traceback. It is a ``ValueError``, as other libraries raise for a value that
    cannot be used.

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
    """Invalid configuration file, key or argument."""


class TooSmallError(ConfigError):
    """Set of homes that is too small for an experiment, so that nothing of it is left to do."""


class DataError(UserError):
    """Data file or values that are missing, damaged or of another form than expected."""


class OtherFormatError(DataError):
    """A table is of another version of this package, which wrote tables in another format."""


class DownloadError(UserError):
    """File that could not be downloaded, or that differs from the requested one."""
