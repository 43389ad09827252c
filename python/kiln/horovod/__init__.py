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
    try:
        from horovod.common import util
    except ImportError:  # a program that imports it will be told what it lacks
        return
    import tensorflow as tf
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
            if not os.path.basename(library_filename).startswith("mpi_lib."):
                return _load(library_filename)
            own = _load(_library)
            _add_broadcasts_in_place(own)
            return own

        load_library.load_op_library = load


def _add_broadcasts_in_place(own):
    """Adds what broadcast_() calls: assignments of what is broadcast. In Kiln that is
    in place as far as it can be, and an op on many variables is not needed for it."""
    from tensorflow.python.ops import control_flow_ops, resource_variable_ops, state_ops

    def broadcast_inplace(variables, variable_names, root_rank, process_set_id=0, name=None):
        return [
            state_ops.assign(
                variable,
                own.horovod_broadcast(
                    variable, root_rank=root_rank, process_set_id=process_set_id, name=name
                ),
            )
            for variable in variables
        ]

    def broadcast_inplace_resource(
        resources, variable_names, root_rank, process_set_id=0, name=None
    ):
        assignments = []
        for handle in resources:
            data = resource_variable_ops.get_eager_safe_handle_data(handle)
            value = own.horovod_broadcast(
                resource_variable_ops.read_variable_op(handle, data.shape_and_type[0].dtype),
                root_rank=root_rank,
                process_set_id=process_set_id,
                name=name,
            )
            assignments.append(resource_variable_ops.assign_variable_op(handle, value))
        return control_flow_ops.group(*assignments)

    own.horovod_broadcast_inplace = broadcast_inplace
    own.horovod_broadcast_inplace_resource = broadcast_inplace_resource


def _take_own_ops(library_filename):
    """What kiln.compat loads as Horovod's library: ops and gradients are Kiln's own."""
    from tensorflow.python.framework import ops

    from kiln._generated import raw_ops

    def unless_own(register, result):
        return lambda op_type: result if op_type.startswith("Horovod") else register(op_type)

    ops.RegisterGradient = unless_own(ops.RegisterGradient, lambda function: function)
    ops.NotDifferentiable = unless_own(ops.NotDifferentiable, None)
    return raw_ops
