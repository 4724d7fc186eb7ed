"""Parse and check REDD, in whichever of its three forms it is."""

from noiseless.pipeline.jobs import job

with job(snakemake) as this:
    from noiseless.data.redd import read_low_freq, read_minutes, read_nilmtk

    house = snakemake.params.house
    match snakemake.params.form:
        case "low_freq":
            # The folder that the files are in is that of this house.
            this.prepare(lambda house, **files: read_low_freq(**files), house=house)
        case "minutes":
            this.prepare(read_minutes)
        case "nilmtk":
            this.prepare(read_nilmtk, house=house)
