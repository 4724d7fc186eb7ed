"""``python -m noiseless``: the command line."""

import sys

from noiseless.command_line import main

sys.exit(main())
