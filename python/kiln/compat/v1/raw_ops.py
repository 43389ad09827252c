"""A function for each op, by the op's name, with keywords alone: tf.raw_ops.MatMul(a=x, b=y). Source: tf.raw_ops."""

import functools

from kiln._generated.raw_ops import BY_OP


def __getattr__(name):
    function = BY_OP.get(name)
    if function is None:
        from kiln.compat._missing import missing_name

        raise missing_name(__name__, name)

    @functools.wraps(function)
    def keywords_only(**arguments):
        return function(**arguments)

    globals()[name] = keywords_only
    return keywords_only


def __dir__():
    return sorted(BY_OP)
