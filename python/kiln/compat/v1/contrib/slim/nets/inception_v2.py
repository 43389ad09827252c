"""tf.contrib.slim.nets.inception: the second Inception network."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib import layers
from kiln.compat.v1.contrib.framework._arg_scope import arg_scope
from kiln.compat.v1.contrib.slim.nets import _inception

__all__ = ["inception_v2", "inception_v2_arg_scope", "inception_v2_base"]

_FIRST = "Conv2d_1a_7x7"
_TABLE = """
MaxPool_2a_3x3/2
Conv2d_2b_1x1:64~0.1
Conv2d_2c_3x3:192
MaxPool_3a_3x3/2
Mixed_3b = Conv2d_0a_1x1:64 | Conv2d_0a_1x1:64~0.09 Conv2d_0b_3x3:64
    | Conv2d_0a_1x1:64~0.09 Conv2d_0b_3x3:96 Conv2d_0c_3x3:96 | AvgPool_0a_3x3 Conv2d_0b_1x1:32~0.1
Mixed_3c = Conv2d_0a_1x1:64 | Conv2d_0a_1x1:64~0.09 Conv2d_0b_3x3:96
    | Conv2d_0a_1x1:64~0.09 Conv2d_0b_3x3:96 Conv2d_0c_3x3:96 | AvgPool_0a_3x3 Conv2d_0b_1x1:64~0.1
Mixed_4a = Conv2d_0a_1x1:128~0.09 Conv2d_1a_3x3:160/2
    | Conv2d_0a_1x1:64~0.09 Conv2d_0b_3x3:96 Conv2d_1a_3x3:96/2 | MaxPool_1a_3x3/2
Mixed_4b = Conv2d_0a_1x1:224 | Conv2d_0a_1x1:64~0.09 Conv2d_0b_3x3:96
    | Conv2d_0a_1x1:96~0.09 Conv2d_0b_3x3:128 Conv2d_0c_3x3:128
    | AvgPool_0a_3x3 Conv2d_0b_1x1:128~0.1
Mixed_4c = Conv2d_0a_1x1:192 | Conv2d_0a_1x1:96~0.09 Conv2d_0b_3x3:128
    | Conv2d_0a_1x1:96~0.09 Conv2d_0b_3x3:128 Conv2d_0c_3x3:128
    | AvgPool_0a_3x3 Conv2d_0b_1x1:128~0.1
Mixed_4d = Conv2d_0a_1x1:160 | Conv2d_0a_1x1:128~0.09 Conv2d_0b_3x3:160
    | Conv2d_0a_1x1:128~0.09 Conv2d_0b_3x3:160 Conv2d_0c_3x3:160
    | AvgPool_0a_3x3 Conv2d_0b_1x1:96~0.1
Mixed_4e = Conv2d_0a_1x1:96 | Conv2d_0a_1x1:128~0.09 Conv2d_0b_3x3:192
    | Conv2d_0a_1x1:160~0.09 Conv2d_0b_3x3:192 Conv2d_0c_3x3:192
    | AvgPool_0a_3x3 Conv2d_0b_1x1:96~0.1
Mixed_5a = Conv2d_0a_1x1:128~0.09 Conv2d_1a_3x3:192/2
    | Conv2d_0a_1x1:192~0.09 Conv2d_0b_3x3:256 Conv2d_1a_3x3:256/2 | MaxPool_1a_3x3/2
Mixed_5b = Conv2d_0a_1x1:352 | Conv2d_0a_1x1:192~0.09 Conv2d_0b_3x3:320
    | Conv2d_0a_1x1:160~0.09 Conv2d_0b_3x3:224 Conv2d_0c_3x3:224
    | AvgPool_0a_3x3 Conv2d_0b_1x1:128~0.1
Mixed_5c = Conv2d_0a_1x1:352 | Conv2d_0a_1x1:192~0.09 Conv2d_0b_3x3:320
    | Conv2d_0a_1x1:192~0.09 Conv2d_0b_3x3:224 Conv2d_0c_3x3:224
    | MaxPool_0a_3x3 Conv2d_0b_1x1:128~0.1
"""


def inception_v2_base(
    inputs, final_endpoint="Mixed_5c", min_depth=16, depth_multiplier=1.0, scope=None
):
    """The features at an end point, and a dict of the end points up to it.

    depth_multiplier: by which the numbers of channels are multiplied; min_depth: what they are
    at least. Errors: ValueError. Source: tf.contrib.slim.nets.inception.inception_v2_base.
    """
    end_points = {}
    depth_of = _inception.depth_function(depth_multiplier, min_depth)
    same = [layers.conv2d, layers.max_pool2d, layers.avg_pool2d, layers.separable_conv2d]
    with tf.variable_scope(scope, "InceptionV2", [inputs]):
        with arg_scope(same, stride=1, padding="SAME"):
            net = end_points[_FIRST] = layers.separable_conv2d(
                inputs,
                depth_of(64),
                [7, 7],
                depth_multiplier=min(depth_of(64) // 3, 8),
                stride=2,
                weights_initializer=_inception.truncated_normal(1.0),
                scope=_FIRST,
            )
            if final_endpoint == _FIRST:
                return net, end_points
            net, found = _inception.add(net, _TABLE, end_points, final_endpoint, depth_of)
            if found:
                return net, end_points
        raise ValueError(f"Unknown final endpoint {final_endpoint}")


def inception_v2(
    inputs,
    num_classes=1000,
    is_training=True,
    dropout_keep_prob=0.8,
    min_depth=16,
    depth_multiplier=1.0,
    prediction_fn=layers.softmax,
    spatial_squeeze=True,
    reuse=None,
    scope="InceptionV2",
):
    """The logits and a dict of end points of images, 224 pixels square.

    depth_multiplier, min_depth: as inception_v2_base() has them. Errors: ValueError. Source:
    tf.contrib.slim.nets.inception.inception_v2.
    """
    given = dict(locals())
    _inception.depth_function(depth_multiplier, min_depth)
    with tf.variable_scope(scope, "InceptionV2", [inputs, num_classes], reuse=reuse) as scope:
        with arg_scope([layers.batch_norm, layers.dropout], is_training=is_training):
            net, end_points = inception_v2_base(
                inputs, scope=scope, min_depth=min_depth, depth_multiplier=depth_multiplier
            )
            with tf.variable_scope("Logits"):
                window = _inception.window_within(net, [7, 7])
                name = "AvgPool_1a_{}x{}".format(*window)
                net = layers.avg_pool2d(net, window, padding="VALID", scope=name)
                net = layers.dropout(net, keep_prob=dropout_keep_prob, scope="Dropout_1b")
                logits = _inception.logits_of(net, "Conv2d_1c_1x1", given)
            return _inception.with_predictions(logits, end_points, prediction_fn)


inception_v2.default_image_size = 224


def inception_v2_arg_scope(weight_decay=0.00004, batch_norm_var_collection="moving_vars"):
    """The arguments of the layers. Source: tf.contrib.slim.nets.inception.inception_v2_arg_scope."""
    normalization = {"decay": 0.9997, "updates_collections": tf.GraphKeys.UPDATE_OPS}
    return _inception.scope_of(
        weight_decay, layers.batch_norm, normalization, batch_norm_var_collection
    )
