"""Both forms of a device's name in parts."""

from kiln.compat.v1._device_spec import DeviceSpec, DeviceSpecV2

DeviceSpecV1 = DeviceSpec

__all__ = ["DeviceSpec", "DeviceSpecV1", "DeviceSpecV2"]
