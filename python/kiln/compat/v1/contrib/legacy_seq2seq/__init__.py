"""tf.contrib.legacy_seq2seq: networks from sequences to sequences, step by step in the graph.

| looking for | it is in |
| --- | --- |
| decoders | `_decoders.py`, `_attention.py` |
| encoder and decoder together | `_models.py` |
| losses, buckets | `_losses.py` |
"""

from kiln.compat.v1.contrib.legacy_seq2seq._attention import attention_decoder, embedding_attention_decoder
from kiln.compat.v1.contrib.legacy_seq2seq._decoders import embedding_rnn_decoder, rnn_decoder
from kiln.compat.v1.contrib.legacy_seq2seq._losses import model_with_buckets, sequence_loss, sequence_loss_by_example
from kiln.compat.v1.contrib.legacy_seq2seq._models import (
    basic_rnn_seq2seq,
    embedding_attention_seq2seq,
    embedding_rnn_seq2seq,
    embedding_tied_rnn_seq2seq,
    one2many_rnn_seq2seq,
    tied_rnn_seq2seq,
)

__all__ = [
    "attention_decoder",
    "basic_rnn_seq2seq",
    "embedding_attention_decoder",
    "embedding_attention_seq2seq",
    "embedding_rnn_decoder",
    "embedding_rnn_seq2seq",
    "embedding_tied_rnn_seq2seq",
    "model_with_buckets",
    "one2many_rnn_seq2seq",
    "rnn_decoder",
    "sequence_loss",
    "sequence_loss_by_example",
    "tied_rnn_seq2seq",
]
