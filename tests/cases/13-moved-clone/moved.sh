# A light copy of the environment: as the clone in $1 is found at $2/clone after a move.
from=$1 to=$2/clone environment=$(dirname "$(dirname "$PY")")
git clone -q "$from" "$to"
site=$(cd "$environment" && echo lib/python*/site-packages)
mkdir -p "$to/.venv/$site"
cp -a "$environment/pyvenv.cfg" "$environment/bin" "$to/.venv/"
for each in "$environment/$site"/*; do
    case $each in *__editable__*noiseless*) ;; *) ln -s "$each" "$to/.venv/$site/" ;; esac
done
echo "$2/before-the-move/workflow" > "$to/.venv/$site/__editable__.noiseless.pth"
sed -i "1s|.*|#!$2/before-the-move/.venv/bin/python|" "$to/.venv/bin/snakemake"
touch "$to/.venv/.run"
cd "$to"
echo "seed: 7" > my.yaml
unset PYTHONPATH
make smoke CONFIG=my.yaml TARGET=results/tables/nsht/leakage_bound.parquet
