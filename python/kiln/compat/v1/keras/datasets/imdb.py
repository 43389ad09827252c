"""tf.keras.datasets.imdb: 50,000 reviews of films as numbers of words, with what they feel."""

import numpy as np

from kiln.compat.v1.keras.datasets import _files

_HASH = "69664113be75683a8fe16e3ed0ab59fda8886cb3cd7ada244f7d9544e4676b9f"


def load_data(
    path="imdb.npz",
    num_words=None,
    skip_top=0,
    maxlen=None,
    seed=113,
    start_char=1,
    oov_char=2,
    index_from=3,
    **kwargs,
):
    """Pairs of reviews and labels, (x_train, y_train), (x_test, y_test); a review is a list.

    num_words, skip_top: which words are kept; the others are oov_char, or are left out where that
    is None. maxlen: reviews that are not shorter are left out. Errors: ValueError; Exception where
    it cannot be downloaded. Source: tf.keras.datasets.imdb.load_data.
    """
    num_words = _files.number_of_words(num_words, kwargs)
    with np.load(_files.fetched(path, "imdb.npz", _HASH), allow_pickle=True) as file:
        generator, parts = np.random.RandomState(seed), []
        for part in ("train", "test"):
            order = np.arange(len(file[f"x_{part}"]))
            generator.shuffle(order)
            texts = _files.with_start(file[f"x_{part}"][order], start_char, index_from)
            parts.append((texts, file[f"y_{part}"][order]))
    if maxlen:
        parts = [_files.without_long(maxlen, *part) for part in parts]
        if not parts[0][0] or not parts[1][0]:
            raise ValueError(
                f"After filtering for sequences shorter than maxlen={maxlen}, no sequence was "
                "kept. Increase maxlen."
            )
    (x_train, y_train), (x_test, y_test) = parts
    texts = _files.without_rare([*x_train, *x_test], num_words, skip_top, oov_char)
    count = len(x_train)
    return (
        (_files.as_objects(texts[:count]), np.array(y_train)),
        (_files.as_objects(texts[count:]), np.array(y_test)),
    )


def get_word_index(path="imdb_word_index.json"):
    """A dict from words to their numbers. Source: tf.keras.datasets.imdb.get_word_index."""
    return _files.word_index(path, "imdb_word_index.json", "bfafd718b763782e994055a2d397834f")
