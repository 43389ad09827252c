"""Names of devices."""

from kiln.compat.v1._device_spec import DeviceSpec, DeviceSpecV2


def canonical_name(device):
    """The full form of a device's name or DeviceSpec; empty for None."""
    if device is None:
        return ""
    return device.to_string() if isinstance(device, DeviceSpecV2) else DeviceSpec.from_string(device).to_string()


def check_valid(spec):
    """**Errors**: ValueError where a name is not one of a device."""
    DeviceSpec.from_string(spec)


def merge_device(spec):
    """A function for tf.device() that gives the parts of spec to those nodes that lack them."""
    if not isinstance(spec, DeviceSpecV2):
        spec = DeviceSpec.from_string(spec or "")

    def merged(node_def):
        return spec.make_merged_spec(DeviceSpec.from_string(node_def.device or ""))

    return merged
