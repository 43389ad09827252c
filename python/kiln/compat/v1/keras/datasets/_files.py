"""Where the files of the data sets come from, and what several of them have in common."""

import json
import pickle

import numpy as np

from kiln.compat.v1 import logging
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras.utils import get_file

STORAGE = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"
TORONTO = "https://www.cs.toronto.edu/~kriz/"


def fetched(path, name, file_hash):
    """The path of a file of the common storage, below ~/.keras/datasets."""
    return get_file(path, origin=STORAGE + name, file_hash=file_hash)


def word_index(path, name, file_hash):
    """A dict from words to their numbers, of a file of the common storage."""
    with open(fetched(path, name, file_hash)) as file:
        return json.load(file)


def shuffled(seed, *arrays):
    """Arrays in the order that a seed gives, the same for all."""
    order = np.arange(len(arrays[0]))
    np.random.RandomState(seed).shuffle(order)
    return [array[order] for array in arrays]


def number_of_words(num_words, options):
    """num_words, also by its older name. Errors: TypeError for other arguments."""
    if "nb_words" in options:
        logging.warning("The `nb_words` argument in `load_data` has been renamed `num_words`.")
        num_words = options.pop("nb_words")
    if options:
        raise TypeError("Unrecognized keyword arguments: " + str(options))
    return num_words


def with_start(texts, start_char, index_from):
    """Texts of words as numbers: moved by index_from, behind start_char."""
    if start_char is not None:
        return [[start_char] + [word + index_from for word in text] for text in texts]
    if index_from:
        return [[word + index_from for word in text] for text in texts]
    return texts


def without_long(maxlen, texts, labels):
    """The texts that are shorter than maxlen, and their labels: two lists."""
    kept = [(text, label) for text, label in zip(texts, labels) if len(text) < maxlen]
    return [text for text, _ in kept], [label for _, label in kept]


def without_rare(texts, num_words, skip_top, oov_char):
    """Texts in which the words outside skip_top <= word < num_words are oov_char, or are gone."""
    if not num_words:
        num_words = max(max(text) for text in texts)
    if oov_char is None:
        return [[word for word in text if skip_top <= word < num_words] for text in texts]
    return [
        [word if skip_top <= word < num_words else oov_char for word in text] for text in texts
    ]


def as_objects(texts):
    """An array of lists."""
    array = np.empty(len(texts), dtype=object)
    array[:] = texts
    return array


def cifar_batch(path, label_key="labels"):
    """The images, [count, 3, 32, 32], and labels of a file of CIFAR."""
    with open(path, "rb") as file:
        batch = pickle.load(file, encoding="bytes")
    images = batch[b"data"]
    return images.reshape(images.shape[0], 3, 32, 32), batch[label_key.encode()]


def as_keras_images(images):
    """Images in the order of dimensions that Keras is set to."""
    return images.transpose(0, 2, 3, 1) if K.image_data_format() == "channels_last" else images
