"""tf.keras.applications.imagenet_utils: images as the networks want them, classes by their names."""

import json

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras.utils import get_file

_CLASSES = "https://storage.googleapis.com/download.tensorflow.org/data/imagenet_class_index.json"
_names = None


def preprocess_input(x, data_format=None, mode="caffe", **kwargs):
    """Images of 0 to 255, an array or a tensor, scaled; arrays of floats in their own memory.

    mode: "caffe": blue, green, red, without ImageNet's means; "tf": -1 to 1; "torch": 0 to 1, then
    by ImageNet's means and deviations. Errors: ValueError. Source:
    tf.keras.applications.imagenet_utils.preprocess_input.
    """
    if data_format not in (None, "channels_first", "channels_last"):
        raise ValueError("Unknown data_format " + str(data_format))
    axis = -3 if (data_format or K.image_data_format()) == "channels_first" else -1
    is_array = isinstance(x, np.ndarray)
    if is_array and not issubclass(x.dtype.type, np.floating):
        x = x.astype(K.floatx())
    if mode == "tf":
        x /= 127.5
        x -= 1.0
        return x
    if mode == "torch":
        x /= 255.0
        mean, deviation = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
    else:
        x = np.flip(x, axis) if is_array else tf.reverse(x, [axis])
        mean, deviation = [103.939, 116.779, 123.68], None
    shape = [-1] + [1] * (-axis - 1)
    dtype = x.dtype if is_array else x.dtype.as_numpy_dtype
    x -= np.reshape(np.asarray(mean, dtype), shape)
    if deviation is not None:
        x /= np.reshape(np.asarray(deviation, dtype), shape)
    return x


def decode_predictions(preds, top=5, **kwargs):
    """The likeliest classes: for each image a list of (number of WordNet, name, probability).

    Errors: ValueError for another shape than [images, 1000]; Exception where the names cannot be
    downloaded. Source: tf.keras.applications.imagenet_utils.decode_predictions.
    """
    global _names
    if len(preds.shape) != 2 or preds.shape[1] != 1000:
        raise ValueError(
            "`decode_predictions` expects a batch of predictions (i.e. a 2D array of shape "
            f"(samples, 1000)). Found array with shape: {preds.shape}"
        )
    if _names is None:
        path = get_file(
            "imagenet_class_index.json",
            _CLASSES,
            cache_subdir="models",
            file_hash="c2c37ea517e94d9795004a39431a14cb",
        )
        with open(path) as file:
            _names = json.load(file)
    return [
        [(*_names[str(i)], each[i]) for i in each.argsort()[-top:][::-1]] for each in preds
    ]
