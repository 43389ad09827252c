"""tf.contrib.compiler.jit: what is compiled together."""

import contextlib

from kiln.compat.v1.contrib._forward import forwarding as _forwarding


@contextlib.contextmanager
def experimental_jit_scope(compile_ops=True, separate_compiled_gradients=False):
    """A context whose operations are to be compiled. Source:
    tf.contrib.compiler.jit.experimental_jit_scope. Difference: Kiln compiles all that it runs; the
    operations have no attributes that ask for it.
    """
    yield


__getattr__, __dir__ = _forwarding(__name__, "")
