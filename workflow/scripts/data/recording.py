"""Parse and check a recording of a home, in whichever of its forms it is."""

from noiseless.pipeline.jobs import run_job

with run_job(snakemake) as this:
    from functools import partial

    from noiseless.data.redd import (
        read_archive,
        read_channels,
        read_low_freq,
        read_minutes,
        read_nilmtk,
    )

    house = snakemake.params.house
    readers = {
        "low_freq": read_low_freq,  # the folder that the files are in is that of this house
        "minutes": read_minutes,
        "channels": read_channels,
        "archive": partial(read_archive, house=house),
        "nilmtk": partial(read_nilmtk, house=house),
    }
    name = snakemake.wildcards.recording
    this.prepare(readers[snakemake.params.form], recorded={f"recordings.{name}.house": house})
