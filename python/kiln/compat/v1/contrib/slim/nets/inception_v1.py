"""tf.contrib.slim.nets.inception: GoogLeNet, the first Inception network."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib import layers
from kiln.compat.v1.contrib.framework._arg_scope import arg_scope
from kiln.compat.v1.contrib.slim.nets import _inception

__all__ = ["inception_v1", "inception_v1_arg_scope", "inception_v1_base"]

_TABLE = """
Conv2d_1a_7x7:64/2
MaxPool_2a_3x3/2
Conv2d_2b_1x1:64
Conv2d_2c_3x3:192
MaxPool_3a_3x3/2
Mixed_3b = Conv2d_0a_1x1:64 | Conv2d_0a_1x1:96 Conv2d_0b_3x3:128
    | Conv2d_0a_1x1:16 Conv2d_0b_3x3:32 | MaxPool_0a_3x3 Conv2d_0b_1x1:32
Mixed_3c = Conv2d_0a_1x1:128 | Conv2d_0a_1x1:128 Conv2d_0b_3x3:192
    | Conv2d_0a_1x1:32 Conv2d_0b_3x3:96 | MaxPool_0a_3x3 Conv2d_0b_1x1:64
MaxPool_4a_3x3/2
Mixed_4b = Conv2d_0a_1x1:192 | Conv2d_0a_1x1:96 Conv2d_0b_3x3:208
    | Conv2d_0a_1x1:16 Conv2d_0b_3x3:48 | MaxPool_0a_3x3 Conv2d_0b_1x1:64
Mixed_4c = Conv2d_0a_1x1:160 | Conv2d_0a_1x1:112 Conv2d_0b_3x3:224
    | Conv2d_0a_1x1:24 Conv2d_0b_3x3:64 | MaxPool_0a_3x3 Conv2d_0b_1x1:64
Mixed_4d = Conv2d_0a_1x1:128 | Conv2d_0a_1x1:128 Conv2d_0b_3x3:256
    | Conv2d_0a_1x1:24 Conv2d_0b_3x3:64 | MaxPool_0a_3x3 Conv2d_0b_1x1:64
Mixed_4e = Conv2d_0a_1x1:112 | Conv2d_0a_1x1:144 Conv2d_0b_3x3:288
    | Conv2d_0a_1x1:32 Conv2d_0b_3x3:64 | MaxPool_0a_3x3 Conv2d_0b_1x1:64
Mixed_4f = Conv2d_0a_1x1:256 | Conv2d_0a_1x1:160 Conv2d_0b_3x3:320
    | Conv2d_0a_1x1:32 Conv2d_0b_3x3:128 | MaxPool_0a_3x3 Conv2d_0b_1x1:128
MaxPool_5a_2x2/2
Mixed_5b = Conv2d_0a_1x1:256 | Conv2d_0a_1x1:160 Conv2d_0b_3x3:320
    | Conv2d_0a_1x1:32 Conv2d_0a_3x3:128 | MaxPool_0a_3x3 Conv2d_0b_1x1:128
Mixed_5c = Conv2d_0a_1x1:384 | Conv2d_0a_1x1:192 Conv2d_0b_3x3:384
    | Conv2d_0a_1x1:48 Conv2d_0b_3x3:128 | MaxPool_0a_3x3 Conv2d_0b_1x1:128
"""


def inception_v1_base(inputs, final_endpoint="Mixed_5c", scope="InceptionV1"):
    """The features at an end point, and a dict of the end points up to it. Errors: ValueError.

    Source: tf.contrib.slim.nets.inception.inception_v1_base.
    """
    end_points = {}
    with tf.variable_scope(scope, "InceptionV1", [inputs]):
        with arg_scope(
            [layers.conv2d, layers.fully_connected],
            weights_initializer=_inception.truncated_normal(0.01),
        ):
            with arg_scope([layers.conv2d, layers.max_pool2d], stride=1, padding="SAME"):
                net, found = _inception.add(inputs, _TABLE, end_points, final_endpoint, int)
                if found:
                    return net, end_points
        raise ValueError(f"Unknown final endpoint {final_endpoint}")


def inception_v1(
    inputs,
    num_classes=1000,
    is_training=True,
    dropout_keep_prob=0.8,
    prediction_fn=layers.softmax,
    spatial_squeeze=True,
    reuse=None,
    scope="InceptionV1",
):
    """The logits and a dict of end points of images, 224 pixels square.

    spatial_squeeze: whether the logits are [batch, num_classes]. Source:
    tf.contrib.slim.nets.inception.inception_v1.
    """
    given = dict(locals())
    with tf.variable_scope(scope, "InceptionV1", [inputs, num_classes], reuse=reuse) as scope:
        with arg_scope([layers.batch_norm, layers.dropout], is_training=is_training):
            net, end_points = inception_v1_base(inputs, scope=scope)
            with tf.variable_scope("Logits"):
                net = layers.avg_pool2d(net, [7, 7], stride=1, scope="MaxPool_0a_7x7")
                net = layers.dropout(net, dropout_keep_prob, scope="Dropout_0b")
                logits = _inception.logits_of(net, "Conv2d_0c_1x1", given)
                return _inception.with_predictions(logits, end_points, prediction_fn)


inception_v1.default_image_size = 224


def inception_v1_arg_scope(
    weight_decay=0.00004, use_batch_norm=True, batch_norm_var_collection="moving_vars"
):
    """The arguments of the layers. Source: tf.contrib.slim.nets.inception.inception_v1_arg_scope."""
    normalization = {"decay": 0.9997, "updates_collections": tf.GraphKeys.UPDATE_OPS}
    return _inception.scope_of(
        weight_decay,
        layers.batch_norm if use_batch_norm else None,
        normalization if use_batch_norm else {},
        batch_norm_var_collection,
    )
