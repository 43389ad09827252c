"""Samplers of classes, and what finds those that were drawn though they are true.

true_classes: [batch, num_true], int64. They give (sampled_candidates, true_expected_count,
sampled_expected_count). unique: each class is drawn once at most.
"""

from kiln._generated import raw_ops as _raw
from kiln.compat.v1._graph_functions import get_seed

__all__ = [
    "all_candidate_sampler", "compute_accidental_hits", "fixed_unigram_candidate_sampler",
    "learned_unigram_candidate_sampler", "log_uniform_candidate_sampler", "uniform_candidate_sampler",
]  # fmt: skip


def _seeds(seed):
    """The attributes seed and seed2."""
    return tuple(number or 0 for number in get_seed(seed))


def uniform_candidate_sampler(
    true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None
):
    """Classes below range_max, all as often. Source: tf.nn.uniform_candidate_sampler."""
    return _raw.uniform_candidate_sampler(
        true_classes, num_true, num_sampled, unique, range_max, *_seeds(seed), name
    )


def log_uniform_candidate_sampler(
    true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None
):
    """Classes by Zipf's law, the lower ones more often. Source: tf.nn.log_uniform_candidate_sampler."""
    return _raw.log_uniform_candidate_sampler(
        true_classes, num_true, num_sampled, unique, range_max, *_seeds(seed), name
    )


def learned_unigram_candidate_sampler(
    true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None
):
    """Classes as often as they were true so far. Source: tf.nn.learned_unigram_candidate_sampler."""
    return _raw.learned_unigram_candidate_sampler(
        true_classes, num_true, num_sampled, unique, range_max, *_seeds(seed), name
    )


def fixed_unigram_candidate_sampler(
    true_classes, num_true, num_sampled, unique, range_max, vocab_file="", distortion=1.0, num_reserved_ids=0,
    num_shards=1, shard=0, unigrams=(), seed=None, name=None,
):  # fmt: skip
    """Classes as often as a file or a list says, to the power of the distortion.

    Source: tf.nn.fixed_unigram_candidate_sampler.
    """
    return _raw.fixed_unigram_candidate_sampler(
        true_classes, num_true, num_sampled, unique, range_max, vocab_file, distortion, num_reserved_ids, num_shards,
        shard, list(unigrams), *_seeds(seed), name,
    )  # fmt: skip


def all_candidate_sampler(true_classes, num_true, num_sampled, unique, seed=None, name=None):
    """All classes. Source: tf.nn.all_candidate_sampler."""
    return _raw.all_candidate_sampler(true_classes, num_true, num_sampled, unique, *_seeds(seed), name)


def compute_accidental_hits(true_classes, sampled_candidates, num_true, seed=None, name=None):
    """(indices, ids, weights) of the classes that were drawn though they are true.

    Source: tf.nn.compute_accidental_hits.
    """
    return _raw.compute_accidental_hits(true_classes, sampled_candidates, num_true, *_seeds(seed), name)
