"""What devices there are: tf.config. One, the processor, of which nothing can be set."""

from kiln.compat.v1.config import experimental
from kiln.compat.v1.config.experimental import (
    get_visible_devices, list_logical_devices, list_physical_devices, set_visible_devices,
)  # fmt: skip

__all__ = [
    "experimental", "get_visible_devices", "list_logical_devices", "list_physical_devices",
    "set_visible_devices",
]  # fmt: skip
