"""Sizes, strides, paddings and formats that layers are given. Errors are TensorFlow's."""

import operator


def integers(value, count, name):
    """A number for each of so many axes."""
    try:
        return (operator.index(value),) * count
    except TypeError:
        pass
    wrong = f"The `{name}` argument must be a tuple of {count} integers. Received: {value}"
    try:
        numbers = tuple(value)
    except TypeError:
        raise ValueError(wrong) from None
    if len(numbers) != count:
        raise ValueError(wrong)
    for number in numbers:
        try:
            int(number)
        except (ValueError, TypeError):
            raise ValueError(f"{wrong} including element {number} of type {type(number)}") from None
    return tuple(int(number) for number in numbers)


def padding(value):
    name = value.lower() if isinstance(value, str) else value
    if name not in ("valid", "same", "causal"):
        raise ValueError(
            'The `padding` argument must be one of "valid", "same" (or "causal", only for `Conv1D). '
            f"Received: {name}"
        )
    return name


def data_format(value):
    name = "channels_last" if value is None else value.lower()
    if name not in ("channels_first", "channels_last"):
        raise ValueError(
            f'The `data_format` argument must be one of "channels_first", "channels_last". Received: {value}'
        )
    return name


def extent(value):
    """A number of units or filters, which may be given as a float or a text."""
    return value if isinstance(value, int) else int(value)
