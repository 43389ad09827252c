"""Cases of tf.contrib.slim.nets. (The graphs are compared, no values.)"""


def _images(tf, size, batch=1):
    return tf.placeholder(tf.float32, [batch, size, size, 3], name="images")


def vgg_a(tf, contrib):
    vgg = contrib.slim.nets.vgg
    with contrib.slim.arg_scope(vgg.vgg_arg_scope()):
        net, end_points = vgg.vgg_a(_images(tf, 224), 10)
    tf.constant(sorted(end_points))


def vgg_16(tf, contrib):
    vgg = contrib.slim.nets.vgg
    with contrib.slim.arg_scope(vgg.vgg_arg_scope(0.001)):
        with tf.variable_scope("outer"):
            _, end_points = vgg.vgg_16(_images(tf, 224), spatial_squeeze=False)
    tf.constant(sorted(end_points))


def vgg_19(tf, contrib):
    vgg = contrib.slim.nets.vgg
    _, end_points = vgg.vgg_19(_images(tf, 224), 100, is_training=False, scope="mine")
    tf.constant(list(end_points))


def alexnet(tf, contrib):
    alexnet = contrib.slim.nets.alexnet
    with contrib.slim.arg_scope(alexnet.alexnet_v2_arg_scope()):
        _, end_points = alexnet.alexnet_v2(_images(tf, 224))
    tf.constant(list(end_points))


def overfeat(tf, contrib):
    overfeat = contrib.slim.nets.overfeat
    with contrib.slim.arg_scope(overfeat.overfeat_arg_scope()):
        _, end_points = overfeat.overfeat(_images(tf, 231), dropout_keep_prob=0.8)
    tf.constant(list(end_points))


def resnet_v1_50(tf, contrib):
    resnet = contrib.slim.nets.resnet_v1
    with contrib.slim.arg_scope(resnet.resnet_arg_scope()):
        _, end_points = resnet.resnet_v1_50(_images(tf, 64), 10)
    tf.constant(list(end_points))


def resnet_v2_101_with_dilations(tf, contrib):
    resnet = contrib.slim.nets.resnet_v2
    with contrib.slim.arg_scope(resnet.resnet_arg_scope(weight_decay=0.001, batch_norm_scale=False)):
        _, end_points = resnet.resnet_v2_101(
            _images(tf, 65), is_training=False, global_pool=False, output_stride=16
        )
    tf.constant(list(end_points))


def resnet_of_own_blocks(tf, contrib):
    nets = contrib.slim.nets
    resnet = nets.resnet_v2
    blocks = [
        resnet.resnet_v2_block("block1", base_depth=1, num_units=3, stride=2),
        nets.resnet_utils.Block("block2", resnet.bottleneck, [{"depth": 8, "depth_bottleneck": 2, "stride": 1}]),
    ]
    with contrib.slim.arg_scope(resnet.resnet_arg_scope()):
        _, end_points = resnet.resnet_v2(_images(tf, 32, None), blocks, 3, include_root_block=False)
    tf.constant(list(end_points))


def resnet_of_unreached_stride(tf, contrib):
    resnet = contrib.slim.nets.resnet_v1
    return resnet.resnet_v1_50(_images(tf, 64), output_stride=64 * 4)


def resnet_of_odd_stride(tf, contrib):
    return contrib.slim.nets.resnet_v1.resnet_v1_50(_images(tf, 64), output_stride=6)


def inception_v1(tf, contrib):
    inception = contrib.slim.nets.inception
    with contrib.slim.arg_scope(inception.inception_v1_arg_scope()):
        _, end_points = inception.inception_v1(_images(tf, 224), 10)
    tf.constant(list(end_points))


def inception_v1_without_normalization(tf, contrib):
    inception = contrib.slim.nets.inception
    with contrib.slim.arg_scope(inception.inception_v1_arg_scope(use_batch_norm=False)):
        _, end_points = inception.inception_v1_base(_images(tf, 224), "Mixed_4c")
    tf.constant(list(end_points))


def inception_v2(tf, contrib):
    inception = contrib.slim.nets.inception
    with contrib.slim.arg_scope(inception.inception_v2_arg_scope()):
        _, end_points = inception.inception_v2(_images(tf, 224), 10, depth_multiplier=0.5)
    tf.constant(list(end_points))


def inception_v2_first_layer(tf, contrib):
    inception = contrib.slim.nets.inception
    inception.inception_v2_base(_images(tf, 224), "Conv2d_1a_7x7", scope="mine")


def inception_v3(tf, contrib):
    inception = contrib.slim.nets.inception
    with contrib.slim.arg_scope(inception.inception_v3_arg_scope()):
        _, end_points = inception.inception_v3(_images(tf, 299), 10)
    tf.constant(list(end_points))


def inception_v3_small(tf, contrib):
    inception = contrib.slim.nets.inception
    with contrib.slim.arg_scope(inception.inception_v3_arg_scope(updates_collections=None)):
        _, end_points = inception.inception_v3(
            _images(tf, 150), 10, is_training=False, depth_multiplier=0.25, spatial_squeeze=False
        )
    tf.constant(list(end_points))


def inception_v3_unknown_end(tf, contrib):
    return contrib.slim.nets.inception.inception_v3_base(_images(tf, 299), "Mixed_8a")


def inception_without_depth(tf, contrib):
    return contrib.slim.nets.inception.inception_v3(_images(tf, 299), depth_multiplier=0.0)
