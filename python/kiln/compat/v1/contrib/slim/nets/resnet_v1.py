"""tf.contrib.slim.nets.resnet_v1: residual networks."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib import layers
from kiln.compat.v1.contrib.framework._arg_scope import add_arg_scope, arg_scope
from kiln.compat.v1.contrib.slim.nets import resnet_utils
from kiln.compat.v1.contrib.slim.nets.resnet_utils import resnet_arg_scope

__all__ = [
    "bottleneck",
    "resnet_arg_scope",
    "resnet_v1",
    "resnet_v1_101",
    "resnet_v1_152",
    "resnet_v1_200",
    "resnet_v1_50",
    "resnet_v1_block",
]


@add_arg_scope
def bottleneck(
    inputs, depth, depth_bottleneck, stride, rate=1, outputs_collections=None, scope=None
):
    """A residual unit of three convolutions. Source: tf.contrib.slim.nets.resnet_v1.bottleneck."""
    with tf.variable_scope(scope, "bottleneck_v1", [inputs]) as sc:
        if depth == layers.utils.last_dimension(inputs.get_shape(), min_rank=4):
            shortcut = resnet_utils.subsample(inputs, stride, "shortcut")
        else:
            shortcut = layers.conv2d(
                inputs, depth, [1, 1], stride=stride, activation_fn=None, scope="shortcut"
            )
        residual = layers.conv2d(inputs, depth_bottleneck, [1, 1], stride=1, scope="conv1")
        residual = resnet_utils.conv2d_same(
            residual, depth_bottleneck, 3, stride, rate=rate, scope="conv2"
        )
        residual = layers.conv2d(
            residual, depth, [1, 1], stride=1, activation_fn=None, scope="conv3"
        )
        output = tf.nn.relu(shortcut + residual)
        return layers.utils.collect_named_outputs(outputs_collections, sc.name, output)


def resnet_v1(
    inputs,
    blocks,
    num_classes=None,
    is_training=True,
    global_pool=True,
    output_stride=None,
    include_root_block=True,
    reuse=None,
    scope=None,
):
    """The logits, or features where num_classes is None, and a dict of end points.

    global_pool: whether features are their mean over the image. output_stride: by what the
    image is smaller at the end; more is done with dilations. include_root_block: whether the
    first convolution and pooling are there.

    Errors: ValueError. Source: tf.contrib.slim.nets.resnet_v1.resnet_v1.
    """
    with tf.variable_scope(scope, "resnet_v1", [inputs], reuse=reuse) as sc:
        collection = sc.original_name_scope + "_end_points"
        collected = [layers.conv2d, bottleneck, resnet_utils.stack_blocks_dense]
        with arg_scope(collected, outputs_collections=collection):
            with arg_scope([layers.batch_norm], is_training=is_training):
                net = inputs
                if include_root_block:
                    net, output_stride = resnet_utils.root_block(net, output_stride)
                    net = layers.max_pool2d(net, [3, 3], stride=2, scope="pool1")
                net = resnet_utils.stack_blocks_dense(net, blocks, output_stride)
                return resnet_utils.ended(net, collection, num_classes, global_pool)


resnet_v1.default_image_size = 224


def resnet_v1_block(scope, base_depth, num_units, stride):
    """A block whose last unit has the stride. Source: tf.contrib.slim.nets.resnet_v1.resnet_v1_block."""
    return resnet_utils.block_of(bottleneck, scope, base_depth, num_units, stride)


def _network(layers_in_all, *units):
    return resnet_utils.network_of("v1", layers_in_all, units, resnet_v1_block, resnet_v1)


resnet_v1_50 = _network(50, 3, 4, 6, 3)
resnet_v1_101 = _network(101, 3, 4, 23, 3)
resnet_v1_152 = _network(152, 3, 8, 36, 3)
resnet_v1_200 = _network(200, 3, 24, 36, 3)
