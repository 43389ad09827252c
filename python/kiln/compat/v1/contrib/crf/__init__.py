"""tf.contrib.crf: conditional random fields over chains.

| looking for | it is in |
| --- | --- |
| scores and likelihoods of sequences of tags | `_scores.py` |
| the best sequence of tags | `_decoding.py` |
"""

from kiln.compat.v1.contrib.crf._decoding import (
    CrfDecodeBackwardRnnCell,
    CrfDecodeForwardRnnCell,
    crf_decode,
    viterbi_decode,
)
from kiln.compat.v1.contrib.crf._scores import (
    CrfForwardRnnCell,
    crf_binary_score,
    crf_log_likelihood,
    crf_log_norm,
    crf_multitag_sequence_score,
    crf_sequence_score,
    crf_unary_score,
)

__all__ = [
    "CrfDecodeBackwardRnnCell",
    "CrfDecodeForwardRnnCell",
    "CrfForwardRnnCell",
    "crf_binary_score",
    "crf_decode",
    "crf_log_likelihood",
    "crf_log_norm",
    "crf_multitag_sequence_score",
    "crf_sequence_score",
    "crf_unary_score",
    "viterbi_decode",
]
