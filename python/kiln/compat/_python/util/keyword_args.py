"""Functions that take their arguments by name alone."""

import functools


def keyword_args_only(func):
    """A decorator. **Errors**: a call with arguments by position is a ValueError."""

    @functools.wraps(func)
    def by_name(*args, **kwargs):
        if args:
            raise ValueError(
                f"The function {func.__name__} only accepts keyword arguments. "
                "Do not pass positional arguments. "
                f"Received the following positional arguments: {args}"
            )
        return func(**kwargs)

    return by_name
