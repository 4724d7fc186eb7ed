"""Write what the rules that make tables call."""

import json
from pathlib import Path

from noiseless.jobs import job

with job(snakemake):
    text = json.dumps(list(snakemake.params.calls), indent=1)
    Path(snakemake.output[0]).write_text(text + "\n", encoding="utf-8")
