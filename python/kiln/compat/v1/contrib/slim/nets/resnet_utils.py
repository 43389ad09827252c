"""tf.contrib.slim.nets.resnet_utils: what residual networks are made of."""

import collections

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib import layers
from kiln.compat.v1.contrib.framework._arg_scope import add_arg_scope, arg_scope

__all__ = ["Block", "conv2d_same", "resnet_arg_scope", "stack_blocks_dense", "subsample"]

_WORDS = "The target output_stride cannot be reached."


class Block(collections.namedtuple("Block", ["scope", "unit_fn", "args"])):
    """Units one behind the other: args has a dict of arguments of unit_fn for each.

    Source: tf.contrib.slim.nets.resnet_utils.Block.
    """


def subsample(inputs, factor, scope=None):
    """Every factor-th pixel. Source: tf.contrib.slim.nets.resnet_utils.subsample."""
    if factor == 1:
        return inputs
    return layers.max_pool2d(inputs, [1, 1], stride=factor, scope=scope)


def conv2d_same(inputs, num_outputs, kernel_size, stride, rate=1, scope=None):
    """A convolution whose zeros at the sides do not depend on the extents.

    Source: tf.contrib.slim.nets.resnet_utils.conv2d_same.
    """
    if stride == 1:
        return layers.conv2d(
            inputs, num_outputs, kernel_size, stride=1, rate=rate, padding="SAME", scope=scope
        )
    total = kernel_size + (kernel_size - 1) * (rate - 1) - 1
    before = total // 2
    sides = [before, total - before]
    inputs = tf.pad(inputs, [[0, 0], sides, sides, [0, 0]])
    return layers.conv2d(
        inputs, num_outputs, kernel_size, stride=stride, rate=rate, padding="VALID", scope=scope
    )


@add_arg_scope
def stack_blocks_dense(net, blocks, output_stride=None, outputs_collections=None):
    """Blocks one behind the other, with dilations in place of strides beyond output_stride.

    Errors: ValueError where the strides do not come to output_stride. Source:
    tf.contrib.slim.nets.resnet_utils.stack_blocks_dense.
    """
    reached = rate = 1
    for block in blocks:
        with tf.variable_scope(block.scope, "block", [net]) as sc:
            for i, unit in enumerate(block.args, 1):
                if output_stride is not None and reached > output_stride:
                    raise ValueError(_WORDS)
                stride = unit.get("stride", 1)
                with tf.variable_scope(f"unit_{i}", values=[net]):
                    if output_stride is not None and reached == output_stride:
                        net = block.unit_fn(net, rate=rate, **{**unit, "stride": 1})
                        rate *= stride
                    else:
                        net = block.unit_fn(net, rate=1, **unit)
                        reached *= stride
            net = layers.utils.collect_named_outputs(outputs_collections, sc.name, net)
    if output_stride is not None and reached != output_stride:
        raise ValueError(_WORDS)
    return net


def resnet_arg_scope(
    weight_decay=0.0001, batch_norm_decay=0.997, batch_norm_epsilon=1e-5, batch_norm_scale=True
):
    """The arguments of the layers. Source: tf.contrib.slim.nets.resnet_utils.resnet_arg_scope."""
    normalization = {
        "decay": batch_norm_decay,
        "epsilon": batch_norm_epsilon,
        "scale": batch_norm_scale,
        "updates_collections": tf.GraphKeys.UPDATE_OPS,
    }
    with arg_scope(
        [layers.conv2d],
        weights_regularizer=layers.l2_regularizer(weight_decay),
        weights_initializer=layers.variance_scaling_initializer(),
        activation_fn=tf.nn.relu,
        normalizer_fn=layers.batch_norm,
        normalizer_params=normalization,
    ):
        with arg_scope([layers.batch_norm], **normalization):
            with arg_scope([layers.max_pool2d], padding="SAME") as scope:
                return scope


def root_block(net, output_stride):
    """The first convolution and pooling, and the stride that is left for the blocks."""
    if output_stride is not None:
        if output_stride % 4 != 0:
            raise ValueError("The output_stride needs to be a multiple of 4.")
        output_stride /= 4
    return conv2d_same(net, 64, 7, stride=2, scope="conv1"), output_stride


def ended(net, collection, num_classes, global_pool):
    """The logits, or features, and the end points."""
    if global_pool:
        net = tf.reduce_mean(net, [1, 2], name="pool5", keepdims=True)
    if num_classes is not None:
        net = layers.conv2d(
            net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="logits"
        )
    end_points = layers.utils.convert_collection_to_dict(collection)
    if num_classes is not None:
        end_points["predictions"] = layers.softmax(net, scope="predictions")
    return net, end_points


def block_of(bottleneck, scope, base_depth, num_units, stride):
    """A block whose last unit has the stride."""
    unit = {"depth": base_depth * 4, "depth_bottleneck": base_depth, "stride": 1}
    return Block(scope, bottleneck, [unit] * (num_units - 1) + [{**unit, "stride": stride}])


def network_of(version, layers_in_all, units, make_block, make_network):
    """The function for a network with a number of units in each of four blocks."""
    name = f"resnet_{version}_{layers_in_all}"

    def network(
        inputs,
        num_classes=None,
        is_training=True,
        global_pool=True,
        output_stride=None,
        reuse=None,
        scope=name,
    ):
        blocks = [
            make_block(f"block{i + 1}", base_depth=64 * 2**i, num_units=n, stride=2 if i < 3 else 1)
            for i, n in enumerate(units)
        ]
        return make_network(
            inputs, blocks, num_classes, is_training, global_pool, output_stride,
            include_root_block=True, reuse=reuse, scope=scope,
        )  # fmt: skip

    network.__name__ = network.__qualname__ = name
    network.__doc__ = f"""The network of {layers_in_all} layers; the arguments are those of resnet_{version}().

    Source: tf.contrib.slim.nets.resnet_{version}.{name}.
    """
    return network
