"""Slots: variables that belong to another one, are named after it and saved beside it."""

from kiln._kiln import front as _c


def create_slot(primary, val, name, colocate_with_primary=True):
    """Makes PRIMARY/NAME with a first value. primary: a variable or a tensor. Source: slot_creator.create_slot."""
    return _c.create_slot(primary, val, name, colocate_with_primary)


def create_slot_with_initializer(primary, initializer, shape, dtype, name, colocate_with_primary=True):
    """Makes PRIMARY/NAME with an initializer's values. Source: slot_creator.create_slot_with_initializer."""
    return _c.create_slot_of_shape(primary, initializer, name, shape, dtype)


def create_zeros_slot(primary, name, dtype=None, colocate_with_primary=True):
    """Makes PRIMARY/NAME of zeros in the primary's shape. Source: slot_creator.create_zeros_slot."""
    if dtype is not None and dtype != primary.dtype.base_dtype:
        from kiln.compat.v1._initializers import Zeros

        if primary.shape.is_fully_defined():
            return create_slot_with_initializer(primary, Zeros(), primary.shape, dtype, name)
        value = primary.initialized_value() if isinstance(primary, _c.Variable) else primary
        return create_slot(primary, _c.zeros(_c.shape(value), dtype), name, colocate_with_primary)
    return _c.create_zeros_slot(primary, name, colocate_with_primary)
