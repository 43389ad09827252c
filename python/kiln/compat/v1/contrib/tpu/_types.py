"""Variables that are read as bfloat16."""

import contextlib

from kiln.compat import v1 as tf


@contextlib.contextmanager
def bfloat16_scope():
    """A variable scope in which variables of bfloat16 are kept as float32 and cast when they are
    read. Source: tf.contrib.tpu.bfloat16_scope.
    """

    def as_bfloat16(getter, *args, **kwargs):
        if kwargs.get("dtype") != tf.bfloat16:
            return getter(*args, **kwargs)
        return tf.cast(getter(*args, **{**kwargs, "dtype": tf.float32}), tf.bfloat16)

    with tf.variable_scope("", custom_getter=as_bfloat16) as scope:
        yield scope
