"""tf.keras.preprocessing.text: words as numbers."""

import collections
import hashlib
import json
import warnings

import numpy as np

_FILTERS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'


def text_to_word_sequence(text, filters=_FILTERS, lower=True, split=" "):
    """The words of a text. filters: characters that are no part of words.

    Source: tf.keras.preprocessing.text.text_to_word_sequence.
    """
    text = text.lower() if lower else text
    text = text.translate(str.maketrans({character: split for character in filters}))
    return [word for word in text.split(split) if word]


def one_hot(text, n, filters=_FILTERS, lower=True, split=" "):
    """The words as numbers below n, by Python's hash, which differs from process to process.

    Source: tf.keras.preprocessing.text.one_hot.
    """
    return hashing_trick(text, n, hash_function=hash, filters=filters, lower=lower, split=split)


def hashing_trick(text, n, hash_function=None, filters=_FILTERS, lower=True, split=" "):
    """The words as numbers from 1 to n - 1. hash_function: "md5", a function, or Python's hash.

    Source: tf.keras.preprocessing.text.hashing_trick.
    """
    if hash_function is None:
        hash_function = hash
    elif hash_function == "md5":
        hash_function = _md5
    words = text_to_word_sequence(text, filters=filters, lower=lower, split=split)
    return [hash_function(word) % (n - 1) + 1 for word in words]


def _md5(word):
    return int(hashlib.md5(word.encode()).hexdigest(), 16)


class Tokenizer:
    """Gives words numbers, the most frequent one 1.

    num_words: only numbers below it are used; None uses all. filters, split: as of
    text_to_word_sequence(). char_level: whether characters are the words. oov_token: a word for
    those that are not known. Source: tf.keras.preprocessing.text.Tokenizer.
    """

    def __init__(
        self,
        num_words=None,
        filters=_FILTERS,
        lower=True,
        split=" ",
        char_level=False,
        oov_token=None,
        document_count=0,
        **kwargs,
    ):
        if "nb_words" in kwargs:
            warnings.warn("The `nb_words` argument in `Tokenizer` has been renamed `num_words`.")
            num_words = kwargs.pop("nb_words")
        if kwargs:
            raise TypeError("Unrecognized keyword arguments: " + str(kwargs))
        self.word_counts = collections.OrderedDict()
        self.word_docs = collections.defaultdict(int)
        self.index_docs = collections.defaultdict(int)
        self.word_index, self.index_word = {}, {}
        self.num_words, self.filters, self.lower, self.split = num_words, filters, lower, split
        self.char_level, self.oov_token = char_level, oov_token
        self.document_count = document_count

    def _words(self, text):
        """The words of a text, or of a list of words."""
        if isinstance(text, list):
            return [word.lower() for word in text] if self.lower else text
        if self.char_level:
            return text.lower() if self.lower else text
        return text_to_word_sequence(text, self.filters, self.lower, self.split)

    def fit_on_texts(self, texts):
        """Counts the words of texts, or of lists of words, and numbers them."""
        for text in texts:
            self.document_count += 1
            words = self._words(text)
            for word in words:
                self.word_counts[word] = self.word_counts.get(word, 0) + 1
            for word in set(words):
                self.word_docs[word] += 1
        known = sorted(self.word_counts, key=self.word_counts.get, reverse=True)
        if self.oov_token is not None:
            known.insert(0, self.oov_token)
        self.word_index = {word: i + 1 for i, word in enumerate(known)}
        self.index_word = {number: word for word, number in self.word_index.items()}
        for word, count in self.word_docs.items():
            self.index_docs[self.word_index[word]] = count

    def fit_on_sequences(self, sequences):
        """Counts in how many sequences of numbers each number is."""
        self.document_count += len(sequences)
        for sequence in sequences:
            for number in set(sequence):
                self.index_docs[number] += 1

    def texts_to_sequences(self, texts):
        """The texts as lists of numbers; words that are not known are left out or oov_token's."""
        return list(self.texts_to_sequences_generator(texts))

    def texts_to_sequences_generator(self, texts):
        """As texts_to_sequences(), one by one."""
        unknown = self.word_index.get(self.oov_token)
        for text in texts:
            numbers = (self.word_index.get(word) for word in self._words(text))
            numbers = (number if self._is_used(number) else unknown for number in numbers)
            yield [number for number in numbers if number is not None]

    def sequences_to_texts(self, sequences):
        """Lists of numbers as texts."""
        return list(self.sequences_to_texts_generator(sequences))

    def sequences_to_texts_generator(self, sequences):
        """As sequences_to_texts(), one by one."""
        unknown = self.index_word.get(self.word_index.get(self.oov_token))
        for sequence in sequences:
            words = (
                self.index_word.get(number, unknown) if self._is_used(number) else unknown
                for number in sequence
            )
            yield " ".join(word for word in words if word is not None)

    def _is_used(self, number):
        return number is not None and not (self.num_words and number >= self.num_words)

    def texts_to_matrix(self, texts, mode="binary"):
        """A row of an array for each text, as sequences_to_matrix()."""
        return self.sequences_to_matrix(self.texts_to_sequences(texts), mode=mode)

    def sequences_to_matrix(self, sequences, mode="binary"):
        """A row for each sequence, a column for each number.

        mode: "binary", "count", "freq" (the share), "tfidf". Errors: ValueError.
        """
        if not self.num_words and not self.word_index:
            raise ValueError(
                "Specify a dimension (`num_words` argument), or fit on some text data first."
            )
        columns = self.num_words or len(self.word_index) + 1
        if mode == "tfidf" and not self.document_count:
            raise ValueError("Fit the Tokenizer on some data before using tfidf mode.")
        matrix = np.zeros((len(sequences), columns))
        for row, sequence in zip(matrix, sequences):
            for number, count in collections.Counter(sequence).items():
                if number < columns:
                    row[number] = self._weight(number, count, len(sequence), mode)
        return matrix

    def _weight(self, number, count, length, mode):
        if mode == "count":
            return count
        if mode == "freq":
            return count / length
        if mode == "binary":
            return 1
        if mode == "tfidf":
            documents = 1 + self.index_docs.get(number, 0)
            return (1 + np.log(count)) * np.log(1 + self.document_count / documents)
        raise ValueError("Unknown vectorization mode:", mode)

    def get_config(self):
        """The arguments and what was counted; the counts as JSON."""
        return {
            "num_words": self.num_words,
            "filters": self.filters,
            "lower": self.lower,
            "split": self.split,
            "char_level": self.char_level,
            "oov_token": self.oov_token,
            "document_count": self.document_count,
            "word_counts": json.dumps(self.word_counts),
            "word_docs": json.dumps(self.word_docs),
            "index_docs": json.dumps(self.index_docs),
            "index_word": json.dumps(self.index_word),
            "word_index": json.dumps(self.word_index),
        }

    def to_json(self, **kwargs):
        """The class and the configuration as JSON; kwargs: of json.dumps."""
        config = {"class_name": type(self).__name__, "config": self.get_config()}
        return json.dumps(config, **kwargs)


def tokenizer_from_json(json_string):
    """The Tokenizer that to_json() wrote.

    Source: tf.keras.preprocessing.text.tokenizer_from_json.
    """
    config = json.loads(json_string).get("config")
    names = ("word_counts", "word_docs", "index_docs", "index_word", "word_index")
    counts = {name: json.loads(config.pop(name)) for name in names}
    tokenizer = Tokenizer(**config)
    for name, values in counts.items():
        if name.startswith("index_"):
            values = {int(number): value for number, value in values.items()}
        setattr(tokenizer, name, values)
    return tokenizer
