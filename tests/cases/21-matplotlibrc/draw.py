import sys
from pathlib import Path

import pandas as pd

from noiseless.figures.style import use_style
from noiseless.papers.nsht.figures.indistinguishability import plot_fig7

table = pd.read_csv("docs/reference/tables/nsht/indistinguishability.csv")
path = Path(sys.argv[1]) / "fig7.png"
with use_style():
    plot_fig7(table).savefig(path)
print("drawn:", path.stat().st_size > 10_000)
