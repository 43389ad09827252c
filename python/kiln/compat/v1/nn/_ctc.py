"""Connectionist temporal classification: labels of sequences whose places are not known."""

from kiln._kiln import front as _c
from kiln.compat.v1._deprecations import renamed
from kiln.compat.v1._sparse import SparseTensor

__all__ = [
    "collapse_repeated", "ctc_beam_search_decoder", "ctc_beam_search_decoder_v2", "ctc_greedy_decoder", "ctc_loss",
]  # fmt: skip


def ctc_loss(
    labels, inputs=None, sequence_length=None, preprocess_collapse_repeated=False, ctc_merge_repeated=True,
    ignore_longer_outputs_than_inputs=False, time_major=True, logits=None,
):  # fmt: skip
    """The loss of each sequence: [batch]. labels: a SparseTensor of int32. inputs: [time, batch, classes].

    logits: the newer name of inputs. time_major: False for [batch, time, classes]. Errors: TypeError
    for labels that are no SparseTensor. Source: tf.nn.ctc_loss.
    """
    if not isinstance(labels, SparseTensor):
        raise TypeError("Expected labels (first argument) to be a SparseTensor")
    inputs = renamed(None, "logits", logits, "inputs", inputs)
    return _c.ctc_loss(
        labels, inputs, sequence_length, preprocess_collapse_repeated, ctc_merge_repeated,
        ignore_longer_outputs_than_inputs, time_major,
    )  # fmt: skip


def ctc_greedy_decoder(inputs, sequence_length, merge_repeated=True):
    """([decoded], neg_sum_logits): the best class of each step. Source: tf.nn.ctc_greedy_decoder."""
    return _c.ctc_greedy_decoder(inputs, sequence_length, merge_repeated)


def ctc_beam_search_decoder(inputs, sequence_length, beam_width=100, top_paths=1, merge_repeated=True):
    """(decoded, log_probability): the best sequences. Source: tf.nn.ctc_beam_search_decoder."""
    return _c.ctc_beam_search_decoder(inputs, sequence_length, beam_width, top_paths, merge_repeated)


def ctc_beam_search_decoder_v2(inputs, sequence_length, beam_width=100, top_paths=1):
    """The same, with repeated classes as they are. Source: tf.nn.ctc_beam_search_decoder_v2."""
    return ctc_beam_search_decoder(inputs, sequence_length, beam_width, top_paths, merge_repeated=False)


def collapse_repeated(labels, seq_length, name=None):
    """(labels, lengths): sequences without repetitions of a label. Source: tf.nn.collapse_repeated."""
    return _c.collapse_repeated(labels, seq_length, name)
