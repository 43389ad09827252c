"""tf.keras.datasets.reuters: 11,228 pieces of news as numbers of words, with their topics."""

import numpy as np

from kiln.compat.v1.keras.datasets import _files

_HASH = "d6586e694ee56d7a4e65172e12b3e987c03096cb01eab99753921ef915959916"


def load_data(
    path="reuters.npz",
    num_words=None,
    skip_top=0,
    maxlen=None,
    test_split=0.2,
    seed=113,
    start_char=1,
    oov_char=2,
    index_from=3,
    **kwargs,
):
    """Pairs of texts and labels, (x_train, y_train), (x_test, y_test); a text is a list.

    test_split: the share of the tests. The rest is as for tf.keras.datasets.imdb.load_data.
    Errors: Exception where it cannot be downloaded. Source: tf.keras.datasets.reuters.load_data.
    """
    num_words = _files.number_of_words(num_words, kwargs)
    with np.load(_files.fetched(path, "reuters.npz", _HASH), allow_pickle=True) as file:
        texts, labels = _files.shuffled(seed, file["x"], file["y"])
    texts = _files.with_start(texts, start_char, index_from)
    if maxlen:
        texts, labels = _files.without_long(maxlen, texts, labels)
    texts = _files.without_rare(texts, num_words, skip_top, oov_char)
    count = int(len(texts) * (1 - test_split))
    return (
        (_files.as_objects(texts[:count]), np.array(labels[:count])),
        (_files.as_objects(texts[count:]), np.array(labels[count:])),
    )


def get_word_index(path="reuters_word_index.json"):
    """A dict from words to their numbers. Source: tf.keras.datasets.reuters.get_word_index."""
    return _files.word_index(path, "reuters_word_index.json", "4d44cc38712099c9e383dc6e5f11a921")
