"""Check configuration files before Snakemake reads them."""

import sys

from noiseless.config import load_config
from noiseless.errors import ConfigError

try:
    load_config(*sys.argv[1:])
except ConfigError as error:
    sys.exit(f"error: {error}")
