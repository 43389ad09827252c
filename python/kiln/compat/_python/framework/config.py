"""The devices of this process and how they compute."""

import collections

PhysicalDevice = collections.namedtuple("PhysicalDevice", ["name", "device_type"])

_allows_tensor_float_32 = True


def list_physical_devices(device_type=None):
    """Returns the CPU, unless another type is asked for."""
    if device_type not in (None, "CPU"):
        return []
    return [PhysicalDevice("/physical_device:CPU:0", "CPU")]


def enable_tensor_float_32_execution(enabled):
    """Says whether devices that can may multiply in TensorFloat-32; the CPU cannot."""
    global _allows_tensor_float_32
    _allows_tensor_float_32 = enabled


def tensor_float_32_execution_enabled():
    """Returns what enable_tensor_float_32_execution() was told last, True in the beginning."""
    return _allows_tensor_float_32


def enable_op_determinism():
    """Nothing: kernels add up in one order, whatever the threads."""


disable_op_determinism = enable_op_determinism


def is_op_determinism_enabled():
    """Returns True."""
    return True
