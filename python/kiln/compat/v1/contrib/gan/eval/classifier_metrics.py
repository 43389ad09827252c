"""Scores of generated images, by what a trained classifier says of them.

images: [batch, height, width, channels]. classifier_fn: gives [batch, features] of a part of them;
num_batches: into how many parts they are split.
"""

import functools
import os
import sys
import tarfile
import urllib.request

from kiln.compat import v1 as tf
from kiln.compat.v1 import gfile
from kiln.compat.v1.contrib import layers

__all__ = [
    "INCEPTION_DEFAULT_IMAGE_SIZE",
    "classifier_score",
    "classifier_score_from_logits",
    "diagonal_only_frechet_classifier_distance_from_activations",
    "frechet_classifier_distance",
    "frechet_classifier_distance_from_activations",
    "frechet_inception_distance",
    "get_graph_def_from_disk",
    "get_graph_def_from_resource",
    "get_graph_def_from_url_tarball",
    "inception_score",
    "mean_only_frechet_classifier_distance_from_activations",
    "preprocess_image",
    "run_image_classifier",
    "run_inception",
]

INCEPTION_URL = (
    "https://storage.googleapis.com/download.tensorflow.org/models/"
    "frozen_inception_v1_2015_12_05.tar.gz"
)
INCEPTION_FROZEN_GRAPH = "inceptionv1_for_inception_score.pb"
INCEPTION_INPUT = "Mul:0"
INCEPTION_OUTPUT = "logits:0"
INCEPTION_FINAL_POOL = "pool_3:0"
INCEPTION_DEFAULT_IMAGE_SIZE = 299


def preprocess_image(
    images,
    height=INCEPTION_DEFAULT_IMAGE_SIZE,
    width=INCEPTION_DEFAULT_IMAGE_SIZE,
    scope=None,
):
    """Images of 0 to 255, resized and scaled to -1 to 1. Source: tf.contrib.gan.eval.preprocess_image."""
    is_single = images.shape.ndims == 3
    with tf.name_scope(scope, "preprocess", [images, height, width]):
        if not images.dtype.is_floating:
            images = tf.cast(images, tf.float32)
        if is_single:
            images = tf.expand_dims(images, axis=0)
        resized = tf.image.resize_bilinear(images, [height, width])
        resized = (resized - 128.0) / 128.0
        return tf.squeeze(resized, axis=0) if is_single else resized


def get_graph_def_from_disk(filename):
    """The GraphDef in a file. Source: tf.contrib.gan.eval.get_graph_def_from_disk."""
    with gfile.GFile(filename, "rb") as file:
        return tf.GraphDef.FromString(file.read())


def get_graph_def_from_resource(filename):
    """The GraphDef in a file beside the program. Source: tf.contrib.gan.eval.get_graph_def_from_resource."""
    return tf.GraphDef.FromString(tf.resource_loader.load_resource(filename))


def get_graph_def_from_url_tarball(url, filename, tar_filename=None):
    """The GraphDef in an archive, which is fetched if it is not at tar_filename.

    Source: tf.contrib.gan.eval.get_graph_def_from_url_tarball.
    """
    if not (tar_filename and os.path.exists(tar_filename)):

        def progress(count, block_size, total_size):
            share = count * block_size / total_size * 100.0
            sys.stdout.write(f"\r>> Downloading {url} {share:.1f}%")
            sys.stdout.flush()

        tar_filename, _ = urllib.request.urlretrieve(url, tar_filename, progress)
    with tarfile.open(tar_filename, "r:gz") as archive:
        return tf.GraphDef.FromString(archive.extractfile(filename).read())


def _default_graph_def_fn():
    return get_graph_def_from_url_tarball(
        INCEPTION_URL, INCEPTION_FROZEN_GRAPH, os.path.basename(INCEPTION_URL)
    )


def run_inception(
    images,
    graph_def=None,
    default_graph_def_fn=_default_graph_def_fn,
    image_size=INCEPTION_DEFAULT_IMAGE_SIZE,
    input_tensor=INCEPTION_INPUT,
    output_tensor=INCEPTION_OUTPUT,
):
    """What a network of 2015 says of images of -1 to 1, which is fetched if no graph_def is given.

    Errors: ValueError. Source: tf.contrib.gan.eval.run_inception.
    """
    images = tf.convert_to_tensor(images)
    images.shape.with_rank(4)
    images.shape.assert_is_compatible_with([None, image_size, image_size, None])
    if graph_def is None:
        if default_graph_def_fn is None:
            raise ValueError(
                "If `graph_def` is `None`, must provide `default_graph_def_fn`."
            )
        graph_def = default_graph_def_fn()
    outputs = run_image_classifier(images, graph_def, input_tensor, output_tensor)
    if isinstance(outputs, list):
        return [layers.flatten(each) for each in outputs]
    return layers.flatten(outputs)


def run_image_classifier(tensor, graph_def, input_tensor, output_tensor, scope="RunClassifier"):
    """Tensors of an imported graph in which a tensor stands for input_tensor: one for a name, a list
    for several. Source: tf.contrib.gan.eval.run_image_classifier.
    """
    is_single = isinstance(output_tensor, str)
    names = [output_tensor] if is_single else output_tensor
    outputs = tf.import_graph_def(graph_def, {input_tensor: tensor}, names, name=scope)
    return outputs[0] if is_single else outputs


