"""Runs a TensorFlow script with its sessions on Kiln: python -m kiln.tensorflow SCRIPT ARGS."""

import os
import runpy
import sys


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 0 if len(sys.argv) > 1 else 2
    from kiln import horovod
    from kiln.tensorflow import install

    del sys.argv[0]
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    install()
    horovod.install()
    runpy.run_path(sys.argv[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main())
