#!/usr/bin/env bash
# Runs TensorFlow's own test files on `tensorflow` as kiln.compat serves it, where no TensorFlow is installed.
#   run_compat.sh PYTHON OUT FILE...     outcomes in OUT/compat.jsonl; with those of TensorFlow in OUT/tf.jsonl
#                                        (SYSTEMS=tf run.sh), or the lists in counted/, a summary
# PYTHON has pytest, numpy, protobuf and absl-py; PYTHONPATH has the package kiln (build/python).
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
SYSTEMS=compat "$here/run.sh" "$@"
SYSTEM=compat "$here/summary.py" "$2" v
