"""Pooling: the mean or the maximum of windows."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.framework._arg_scope import add_arg_scope
from kiln.compat.v1.contrib.layers import _building, utils

__all__ = ["avg_pool2d", "avg_pool3d", "max_pool2d", "max_pool3d", "pool"]


def _pooling(kind, dims, what):
    """The function for one kind of pooling ("Max", "Average") in a number of dimensions."""
    first, last = (_building.NCHW, _building.NHWC) if dims == 2 else (_building.NCDHW, _building.NDHWC)

    def layer(
        inputs,
        kernel_size,
        stride=2,
        padding="VALID",
        data_format=last,
        outputs_collections=None,
        scope=None,
    ):
        _building.check_data_format(data_format, first, last)
        with tf.name_scope(scope, f"{what.title()}Pool{dims}D", [inputs]) as sc:
            inputs = tf.convert_to_tensor(inputs)
            pooling = getattr(tf.layers, f"{kind}Pooling{dims}D")(
                pool_size=kernel_size,
                strides=stride,
                padding=padding,
                data_format=_building.channels_at(data_format),
                _scope=sc,
            )
            return utils.collect_named_outputs(outputs_collections, sc, pooling.apply(inputs))

    name = f"{what}_pool{dims}d"
    layer.__name__ = layer.__qualname__ = name
    layer.__doc__ = (
        f"The {'maximum' if what == 'max' else 'mean'} of windows of {dims} dimensions.\n\n"
        f"    kernel_size, stride: {dims} integers, or one. padding: \"VALID\" or \"SAME\".\n"
        f"    data_format: {last!r} or {first!r}. Errors: ValueError. Source:\n"
        f"    tf.contrib.layers.{name}.\n    "
    )
    return add_arg_scope(layer)


avg_pool2d, avg_pool3d = (_pooling("Average", dims, "avg") for dims in (2, 3))
max_pool2d, max_pool3d = (_pooling("Max", dims, "max") for dims in (2, 3))


@add_arg_scope
def pool(
    inputs,
    kernel_size,
    pooling_type,
    padding="VALID",
    data_format=None,
    dilation_rate=1,
    stride=1,
    outputs_collections=None,
    scope=None,
):
    """Pooling in all dimensions but those of batch and channels.

    pooling_type: "AVG" or "MAX". kernel_size, dilation_rate, stride: an integer for each of the
    dimensions, or one. Errors: ValueError. Source: tf.contrib.layers.pool.
    """
    with tf.name_scope(scope, f"{pooling_type.lower()}_pool", [inputs]) as sc:
        inputs = tf.convert_to_tensor(inputs)
        rank = inputs.get_shape().ndims
        if rank is None:
            raise ValueError("Rank of inputs must be known")
        if rank < 3:
            raise ValueError("Rank of inputs must be >= 3")
        output = tf.nn.pool(
            input=inputs,
            window_shape=utils.n_positive_integers(rank - 2, kernel_size),
            pooling_type=pooling_type,
            padding=padding,
            data_format=data_format,
            dilation_rate=utils.n_positive_integers(rank - 2, dilation_rate),
            strides=utils.n_positive_integers(rank - 2, stride),
            name=sc,
        )
        return utils.collect_named_outputs(outputs_collections, sc, output)
