"""tf.contrib.slim.nets.alexnet: AlexNet in its second form."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib import layers
from kiln.compat.v1.contrib.framework._arg_scope import arg_scope
from kiln.compat.v1.contrib.slim.nets import _ends

__all__ = ["alexnet_v2", "alexnet_v2_arg_scope"]


def alexnet_v2_arg_scope(weight_decay=0.0005):
    """The arguments of the layers. Source: tf.contrib.slim.nets.alexnet.alexnet_v2_arg_scope."""
    return _ends.convolutional(weight_decay, tf.constant_initializer(0.1), padding="VALID")


def alexnet_v2(
    inputs,
    num_classes=1000,
    is_training=True,
    dropout_keep_prob=0.5,
    spatial_squeeze=True,
    scope="alexnet_v2",
):
    """The logits and a dict of end points of images, 224 pixels square.

    is_training: whether there is dropout. spatial_squeeze: whether the logits are
    [batch, num_classes]. Source: tf.contrib.slim.nets.alexnet.alexnet_v2.
    """
    given = dict(locals())
    with tf.variable_scope(scope, "alexnet_v2", [inputs]) as sc:
        collection = sc.original_name_scope + "_end_points"
        every = [layers.conv2d, layers.fully_connected, layers.max_pool2d]
        with arg_scope(every, outputs_collections=[collection]):
            net = layers.conv2d(inputs, 64, [11, 11], 4, padding="VALID", scope="conv1")
            net = layers.max_pool2d(net, [3, 3], 2, scope="pool1")
            net = layers.conv2d(net, 192, [5, 5], scope="conv2")
            net = layers.max_pool2d(net, [3, 3], 2, scope="pool2")
            net = layers.conv2d(net, 384, [3, 3], scope="conv3")
            net = layers.conv2d(net, 384, [3, 3], scope="conv4")
            net = layers.conv2d(net, 256, [3, 3], scope="conv5")
            net = layers.max_pool2d(net, [3, 3], 2, scope="pool5")
            with arg_scope(
                [layers.conv2d],
                weights_initializer=tf.truncated_normal_initializer(0.0, 0.005),
                biases_initializer=tf.constant_initializer(0.1),
            ):
                net = _ends.classified(net, given, 5, biases_initializer=tf.zeros_initializer())
            return _ends.ended(net, collection, sc, spatial_squeeze)


alexnet_v2.default_image_size = 224
