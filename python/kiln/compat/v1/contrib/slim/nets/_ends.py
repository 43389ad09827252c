"""What several networks share."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib import layers
from kiln.compat.v1.contrib.framework._arg_scope import arg_scope


def convolutional(weight_decay, biases_initializer, **pooling):
    """The scope of VGG, AlexNet and OverFeat. pooling: the arguments of max_pool2d."""
    with arg_scope(
        [layers.conv2d, layers.fully_connected],
        activation_fn=tf.nn.relu,
        biases_initializer=biases_initializer,
        weights_regularizer=layers.l2_regularizer(weight_decay),
    ):
        with arg_scope([layers.conv2d], padding="SAME") as scope:
            if not pooling:
                return scope
            with arg_scope([layers.max_pool2d], **pooling) as scope:
                return scope


def classified(net, given, window, depth=4096, **last):
    """The layers fc6 to fc8, as convolutions. last: more arguments of fc8."""
    options = {"is_training": given["is_training"]}
    keep_prob = given["dropout_keep_prob"]
    net = layers.conv2d(net, depth, [window, window], padding="VALID", scope="fc6")
    net = layers.dropout(net, keep_prob, scope="dropout6", **options)
    net = layers.conv2d(net, 4096, [1, 1], scope="fc7")
    net = layers.dropout(net, keep_prob, scope="dropout7", **options)
    return layers.conv2d(
        net, given["num_classes"], [1, 1], activation_fn=None, normalizer_fn=None, scope="fc8", **last
    )


def ended(net, collection, scope, spatial_squeeze):
    """The logits and the end points of a network with a layer fc8."""
    end_points = layers.utils.convert_collection_to_dict(collection)
    if spatial_squeeze:
        net = tf.squeeze(net, [1, 2], name="fc8/squeezed")
        end_points[f"{scope.name}/fc8"] = net
    return net, end_points
