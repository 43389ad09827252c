"""TensorFlow programs on Kiln: TensorFlow builds the graph, Kiln runs it.

    import kiln.tensorflow
    kiln.tensorflow.install()           # from now on, for every tf.compat.v1 session

    with kiln.tensorflow.install():     # or for a while
        ...

    python -m kiln.tensorflow SCRIPT ARGS     # or for a script as it is

Sessions stay TensorFlow's objects: run, partial_run, make_callable, close, hooks,
coordinators and the rest of its Python work as before, errors are tf.errors. A
session with a target (grpc://...) stays TensorFlow's altogether. Sessions that
ran before install() keep what they ran on.

Ops that Kiln does not have are run by TensorFlow's own kernels if they keep no
state, with one warning an op type; tf.py_func and its kin are called back. Others
are a NotFoundError that names op and node. install(foreign=False), or
KILN_TENSORFLOW_FOREIGN=0 in the environment, makes all of them an error.
"""

from kiln.tensorflow._install import install, uninstall

__all__ = ["install", "uninstall"]
