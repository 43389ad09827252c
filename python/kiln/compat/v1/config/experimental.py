"""Devices: tf.config.experimental. One, the processor, of which nothing can be set."""

import collections

__all__ = [
    "get_memory_growth", "get_visible_devices", "list_logical_devices", "list_physical_devices",
    "set_memory_growth", "set_visible_devices",
]  # fmt: skip

PhysicalDevice = collections.namedtuple("PhysicalDevice", ["name", "device_type"])
LogicalDevice = collections.namedtuple("LogicalDevice", ["name", "device_type"])
_PROCESSOR = PhysicalDevice("/physical_device:CPU:0", "CPU")


def list_physical_devices(device_type=None):
    """The devices of a type, or all of them: the processor. Source: tf.config.list_physical_devices."""
    return [_PROCESSOR] if device_type in (None, "CPU") else []


def list_logical_devices(device_type=None):
    """As list_physical_devices(), by the names that graphs have. Source: tf.config.list_logical_devices."""
    return [LogicalDevice("/device:CPU:0", "CPU")] if device_type in (None, "CPU") else []


def get_visible_devices(device_type=None):
    """As list_physical_devices(). Source: tf.config.get_visible_devices."""
    return list_physical_devices(device_type)


def set_visible_devices(devices, device_type=None):
    """Does nothing: the processor is always there. Source: tf.config.set_visible_devices."""


def get_memory_growth(device):
    """False: a processor's memory is not reserved. Source: tf.config.experimental.get_memory_growth."""
    return False


def set_memory_growth(device, enable):
    """Says that a processor's memory does not grow: ValueError. Source: tf.config.experimental.set_memory_growth."""
    raise ValueError("Cannot set memory growth on non-GPU and non-Pluggable devices")
