"""Texts as numbers: VocabularyProcessor and ByteProcessor."""

import pickle
import re

import numpy as np

from kiln.compat.v1 import gfile
from kiln.compat.v1._util.deprecation import deprecated
from kiln.compat.v1.contrib.learn.preprocessing.categorical_vocabulary import CategoricalVocabulary

_MODULE = "tensorflow.contrib.learn.python.learn.preprocessing.text"
_INSTEAD = "Please use tensorflow/transform or tf.data."

# A word: capitals alone, one that begins with a capital before the next capital, or letters.
TOKENIZER_RE = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+(?=[A-Z])|[\'\w\-]+", re.UNICODE)


@deprecated(None, _INSTEAD, module=_MODULE)
def tokenizer(iterator):
    """Yields the list of words of each text.

    Source: tensorflow.contrib.learn.python.learn.preprocessing.text.tokenizer.
    """
    for value in iterator:
        yield TOKENIZER_RE.findall(value)


class ByteProcessor:
    """Texts as the numbers of their bytes in UTF-8, cut or filled with zeros to one length.

    Source: tf.contrib.learn.preprocessing.ByteProcessor.
    """

    @deprecated(None, _INSTEAD, module=_MODULE)
    def __init__(self, max_document_length):
        self.max_document_length = max_document_length

    def fit(self, x):
        """Does nothing: there is nothing to learn."""

    def fit_transform(self, x):
        return self.transform(x)

    def reverse(self, x):
        """Yields the text of each vector of bytes, "" for what is no UTF-8."""
        for data in x:
            document = np.trim_zeros(data.astype(np.int8), trim="b").tobytes()
            try:
                yield document.decode("utf-8")
            except UnicodeDecodeError:
                yield ""

    def transform(self, x):
        """Yields a vector for each text."""
        for document in x:
            if isinstance(document, str):
                document = document.encode("utf-8")
            found = np.frombuffer(memoryview(document)[: self.max_document_length], dtype=np.uint8)
            yield np.pad(found, (0, self.max_document_length - len(found)), "constant")


class VocabularyProcessor:
    """Texts as the numbers of their words, cut or filled with zeros to one length.

    min_frequency: words that are no more frequent are unknown. vocabulary: a
    CategoricalVocabulary; tokenizer_fn: what makes lists of words of texts. Source:
    tf.contrib.learn.preprocessing.VocabularyProcessor.
    """

    @deprecated(None, _INSTEAD, module=_MODULE)
    def __init__(self, max_document_length, min_frequency=0, vocabulary=None, tokenizer_fn=None):
        self.max_document_length = max_document_length
        self.min_frequency = min_frequency
        self.vocabulary_ = vocabulary or CategoricalVocabulary()
        self._tokenizer = tokenizer_fn or tokenizer

    def fit(self, raw_documents, unused_y=None):
        """Learns the words of texts; gives the object itself."""
        for tokens in self._tokenizer(raw_documents):
            for token in tokens:
                self.vocabulary_.add(token)
        if self.min_frequency > 0:
            self.vocabulary_.trim(self.min_frequency)
        self.vocabulary_.freeze()
        return self

    def fit_transform(self, raw_documents, unused_y=None):
        """Learns the words of texts and yields a vector for each."""
        self.fit(raw_documents)
        return self.transform(raw_documents)

    def transform(self, raw_documents):
        """Yields a vector for each text."""
        for tokens in self._tokenizer(raw_documents):
            numbers = np.zeros(self.max_document_length, np.int64)
            for i, token in zip(range(self.max_document_length), tokens):
                numbers[i] = self.vocabulary_.get(token)
            yield numbers

    def reverse(self, documents):
        """Yields the words of each vector, with spaces between."""
        for numbers in documents:
            yield " ".join(self.vocabulary_.reverse(number) for number in numbers)

    def save(self, filename):
        """Writes it to a file."""
        with gfile.Open(filename, "wb") as file:
            file.write(pickle.dumps(self))

    @classmethod
    def restore(cls, filename):
        """Reads one from a file."""
        with gfile.Open(filename, "rb") as file:
            return pickle.loads(file.read())
