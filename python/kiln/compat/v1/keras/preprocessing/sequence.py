"""tf.keras.preprocessing.sequence: sequences of different lengths, pairs of words, time series."""

import json
import random

import numpy as np

from kiln.compat.v1.keras.utils import Sequence


def pad_sequences(
    sequences, maxlen=None, dtype="int32", padding="pre", truncating="pre", value=0.0
):
    """An array of sequences that all have the same length, [count, maxlen, ...].

    maxlen: the length of the longest one where it is None. padding, truncating: whether values are
    added, and taken away, before the others or after them ("pre", "post"). Errors: ValueError.
    Source: tf.keras.preprocessing.sequence.pad_sequences.
    """
    if not hasattr(sequences, "__len__"):
        raise ValueError("`sequences` must be iterable.")
    for each in sequences:
        if not hasattr(each, "__len__"):
            raise ValueError(
                f"`sequences` must be a list of iterables. Found non-iterable: {each!s}"
            )
    if maxlen is None:
        maxlen = np.max([len(each) for each in sequences])
    shape = next((np.asarray(each).shape[1:] for each in sequences if len(each)), ())
    is_text = np.issubdtype(dtype, np.str_)
    if isinstance(value, str) and dtype != object and not is_text:
        raise ValueError(
            f"`dtype` {dtype} is not compatible with `value`'s type: {type(value)}\n"
            "You should set `dtype=object` for variable length strings."
        )
    result = np.full((len(sequences), maxlen, *shape), value, dtype=dtype)
    for i, each in enumerate(sequences):
        if not len(each):
            continue
        if truncating not in ("pre", "post"):
            raise ValueError(f'Truncating type "{truncating}" not understood')
        kept = np.asarray(each[-maxlen:] if truncating == "pre" else each[:maxlen], dtype=dtype)
        if kept.shape[1:] != shape:
            raise ValueError(
                f"Shape of sample {kept.shape[1:]} of sequence at position {i} is different from "
                f"expected shape {shape}"
            )
        if padding not in ("pre", "post"):
            raise ValueError(f'Padding type "{padding}" not understood')
        place = slice(-len(kept), None) if padding == "pre" else slice(len(kept))
        result[i, place] = kept
    return result


def make_sampling_table(size, sampling_factor=1e-05):
    """The probabilities with which words are taken, by their rank, as word2vec has them.

    The ranks are taken to follow Zipf's law. Source:
    tf.keras.preprocessing.sequence.make_sampling_table.
    """
    rank = np.arange(size)
    rank[0] = 1
    inverse = rank * (np.log(rank) + 0.577) + 0.5 - 1.0 / (12.0 * rank)
    share = sampling_factor * inverse
    return np.minimum(1.0, share / np.sqrt(share))


def skipgrams(
    sequence,
    vocabulary_size,
    window_size=4,
    negative_samples=1.0,
    shuffle=True,
    categorical=False,
    sampling_table=None,
    seed=None,
):
    """Pairs of words and labels: 1 for two that stand near each other, 0 for a random second one.

    sequence: numbers of words; 0 is none. negative_samples: how many random pairs come on a true
    one. categorical: whether labels are [0, 1] and [1, 0]. sampling_table: the probability that a
    word is taken. Source: tf.keras.preprocessing.sequence.skipgrams.
    """
    true, false = ([0, 1], [1, 0]) if categorical else (1, 0)
    couples = []
    for i, word in enumerate(sequence):
        if not word:
            continue
        if sampling_table is not None and sampling_table[word] < random.random():
            continue
        for j in range(max(0, i - window_size), min(len(sequence), i + window_size + 1)):
            if j != i and sequence[j]:
                couples.append([word, sequence[j]])
    labels = [true] * len(couples)
    if negative_samples > 0:
        count = int(len(labels) * negative_samples)
        words = [first for first, _ in couples]
        random.shuffle(words)
        couples += [
            [words[i % len(words)], random.randint(1, int(vocabulary_size - 1))]
            for i in range(count)
        ]
        labels += [false] * count
    if shuffle:
        seed = random.randint(0, int(10e6)) if seed is None else seed
        for values in (couples, labels):
            random.seed(seed)
            random.shuffle(values)
    return couples, labels


class TimeseriesGenerator(Sequence):
    """Batches of windows of a time series and of the values that follow them.

    length: of a window; sampling_rate: of its steps every how many are taken; stride: how far it is
    from a window to the next. start_index, end_index: the part of the data. Errors: ValueError.
    Source: tf.keras.preprocessing.sequence.TimeseriesGenerator.
    """

    def __init__(
        self,
        data,
        targets,
        length,
        sampling_rate=1,
        stride=1,
        start_index=0,
        end_index=None,
        shuffle=False,
        reverse=False,
        batch_size=128,
    ):
        if len(data) != len(targets):
            raise ValueError(
                f"Data and targets have to be of same length. Data length is {len(data)} while "
                f"target length is {len(targets)}"
            )
        self.data, self.targets, self.length = data, targets, length
        self.sampling_rate, self.stride = sampling_rate, stride
        self.start_index = start_index + length
        self.end_index = len(data) - 1 if end_index is None else end_index
        self.shuffle, self.reverse, self.batch_size = shuffle, reverse, batch_size
        if self.start_index > self.end_index:
            raise ValueError(
                f"`start_index+length={self.start_index} > end_index={self.end_index}` is "
                "disallowed, as no part of the sequence would be left to be used as current step."
            )

    def __len__(self):
        step = self.batch_size * self.stride
        return (self.end_index - self.start_index + step) // step

    def __getitem__(self, index):
        if self.shuffle:
            rows = np.random.randint(self.start_index, self.end_index + 1, size=self.batch_size)
        else:
            step = self.batch_size * self.stride
            first = self.start_index + step * index
            rows = range(first, min(first + step, self.end_index + 1), self.stride)
        windows = np.array([self.data[row - self.length : row : self.sampling_rate] for row in rows])
        targets = np.array([self.targets[row] for row in rows])
        return (windows[:, ::-1, ...] if self.reverse else windows), targets

    def get_config(self):
        """The arguments as a dict; the data as JSON. Errors: TypeError."""
        return {
            "data": _as_json(self.data, "Data"),
            "targets": _as_json(self.targets, "Targets"),
            "length": self.length,
            "sampling_rate": self.sampling_rate,
            "stride": self.stride,
            "start_index": self.start_index,
            "end_index": self.end_index,
            "shuffle": self.shuffle,
            "reverse": self.reverse,
            "batch_size": self.batch_size,
        }

    def to_json(self, **kwargs):
        """The class and the configuration as JSON; kwargs: of json.dumps."""
        config = {"class_name": type(self).__name__, "config": self.get_config()}
        return json.dumps(config, **kwargs)


def _as_json(values, what):
    values = values.tolist() if isinstance(values, np.ndarray) else values
    try:
        return json.dumps(values)
    except TypeError as error:
        raise TypeError(f"{what} not JSON Serializable:", values) from error
