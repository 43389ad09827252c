"""Random numbers: tf.random."""

from kiln.compat.v1._graph_functions import get_seed, set_random_seed
from kiln.compat.v1._random_ops import (
    all_candidate_sampler, categorical, fixed_unigram_candidate_sampler,
    learned_unigram_candidate_sampler, log_uniform_candidate_sampler, multinomial,
    random_gamma as gamma, random_normal as normal, random_poisson as poisson,
    random_shuffle as shuffle, random_uniform as uniform, stateless_categorical,
    stateless_multinomial, stateless_random_normal as stateless_normal,
    stateless_random_uniform as stateless_uniform, stateless_truncated_normal, truncated_normal,
    uniform_candidate_sampler,
)  # fmt: skip

__all__ = [
    "all_candidate_sampler", "categorical", "fixed_unigram_candidate_sampler", "gamma", "get_seed",
    "learned_unigram_candidate_sampler", "log_uniform_candidate_sampler", "multinomial", "normal",
    "poisson", "set_random_seed", "shuffle", "stateless_categorical", "stateless_multinomial",
    "stateless_normal", "stateless_truncated_normal", "stateless_uniform", "truncated_normal",
    "uniform", "uniform_candidate_sampler",
]  # fmt: skip
