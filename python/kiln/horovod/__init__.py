"""Horovod's programs on Kiln: Horovod's Python, unmodified, with Kiln below it.

    mpirun -np 4 python -m kiln.tensorflow train.py

Horovod's Python must be importable: its source, without its C++ library, is enough
(`pip download --no-deps --no-binary :all: horovod`, unpacked, on PYTHONPATH). The
collectives of its graphs are Kiln's, over MPI where mpirun or srun started the
process, and one rank alone otherwise.

KILN_COLLECTIVE_TIMEOUT in the environment is how many seconds a collective waits
for a rank that does not come to it (60).
"""

import importlib.util
import os

_library = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mpi_lib.so")


def install():
    """Puts Kiln's C library in the place of Horovod's. Before Horovod is imported;
    does nothing where Horovod's Python is not there. Needs TensorFlow."""
    if importlib.util.find_spec("horovod") is None:
        return
    import tensorflow as tf
    from horovod.common import util
    from tensorflow.python.framework import load_library

    # Where TensorFlow has no estimators any more, Horovod looks for it here.
    if not hasattr(tf, "estimator") and not hasattr(tf.train, "SessionRunHook"):
        tf.train.SessionRunHook = tf.compat.v1.train.SessionRunHook

    def get_extension_full_path(pkg_path, *args):
        return _library

    def check_installed_version(name, version, exception=None):
        if exception is not None:
            raise exception

    load_op_library = load_library.load_op_library

    def load(library_filename):
        is_horovod = os.path.basename(library_filename).startswith("mpi_lib.")
        return load_op_library(_library if is_horovod else library_filename)

    util.get_extension_full_path = get_extension_full_path
    util.check_installed_version = check_installed_version
    load_library.load_op_library = load
