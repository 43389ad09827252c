"""Horovod's programs on Kiln: Horovod's Python, unmodified, with Kiln below it.

    mpirun -np 4 python -m kiln.tensorflow train.py   # TensorFlow builds the graph
    mpirun -np 4 python -m kiln.compat train.py       # without TensorFlow

Horovod's Python must be importable: its source, without its C++ library, is enough
(`pip download --no-deps --no-binary :all: horovod`, unpacked, on PYTHONPATH), with
psutil, PyYAML, packaging and cloudpickle, which it needs. The collectives of its
graphs are Kiln's, over MPI where mpirun or srun started the process, and one rank
alone otherwise.

KILN_COLLECTIVE_TIMEOUT in the environment is how many seconds a collective waits
for a rank that does not come to it (60).
"""

import importlib.util
import os

_library = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mpi_lib.so")


def install():
    """Puts Kiln's C library in the place of Horovod's. Before Horovod is imported;
    does nothing where Horovod's Python is not there. `tensorflow` is TensorFlow, or
    what kiln.compat.install() makes it."""
    if importlib.util.find_spec("horovod") is None:
        return
    import tensorflow as tf
    from horovod.common import util
    from tensorflow.python.framework import load_library

    def get_extension_full_path(pkg_path, *args):
        return _library

    def check_installed_version(name, version, exception=None):
        if exception is not None:
            raise exception

    util.get_extension_full_path = get_extension_full_path
    util.check_installed_version = check_installed_version
    # Where TensorFlow has no estimators any more, Horovod looks for it here.
    if not hasattr(tf, "estimator") and not hasattr(tf.train, "SessionRunHook"):
        tf.train.SessionRunHook = tf.compat.v1.train.SessionRunHook
    if tf.__name__.startswith("kiln."):
        load_library.load_op_library = _take_own_ops
    else:
        _load = load_library.load_op_library

        def load(library_filename):
            is_horovod = os.path.basename(library_filename).startswith("mpi_lib.")
            return _load(_library if is_horovod else library_filename)

        load_library.load_op_library = load


def _take_own_ops(library_filename):
    """What kiln.compat loads as Horovod's library: ops and gradients are Kiln's own."""
    from tensorflow.python.framework import ops

    from kiln._generated import raw_ops

    def unless_own(register, result):
        return lambda op_type: result if op_type.startswith("Horovod") else register(op_type)

    ops.RegisterGradient = unless_own(ops.RegisterGradient, lambda function: function)
    ops.NotDifferentiable = unless_own(ops.NotDifferentiable, None)
    return raw_ops
