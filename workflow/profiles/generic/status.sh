#!/bin/sh
# The status of the job with the number $1 as Snakemake wants it: running, success or failed.
case "$(squeue --noheader --states=all --jobs="$1" --format=%T 2>/dev/null)" in
COMPLETED) echo success ;;
PENDING | CONFIGURING | RUNNING | COMPLETING | SUSPENDED | REQUEUED) echo running ;;
*) echo failed ;;
esac
