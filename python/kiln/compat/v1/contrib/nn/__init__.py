"""tf.contrib.nn: variants of tf.nn's functions."""

from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.nn._activations import (
    alpha_dropout as alpha_dropout,
    scaled_softplus as scaled_softplus,
)
from kiln.compat.v1.contrib.nn._losses import (
    deprecated_flipped_sigmoid_cross_entropy_with_logits as deprecated_flipped_sigmoid_cross_entropy_with_logits,
    deprecated_flipped_softmax_cross_entropy_with_logits as deprecated_flipped_softmax_cross_entropy_with_logits,
    deprecated_flipped_sparse_softmax_cross_entropy_with_logits as deprecated_flipped_sparse_softmax_cross_entropy_with_logits,
)

__getattr__, __dir__ = _forwarding(
    __name__, "conv1d_transpose=nn.conv1d_transpose nth_element=nn.nth_element"
)
