"""Decorators that tell autograph what to leave alone. Kiln has no autograph, so functions are
what they were.
"""

import functools


def do_not_convert(func=None, run_as=None, return_dtypes=None, user_requested=True):
    """Returns the function itself, or a decorator that does."""
    if func is None:
        return functools.partial(
            do_not_convert,
            run_as=run_as,
            return_dtypes=return_dtypes,
            user_requested=user_requested,
        )
    return func
