"""tf.contrib.slim.nets.inception: the third Inception network."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib import layers
from kiln.compat.v1.contrib.framework._arg_scope import arg_scope
from kiln.compat.v1.contrib.slim.nets import _inception

__all__ = ["inception_v3", "inception_v3_arg_scope", "inception_v3_base"]

_VALID = """
Conv2d_1a_3x3:32/2
Conv2d_2a_3x3:32
Conv2d_2b_3x3:64%
MaxPool_3a_3x3/2
Conv2d_3b_1x1:80
Conv2d_4a_3x3:192
MaxPool_5a_3x3/2
"""
_SAME = """
Mixed_5b = Conv2d_0a_1x1:64 | Conv2d_0a_1x1:48 Conv2d_0b_5x5:64
    | Conv2d_0a_1x1:64 Conv2d_0b_3x3:96 Conv2d_0c_3x3:96 | AvgPool_0a_3x3 Conv2d_0b_1x1:32
Mixed_5c = Conv2d_0a_1x1:64 | Conv2d_0b_1x1:48 Conv_1_0c_5x5:64
    | Conv2d_0a_1x1:64 Conv2d_0b_3x3:96 Conv2d_0c_3x3:96 | AvgPool_0a_3x3 Conv2d_0b_1x1:64
Mixed_5d = Conv2d_0a_1x1:64 | Conv2d_0a_1x1:48 Conv2d_0b_5x5:64
    | Conv2d_0a_1x1:64 Conv2d_0b_3x3:96 Conv2d_0c_3x3:96 | AvgPool_0a_3x3 Conv2d_0b_1x1:64
Mixed_6a = Conv2d_1a_1x1:384:3x3/2!
    | Conv2d_0a_1x1:64 Conv2d_0b_3x3:96 Conv2d_1a_1x1:96:3x3/2! | MaxPool_1a_3x3/2!
Mixed_6b = Conv2d_0a_1x1:192 | Conv2d_0a_1x1:128 Conv2d_0b_1x7:128 Conv2d_0c_7x1:192
    | Conv2d_0a_1x1:128 Conv2d_0b_7x1:128 Conv2d_0c_1x7:128 Conv2d_0d_7x1:128 Conv2d_0e_1x7:192
    | AvgPool_0a_3x3 Conv2d_0b_1x1:192
Mixed_6c = Conv2d_0a_1x1:192 | Conv2d_0a_1x1:160 Conv2d_0b_1x7:160 Conv2d_0c_7x1:192
    | Conv2d_0a_1x1:160 Conv2d_0b_7x1:160 Conv2d_0c_1x7:160 Conv2d_0d_7x1:160 Conv2d_0e_1x7:192
    | AvgPool_0a_3x3 Conv2d_0b_1x1:192
Mixed_6d = Conv2d_0a_1x1:192 | Conv2d_0a_1x1:160 Conv2d_0b_1x7:160 Conv2d_0c_7x1:192
    | Conv2d_0a_1x1:160 Conv2d_0b_7x1:160 Conv2d_0c_1x7:160 Conv2d_0d_7x1:160 Conv2d_0e_1x7:192
    | AvgPool_0a_3x3 Conv2d_0b_1x1:192
Mixed_6e = Conv2d_0a_1x1:192 | Conv2d_0a_1x1:192 Conv2d_0b_1x7:192 Conv2d_0c_7x1:192
    | Conv2d_0a_1x1:192 Conv2d_0b_7x1:192 Conv2d_0c_1x7:192 Conv2d_0d_7x1:192 Conv2d_0e_1x7:192
    | AvgPool_0a_3x3 Conv2d_0b_1x1:192
Mixed_7a = Conv2d_0a_1x1:192 Conv2d_1a_3x3:320/2!
    | Conv2d_0a_1x1:192 Conv2d_0b_1x7:192 Conv2d_0c_7x1:192 Conv2d_1a_3x3:192/2!
    | MaxPool_1a_3x3/2!
Mixed_7b = Conv2d_0a_1x1:320 | Conv2d_0a_1x1:384 Conv2d_0b_1x3:384+Conv2d_0b_3x1:384
    | Conv2d_0a_1x1:448 Conv2d_0b_3x3:384 Conv2d_0c_1x3:384+Conv2d_0d_3x1:384
    | AvgPool_0a_3x3 Conv2d_0b_1x1:192
