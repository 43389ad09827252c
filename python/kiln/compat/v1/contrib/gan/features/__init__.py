"""tf.contrib.gan.features: parts of generators and discriminators."""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.gan.features._conditions import (
    condition_tensor as condition_tensor,
    condition_tensor_from_onehot as condition_tensor_from_onehot,
)
from kiln.compat.v1.contrib.gan.features._training import (
    clip_discriminator_weights as clip_discriminator_weights,
    clip_variables as clip_variables,
    tensor_pool as tensor_pool,
)

__getattr__, __dir__ = _forwarding(__name__, "")
