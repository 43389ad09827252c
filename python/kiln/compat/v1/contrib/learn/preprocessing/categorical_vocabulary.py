"""A vocabulary: categories, with a number for each."""

import collections

from kiln.compat.v1._util.deprecation import deprecated

_MODULE = "tensorflow.contrib.learn.python.learn.preprocessing.categorical_vocabulary"
_INSTEAD = "Please use tensorflow/transform or tf.data."


class CategoricalVocabulary:
    """Numbers for categories, in the order in which they are asked for; 0 is the unknown one.

    support_reverse: whether reverse() is wanted. Source:
    tensorflow.contrib.learn.python.learn.preprocessing.categorical_vocabulary.
    """

    @deprecated(None, _INSTEAD, module=_MODULE)
    def __init__(self, unknown_token="<UNK>", support_reverse=True):
        self._unknown_token = unknown_token
        self._support_reverse = support_reverse
        self._freq = collections.defaultdict(int)
        self._freeze = False
        self._start()

    def _start(self):
        self._mapping = {self._unknown_token: 0}
        if self._support_reverse:
            self._reverse_mapping = [self._unknown_token]

    def __len__(self):
        return len(self._mapping)

    def freeze(self, freeze=True):
        """From now on categories that are not there are the unknown one."""
        self._freeze = freeze

    def get(self, category):
        """The number of a category, which is added if it is new."""
        if category not in self._mapping:
            if self._freeze:
                return 0
            self._add(category)
        return self._mapping[category]

    def _add(self, category):
        self._mapping[category] = len(self._mapping)
        if self._support_reverse:
            self._reverse_mapping.append(category)

    def add(self, category, count=1):
        """Counts a category, which is added if it is new."""
        if self.get(category) > 0:
            self._freq[category] += count

    def trim(self, min_frequency, max_frequency=-1):
        """Leaves those that were counted more than min_frequency times, the most frequent first.

        max_frequency: those that were counted so many times or more are left out too.
        """
        by_name = sorted(self._freq.items(), key=lambda pair: (isinstance(pair[0], str), pair[0]))
        by_count = sorted(by_name, key=lambda pair: pair[1], reverse=True)
        self._start()
        for category, count in by_count:
            if max_frequency > 0 and count >= max_frequency:
                continue
            if count <= min_frequency:
                break
            self._add(category)
        self._freq = dict(by_count[: len(self._mapping) - 1])

    def reverse(self, class_id):
        """The category of a number. Errors: ValueError without support_reverse."""
        if not self._support_reverse:
            raise ValueError(
                "This vocabulary wasn't initialized with support_reverse to support reverse() function."
            )
        return self._reverse_mapping[class_id]