Mixed_7c = Conv2d_0a_1x1:320 | Conv2d_0a_1x1:384 Conv2d_0b_1x3:384+Conv2d_0c_3x1:384
    | Conv2d_0a_1x1:448 Conv2d_0b_3x3:384 Conv2d_0c_1x3:384+Conv2d_0d_3x1:384
    | AvgPool_0a_3x3 Conv2d_0b_1x1:192
"""
_LAYERS = [layers.conv2d, layers.max_pool2d, layers.avg_pool2d]


def inception_v3_base(
    inputs, final_endpoint="Mixed_7c", min_depth=16, depth_multiplier=1.0, scope=None
):
    """The features at an end point, and a dict of the end points up to it.

    depth_multiplier: by which the numbers of channels are multiplied; min_depth: what they are
    at least. Errors: ValueError. Source: tf.contrib.slim.nets.inception.inception_v3_base.
    """
    net, end_points = inputs, {}
    depth_of = _inception.depth_function(depth_multiplier, min_depth)
    with tf.variable_scope(scope, "InceptionV3", [inputs]):
        for table, padding in ((_VALID, "VALID"), (_SAME, "SAME")):
            with arg_scope(_LAYERS, stride=1, padding=padding):
                net, found = _inception.add(net, table, end_points, final_endpoint, depth_of)
                if found:
                    return net, end_points
        raise ValueError(f"Unknown final endpoint {final_endpoint}")


def _auxiliary(net, depth_of, given):
    """The logits of the middle of the network."""
    with arg_scope(_LAYERS, stride=1, padding="SAME"), tf.variable_scope("AuxLogits"):
        net = layers.avg_pool2d(net, [5, 5], stride=3, padding="VALID", scope="AvgPool_1a_5x5")
        net = layers.conv2d(net, depth_of(128), [1, 1], scope="Conv2d_1b_1x1")
        window = _inception.window_within(net, [5, 5])
        net = layers.conv2d(
            net,
            depth_of(768),
            window,
            weights_initializer=_inception.truncated_normal(0.01),
            padding="VALID",
            scope="Conv2d_2a_{}x{}".format(*window),
        )
        weights = _inception.truncated_normal(0.001)
        with arg_scope([layers.conv2d], weights_initializer=weights):
            return _inception.logits_of(net, "Conv2d_2b_1x1", given)


def inception_v3(
    inputs,
    num_classes=1000,
    is_training=True,
    dropout_keep_prob=0.8,
    min_depth=16,
    depth_multiplier=1.0,
    prediction_fn=layers.softmax,
    spatial_squeeze=True,
    reuse=None,
    scope="InceptionV3",
):
    """The logits and a dict of end points of images, 299 pixels square.

    The end point AuxLogits has those of the middle of the network. depth_multiplier, min_depth:
    as inception_v3_base() has them. Errors: ValueError. Source:
    tf.contrib.slim.nets.inception.inception_v3.
    """
    given = dict(locals())
    depth_of = _inception.depth_function(depth_multiplier, min_depth)
    with tf.variable_scope(scope, "InceptionV3", [inputs, num_classes], reuse=reuse) as scope:
        with arg_scope([layers.batch_norm, layers.dropout], is_training=is_training):
            net, end_points = inception_v3_base(
                inputs, scope=scope, min_depth=min_depth, depth_multiplier=depth_multiplier
            )
            end_points["AuxLogits"] = _auxiliary(end_points["Mixed_6e"], depth_of, given)
            with tf.variable_scope("Logits"):
                window = _inception.window_within(net, [8, 8])
                name = "AvgPool_1a_{}x{}".format(*window)
                net = layers.avg_pool2d(net, window, padding="VALID", scope=name)
                net = layers.dropout(net, keep_prob=dropout_keep_prob, scope="Dropout_1b")
                end_points["PreLogits"] = net
                logits = _inception.logits_of(net, "Conv2d_1c_1x1", given)
            return _inception.with_predictions(logits, end_points, prediction_fn)


inception_v3.default_image_size = 299


def inception_v3_arg_scope(
    weight_decay=0.00004,
    batch_norm_var_collection="moving_vars",
    batch_norm_decay=0.9997,
    batch_norm_epsilon=0.001,
    updates_collections=tf.GraphKeys.UPDATE_OPS,
    use_fused_batchnorm=True,
):
    """The arguments of the layers. Source: tf.contrib.slim.nets.inception.inception_v3_arg_scope."""
    normalization = {
        "decay": batch_norm_decay,
        "epsilon": batch_norm_epsilon,
        "updates_collections": updates_collections,
        "fused": use_fused_batchnorm,
    }
    return _inception.scope_of(
        weight_decay, layers.batch_norm, normalization, batch_norm_var_collection
    )
