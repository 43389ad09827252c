"""tf.contrib.slim.nets: networks for images."""

from kiln.compat.v1.contrib.slim.nets import (
    alexnet,
    inception,
    overfeat,
    resnet_utils,
    resnet_v1,
    resnet_v2,
    vgg,
)

__all__ = ["alexnet", "inception", "overfeat", "resnet_utils", "resnet_v1", "resnet_v2", "vgg"]
