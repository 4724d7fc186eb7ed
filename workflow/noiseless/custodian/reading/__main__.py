"""``python -m noiseless.custodian.reading FILE [CONFIGURATION]``: a configuration to begin with."""

import argparse
import shlex
import sys

from noiseless.custodian.reading.look import write_configuration
from noiseless.errors import UserError


def main(arguments: list[str] | None = None) -> int:
    """Look at a file, write a configuration, and say what must be answered."""
    parser = argparse.ArgumentParser(
        prog="python -m noiseless.custodian.reading",
        description="Look at a file of yours, and write a configuration to begin with.",
    )
    parser.add_argument("file", help="a file of meters, trips or people; or a folder of meters")
    parser.add_argument("target", nargs="?", default="own.yaml", help="default: own.yaml")
    given = parser.parse_args(arguments)
    try:
        found = write_configuration(given.file, given.target)
    except UserError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{given.target} is written. {found}")
    print(f"Then: make own CONFIG={shlex.quote(given.target)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
