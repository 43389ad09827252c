"""What the networks for images share: inputs, ends, weights."""

import functools
import os
import warnings

from kiln.compat.v1.keras import backend as K, layers
from kiln.compat.v1.keras.models import Model
from kiln.compat.v1.keras.utils import get_file, get_source_inputs

STORAGE = "https://storage.googleapis.com/tensorflow/keras-applications/"


def application(name, hashes, folder=None, **sizes):
    """Makes a function that adds layers to images one that makes a whole network.

    What is decorated takes the images, include_top, pooling and classes. What comes of it has the
    arguments of tf.keras.applications.VGG16: include_top: with the layers that tell classes apart;
    weights: None, "imagenet" or a path; pooling: "avg" or "max" where it is without them. hashes: of
    the files of ImageNet's weights, with classes and without; folder: where those are below STORAGE,
    name where it is None; sizes: of image_input().
    Errors of it: ValueError; TypeError for other arguments.
    """
    start = f"{folder or name}/{name}_weights_tf_dim_ordering_tf_kernels"
    files = list(zip((f"{start}.h5", f"{start}_notop.h5"), hashes))

    def decorated(add_layers):
        @functools.wraps(add_layers)
        def network(
            include_top=True,
            weights="imagenet",
            input_tensor=None,
            input_shape=None,
            pooling=None,
            classes=1000,
            **kwargs,
        ):
            check_options(kwargs)
            inputs = image_input(include_top, weights, input_tensor, input_shape, classes, **sizes)
            outputs = add_layers(inputs, include_top, pooling, classes)
            return finished(name, inputs, outputs, input_tensor, weights, include_top, files)

        del network.__wrapped__  # its arguments are others
        return network

    return decorated


def check_options(options):
    """Errors: TypeError for others than the modules that keras_applications is given."""
    for name in options:
        if name not in ("backend", "layers", "models", "utils"):
            raise TypeError("Invalid keyword argument: %s", name)


def channel_axis():
    return 3 if K.image_data_format() == "channels_last" else 1


def image_input(
    include_top, weights, input_tensor, input_shape, classes, default_size=224, min_size=32
):
    """The tensor of the images. Errors: ValueError."""
    if weights not in ("imagenet", None) and not os.path.exists(weights):
        raise ValueError(
            "The `weights` argument should be either `None` (random initialization), `imagenet` "
            "(pre-training on ImageNet), or the path to the weights file to be loaded."
        )
    if weights == "imagenet" and include_top and classes != 1000:
        raise ValueError(
            'If using `weights` as `"imagenet"` with `include_top` as true, `classes` should be '
            "1000"
        )
    shape = _shape(input_shape, default_size, min_size, include_top, weights)
    if input_tensor is None:
        return layers.Input(shape=shape)
    if not K.is_keras_tensor(input_tensor):
        return layers.Input(tensor=input_tensor, shape=shape)
    return input_tensor


def _shape(input_shape, default_size, min_size, require_flatten, weights):
    """The shape of an image: what is given, where it fits."""
    is_first = K.image_data_format() == "channels_first"

    def with_channels(sizes, channels):
        return (channels, *sizes) if is_first else (*sizes, channels)

    channels = 3
    if weights != "imagenet" and input_shape and len(input_shape) == 3:
        channels = input_shape[0 if is_first else -1]
        if channels not in (1, 3):
            warnings.warn(
                "This model usually expects 1 or 3 input channels. However, it was passed an "
                f"input_shape with {channels} input channels."
            )
    default = with_channels((default_size, default_size), channels)
    if weights == "imagenet" and require_flatten:
        if input_shape is not None and tuple(input_shape) != default:
            raise ValueError(
                "When setting `include_top=True` and loading `imagenet` weights, `input_shape` "
                f"should be {default}."
            )
        return default
    if not input_shape:
        return default if require_flatten else with_channels((None, None), 3)
    if len(input_shape) != 3:
        raise ValueError("`input_shape` must be a tuple of three integers.")
    if weights == "imagenet" and input_shape[0 if is_first else -1] != 3:
        raise ValueError(f"The input must have 3 channels; got `input_shape={input_shape}`")
    sizes = input_shape[1:] if is_first else input_shape[:2]
    if any(size is not None and size < min_size for size in sizes):
        raise ValueError(
            f"Input size must be at least {min_size}x{min_size}; got `input_shape={input_shape}`"
        )
    if require_flatten and None in input_shape:
        raise ValueError(
            "If `include_top` is True, you should specify a static `input_shape`. "
            f"Got `input_shape={input_shape}`"
        )
    return tuple(input_shape)


def classified(x, classes):
    """The end with classes: the mean of each channel, then probabilities."""
    x = layers.GlobalAveragePooling2D(name="avg_pool")(x)
    return layers.Dense(classes, activation="softmax", name="predictions")(x)


def pooled(x, pooling, names=(None, None)):
    """The end without classes: the mean or the largest of each channel, or all as they are."""
    if pooling == "avg":
        return layers.GlobalAveragePooling2D(name=names[0])(x)
    if pooling == "max":
        return layers.GlobalMaxPooling2D(name=names[1])(x)
    return x


def finished(name, inputs, outputs, input_tensor, weights, include_top, files):
    """The model with its weights.

    files: of those of ImageNet: pairs of an address below STORAGE and a hash, with classes and
    without. Errors: Exception where they cannot be downloaded; ImportError without h5py.
    """
    if input_tensor is not None:
        inputs = get_source_inputs(input_tensor)
    model = Model(inputs, outputs, name=name)
    if weights == "imagenet":
        address, file_hash = files[0 if include_top else 1]
        weights = get_file(
            os.path.basename(address),
            STORAGE + address,
            cache_subdir="models",
            file_hash=file_hash,
        )
    if weights is not None:
        model.load_weights(weights)
    return model
