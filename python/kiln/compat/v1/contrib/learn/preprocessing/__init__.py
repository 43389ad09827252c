"""tf.contrib.learn.preprocessing: texts as numbers."""

from kiln.compat.v1.contrib.learn.preprocessing.categorical_vocabulary import CategoricalVocabulary
from kiln.compat.v1.contrib.learn.preprocessing.text import (
    ByteProcessor,
    VocabularyProcessor,
    tokenizer,
)

__all__ = ["ByteProcessor", "CategoricalVocabulary", "VocabularyProcessor", "tokenizer"]
