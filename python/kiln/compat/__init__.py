"""TensorFlow 1 without TensorFlow.

    import kiln.compat.v1 as tf

Programs that say `import tensorflow as tf` run unchanged with `python -m kiln.compat SCRIPT ARGS`,
or after

    import kiln.compat
    kiln.compat.install()
"""

__all__ = ["install"]


def install():
    """Serves `import tensorflow` and all that lies below it from kiln.compat.v1, in the whole
    process.

    `from tensorflow.contrib import rnn`, `import tensorflow.contrib.slim as slim`, `from
    tensorflow.python.framework import ops` and the like work: `tensorflow` is the module
    kiln.compat.v1, what is public below it are its modules, and TensorFlow's private modules stand
    for the public names. To be called before anything imports TensorFlow; a second call does
    nothing.

    **Errors**: RuntimeError where TensorFlow is imported already. Modules and names that Kiln
    does not have are an ImportError or AttributeError that says whether they are meant to come.
    """
    from kiln.compat import _hook

    _hook.install()
