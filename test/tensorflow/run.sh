#!/usr/bin/env bash
# Runs TensorFlow's own test files on TensorFlow and on Kiln.
#   run.sh PYTHON OUT FILE...     outcomes in OUT/tf.jsonl and OUT/kiln.jsonl, then summary.py OUT
# PYTHON imports tensorflow and pytest; PYTHONPATH has the package kiln (build/python).
# JOBS: files at once (2); FILE_SECONDS: for a file (400); SYSTEMS: "tf kiln", or one of them, or "compat":
# `tensorflow` is Kiln's (kiln.compat) then, and PYTHON has no TensorFlow (OUT/compat.jsonl, `SYSTEM=compat summary.py OUT`).
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
python=$1 out=$2
shift 2
mkdir -p "$out"
export PYTHONPATH=$here${PYTHONPATH:+:$PYTHONPATH} PYTHONDONTWRITEBYTECODE=1

run_file() {
  local file=$1 system log status
  for system in ${SYSTEMS:-tf kiln}; do
    log=$out/log.$system.$(basename "$file").txt status=0
    OUTCOMES=$out/$system.jsonl KILN=${system#tf} timeout "${FILE_SECONDS:-400}" \
      "$python" -m pytest -q --tb=native -p kiln_outcomes -p no:cacheprovider "--rootdir=$(dirname "$file")" "$file" \
      >"$log" 2>&1 || status=$?
    echo "$system $file $status" >>"$out/files.txt"
  done
}
export -f run_file
export python out
printf '%s\n' "$@" | xargs -P "${JOBS:-2}" -I{} bash -c 'run_file {}'
