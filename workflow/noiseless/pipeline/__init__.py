"""What joins Snakemake and the package: the only rooms that know of rules, outputs and logs."""
