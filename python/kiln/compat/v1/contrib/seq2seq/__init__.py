"""tf.contrib.seq2seq: attention, decoders, beam search.

| looking for | it is in |
| --- | --- |
| attention mechanisms | `_attention.py`, `_monotonic.py` |
| the cell that attends | `_attention_wrapper.py` |
| decoders, the loop that runs them | `_decoder.py`, `_basic_decoder.py` |
| what decoders get their inputs from | `_helpers.py`, `_scheduled_helpers.py`, `_samples.py` |
| beam search | `_beam_search.py`, `_beam_search_step.py`, `_gather_tree.py` |
| the loss of sequences | `_loss.py` |
"""

from kiln.compat.v1.contrib.seq2seq._attention import AttentionMechanism, BahdanauAttention, LuongAttention
from kiln.compat.v1.contrib.seq2seq._attention_wrapper import AttentionWrapper, AttentionWrapperState, hardmax
from kiln.compat.v1.contrib.seq2seq._basic_decoder import BasicDecoder, BasicDecoderOutput
from kiln.compat.v1.contrib.seq2seq._beam_search import (
    BeamSearchDecoder,
    BeamSearchDecoderOutput,
    BeamSearchDecoderState,
    FinalBeamSearchDecoderOutput,
    tile_batch,
)
from kiln.compat.v1.contrib.seq2seq._decoder import Decoder, dynamic_decode
from kiln.compat.v1.contrib.seq2seq._gather_tree import gather_tree
from kiln.compat.v1.contrib.seq2seq._helpers import (
    CustomHelper,
    GreedyEmbeddingHelper,
    Helper,
    InferenceHelper,
    SampleEmbeddingHelper,
    TrainingHelper,
)
from kiln.compat.v1.contrib.seq2seq._loss import sequence_loss
from kiln.compat.v1.contrib.seq2seq._monotonic import (
    BahdanauMonotonicAttention,
    LuongMonotonicAttention,
    monotonic_attention,
    safe_cumprod,
)
from kiln.compat.v1.contrib.seq2seq._scheduled_helpers import (
    ScheduledEmbeddingTrainingHelper,
    ScheduledOutputTrainingHelper,
)

__all__ = [
    "AttentionMechanism",
    "AttentionWrapper",
    "AttentionWrapperState",
    "BahdanauAttention",
    "BahdanauMonotonicAttention",
    "BasicDecoder",
    "BasicDecoderOutput",
    "BeamSearchDecoder",
    "BeamSearchDecoderOutput",
    "BeamSearchDecoderState",
    "CustomHelper",
    "Decoder",
    "FinalBeamSearchDecoderOutput",
    "GreedyEmbeddingHelper",
    "Helper",
    "InferenceHelper",
    "LuongAttention",
    "LuongMonotonicAttention",
    "SampleEmbeddingHelper",
    "ScheduledEmbeddingTrainingHelper",
    "ScheduledOutputTrainingHelper",
    "TrainingHelper",
    "dynamic_decode",
    "gather_tree",
    "hardmax",
    "monotonic_attention",
    "safe_cumprod",
    "sequence_loss",
    "tile_batch",
]
