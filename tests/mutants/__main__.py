"""``python tests/mutants [WORD ...]``: run all mutants, or those with such a word in the name."""

import sys
import tempfile
from pathlib import Path

from harness import Copy, read_mutants, report


def main() -> None:
    """Print a line for each mutant and claim; fail where one is not as its row says."""
    wanted = sys.argv[1:]
    mutants = [
        each for each in read_mutants() if not wanted or any(name in each.name for name in wanted)
    ]
    with tempfile.TemporaryDirectory() as folder:
        copy, results = Copy(Path(folder)), []
        for result in copy.results(mutants):
            results.append(result)
            print(*report([result]).splitlines()[:-1], sep="\n", flush=True)
        copy.close()
    print(report(results).splitlines()[-1])
    sys.exit(not all(result.as_expected for result in results))


if __name__ == "__main__":
    main()