def _activations(images, classifier_fn, num_batches):
    parts = tf.stack(tf.split(images, num_or_size_splits=num_batches))
    outputs = tf.map_fn(
        fn=classifier_fn,
        elems=parts,
        parallel_iterations=1,
        back_prop=False,
        swap_memory=True,
        name="RunClassifier",
    )
    return tf.concat(tf.unstack(outputs), 0)


def classifier_score(images, classifier_fn, num_batches=1):
    """How sure the classifier is of each image, and how unsure of all: the inception score.

    Source: tf.contrib.gan.eval.classifier_score.
    """
    return classifier_score_from_logits(_activations(images, classifier_fn, num_batches))


def classifier_score_from_logits(logits):
    """The score of logits, [batch, classes]. Source: tf.contrib.gan.eval.classifier_score_from_logits."""
    logits.shape.assert_has_rank(2)
    dtype = logits.dtype
    if dtype != tf.float64:
        logits = tf.cast(logits, tf.float64)
    each = tf.nn.softmax(logits)
    overall = tf.reduce_mean(each, axis=0)
    divergence = tf.reduce_sum(each * (tf.nn.log_softmax(logits) - tf.log(overall)), axis=1)
    score = tf.exp(tf.reduce_mean(divergence))
    return score if dtype == tf.float64 else tf.cast(score, dtype)


inception_score = functools.partial(
    classifier_score,
    classifier_fn=functools.partial(run_inception, output_tensor=INCEPTION_OUTPUT),
)


def _square_root(matrix, eps=1e-10):
    """The root of a symmetric matrix."""
    values, left, right = tf.svd(matrix)
    roots = tf.where(tf.less(values, eps), values, tf.sqrt(values))
    return tf.matmul(tf.matmul(left, tf.diag(roots)), right, transpose_b=True)


def trace_sqrt_product(sigma, sigma_v):
    """The trace of the root of the product of two covariances."""
    root = _square_root(sigma)
    return tf.trace(_square_root(tf.matmul(root, tf.matmul(sigma_v, root))))


def _in_double(distance):
    """The distance of activations as double precision computes it."""

    @functools.wraps(distance)
    def checked(real_activations, generated_activations):
        real_activations.shape.assert_has_rank(2)
        generated_activations.shape.assert_has_rank(2)
        dtype = real_activations.dtype
        if dtype == tf.float64:
            return distance(real_activations, generated_activations)
        found = distance(
            tf.cast(real_activations, tf.float64), tf.cast(generated_activations, tf.float64)
        )
        return tf.cast(found, dtype)

    return checked


@_in_double
def mean_only_frechet_classifier_distance_from_activations(
    real_activations, generated_activations
):
    """The square of the distance of the means.

    Source: tf.contrib.gan.eval.mean_only_frechet_classifier_distance_from_activations.
    """
    of_real = tf.reduce_mean(real_activations, 0)
    return tf.reduce_sum(
        tf.squared_difference(of_real, tf.reduce_mean(generated_activations, 0))
    )


@_in_double
def diagonal_only_frechet_classifier_distance_from_activations(
    real_activations, generated_activations
):
    """The distance of means and variances.

    Source: tf.contrib.gan.eval.diagonal_only_frechet_classifier_distance_from_activations.
    """
    mean, variance = tf.nn.moments(real_activations, axes=[0])
    other_mean, other_variance = tf.nn.moments(generated_activations, axes=[0])
    product = tf.multiply(variance, other_variance)
    trace = tf.reduce_sum((variance + other_variance) - 2.0 * tf.sqrt(product))
    return trace + tf.reduce_sum(tf.squared_difference(mean, other_mean))


@_in_double
def frechet_classifier_distance_from_activations(real_activations, generated_activations):
    """The Fréchet distance of activations, [batch, features], as normal distributions.

    Source: tf.contrib.gan.eval.frechet_classifier_distance_from_activations.
    """
    of_real = tf.reduce_mean(real_activations, 0)
    of_generated = tf.reduce_mean(generated_activations, 0)
    count_real = tf.cast(tf.shape(real_activations)[0], tf.float64)
    count_generated = tf.cast(tf.shape(generated_activations)[0], tf.float64)
    centered = real_activations - of_real
    sigma = tf.matmul(centered, centered, transpose_a=True) / (count_real - 1)
    centered = generated_activations - of_generated
    other = tf.matmul(centered, centered, transpose_a=True) / (count_generated - 1)
    trace = tf.trace(sigma + other) - 2.0 * trace_sqrt_product(sigma, other)
    return trace + tf.reduce_sum(tf.squared_difference(of_real, of_generated))


def frechet_classifier_distance(real_images, generated_images, classifier_fn, num_batches=1):
    """The Fréchet distance of what a classifier says of real and generated images.

    Source: tf.contrib.gan.eval.frechet_classifier_distance.
    """
    of_real = _activations(real_images, classifier_fn, num_batches)
    of_generated = _activations(generated_images, classifier_fn, num_batches)
    return frechet_classifier_distance_from_activations(of_real, of_generated)


frechet_inception_distance = functools.partial(
    frechet_classifier_distance,
    classifier_fn=functools.partial(run_inception, output_tensor=INCEPTION_FINAL_POOL),
)
