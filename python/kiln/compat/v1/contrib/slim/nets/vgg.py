"""tf.contrib.slim.nets.vgg: VGG's networks of 11, 16 and 19 layers."""

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib import layers
from kiln.compat.v1.contrib.framework._arg_scope import arg_scope
from kiln.compat.v1.contrib.slim.nets import _ends

__all__ = ["vgg_16", "vgg_19", "vgg_a", "vgg_arg_scope", "vgg_d", "vgg_e"]


def vgg_arg_scope(weight_decay=0.0005):
    """The arguments of the layers. Source: tf.contrib.slim.nets.vgg.vgg_arg_scope."""
    return _ends.convolutional(weight_decay, tf.zeros_initializer())


def _network(name, repetitions, collect, own_name_scope):
    """A network of five groups of convolutions. collect: the layers whose outputs are end points."""

    def network(
        inputs,
        num_classes=1000,
        is_training=True,
        dropout_keep_prob=0.5,
        spatial_squeeze=True,
        scope=name,
    ):
        given = dict(locals())
        with tf.variable_scope(scope, name, [inputs]) as sc:
            collection = (sc.original_name_scope if own_name_scope else sc.name) + "_end_points"
            with arg_scope(collect, outputs_collections=collection):
                net = inputs
                for i, times in enumerate(repetitions, 1):
                    depth = min(64 * 2 ** (i - 1), 512)
                    net = layers.repeat(net, times, layers.conv2d, depth, [3, 3], scope=f"conv{i}")
                    net = layers.max_pool2d(net, [2, 2], scope=f"pool{i}")
                net = _ends.classified(net, given, 7)
                return _ends.ended(net, collection, sc, spatial_squeeze)

    network.__name__ = network.__qualname__ = name
    network.__doc__ = f"""The logits and a dict of end points of images, 224 pixels square.

    is_training: whether there is dropout. spatial_squeeze: whether the logits are
    [batch, num_classes]. Source: tf.contrib.slim.nets.vgg.{name}.
    """
    network.default_image_size = 224
    return network


_EVERY = [layers.conv2d, layers.fully_connected, layers.max_pool2d]

vgg_a = _network("vgg_a", (1, 1, 2, 2, 2), [layers.conv2d, layers.max_pool2d], True)
vgg_16 = vgg_d = _network("vgg_16", (2, 2, 3, 3, 3), _EVERY, True)
vgg_19 = vgg_e = _network("vgg_19", (2, 2, 4, 4, 4), _EVERY, False)
