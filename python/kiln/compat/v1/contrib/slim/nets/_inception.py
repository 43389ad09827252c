"""Inception networks from tables.

A line of a table is an end point: a layer, or "Mixed_..." with branches of layers behind "=", which
are separated by "|". A layer is written

    Conv2d_0a_3x3:64             a convolution of 64 channels in this variable scope
    Conv2d_1a_1x1:384:3x3/2!     whose window is 3x3 whatever the name says, with stride 2, padding
                                 "VALID"
    Conv2d_0a_1x1:64~0.09        whose first weights have a deviation of 0.09
    Conv2d_2b_3x3:64%            with padding "SAME"
    MaxPool_0a_3x3, AvgPool_...  pooling
    Conv2d_0b_1x3:384+Conv2d_0c_3x1:384
                                 two layers side by side, whose channels are joined
"""

import re

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib import layers
from kiln.compat.v1.contrib.framework._arg_scope import arg_scope

_LAYER = re.compile(
    r"(?P<name>\w+)(:(?P<depth>\d+))?(:(?P<window>\d+x\d+))?(/(?P<stride>\d))?"
    r"(?P<padding>[!%])?(~(?P<deviation>[\d.]+))?$"
)


def truncated_normal(deviation):
    return tf.truncated_normal_initializer(0.0, deviation)


def _layer(net, text, depth_of):
    """One layer of a table, or several side by side."""
    if "+" in text:
        return tf.concat([_layer(net, part, depth_of) for part in text.split("+")], 3)
    found = _LAYER.match(text)
    name = found["name"]
    window = [int(n) for n in (found["window"] or name.rpartition("_")[2]).split("x")]
    options = {"scope": name}
    if found["stride"]:
        options["stride"] = int(found["stride"])
    if found["padding"]:
        options["padding"] = "VALID" if found["padding"] == "!" else "SAME"
    if name.startswith("MaxPool"):
        return layers.max_pool2d(net, window, **options)
    if name.startswith("AvgPool"):
        return layers.avg_pool2d(net, window, **options)
    if found["deviation"]:
        options["weights_initializer"] = truncated_normal(float(found["deviation"]))
    return layers.conv2d(net, depth_of(int(found["depth"])), window, **options)


def _mixed(net, branches, depth_of):
    """Branches of layers, whose channels are joined."""
    ends = []
    for i, branch in enumerate(branches.split("|")):
        with tf.variable_scope(f"Branch_{i}"):
            end = net
            for text in branch.split():
                end = _layer(end, text, depth_of)
            ends.append(end)
    return tf.concat(ends, 3)


def add(net, table, end_points, final_endpoint, depth_of):
    """The output of a table's layers up to final_endpoint, and whether that was among them."""
    for line in table.strip().replace("\n    ", " ").splitlines():
        head, mixed, branches = line.partition("=")
        name = re.match(r"\w+", head)[0]
        if mixed:
            with tf.variable_scope(name):
                net = _mixed(net, branches, depth_of)
        else:
            net = _layer(net, head.strip(), depth_of)
        end_points[name] = net
        if name == final_endpoint:
            return net, True
    return net, False


def depth_function(depth_multiplier, min_depth):
    """How many channels a layer of a table has. Errors: ValueError."""
    if depth_multiplier <= 0:
        raise ValueError("depth_multiplier is not greater than zero.")
    return lambda depth: max(int(depth * depth_multiplier), min_depth)


def window_within(net, window):
    """A window, not larger than the image where its extents are known."""
    extents = net.get_shape().as_list()[1:3]
    return window if None in extents else [min(pair) for pair in zip(extents, window)]


def logits_of(net, name, given):
    """The last convolution."""
    logits = layers.conv2d(
        net, given["num_classes"], [1, 1], activation_fn=None, normalizer_fn=None, scope=name
    )
    if given["spatial_squeeze"]:
        logits = tf.squeeze(logits, [1, 2], name="SpatialSqueeze")
    return logits


def with_predictions(logits, end_points, prediction_fn):
    """The logits and the end points, those of both among them."""
    end_points["Logits"] = logits
    end_points["Predictions"] = prediction_fn(logits, scope="Predictions")
    return logits, end_points


def scope_of(weight_decay, normalizer_fn, normalization, collection):
    """The arguments of the layers. collection: where the moving moments are."""
    if normalizer_fn is not None:
        moving = {name: [collection] for name in ("moving_mean", "moving_variance")}
        keys = {"beta": None, "gamma": None, **moving}
        normalization = {"epsilon": 0.001, **normalization, "variables_collections": keys}
    with arg_scope(
        [layers.conv2d, layers.fully_connected],
        weights_regularizer=layers.l2_regularizer(weight_decay),
    ):
        with arg_scope(
            [layers.conv2d],
            weights_initializer=layers.variance_scaling_initializer(),
            activation_fn=tf.nn.relu,
            normalizer_fn=normalizer_fn,
            normalizer_params=normalization,
        ) as scope:
            return scope
