"""Random numbers: tf.random_normal, tf.random_uniform, tf.random_shuffle, tf.multinomial."""

from kiln._generated import raw_ops as _raw
from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes
from kiln.compat.v1._deprecations import deprecated
from kiln.compat.v1._graph_functions import get_seed, name_scope

__all__ = [
    "multinomial", "random_gamma", "random_normal", "random_poisson",
    "random_shuffle", "random_uniform", "truncated_normal",
]  # fmt: skip


def random_normal(shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None):
    """Normally distributed numbers. Source: tf.random_normal."""
    return _c.random_normal(shape, mean, stddev, dtype, seed, name)


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None):
    """The same, without what is more than two standard deviations away. Source: tf.truncated_normal."""
    return _c.truncated_normal(shape, mean, stddev, dtype, seed, name)


def random_uniform(shape, minval=0, maxval=None, dtype=dtypes.float32, seed=None, name=None):
    """Numbers from minval to maxval, which is left out; of floating types 1 by default.

    Errors: ValueError for integers without maxval, and other dtypes. Source:
    tf.random_uniform.
    """
    dtype = dtypes.as_dtype(dtype)
    accepted = (
        dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64,
    )  # fmt: skip
    if dtype not in accepted:
        raise ValueError(f"Argument `dtype` got invalid value {dtype}. Accepted dtypes are {accepted}.")
    if maxval is None and dtype.is_integer:
        raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")
    if isinstance(maxval, int) and maxval == 1 and not dtype.is_integer:
        maxval = None
    return _c.random_uniform(shape, minval, maxval, dtype, seed, name)


def random_shuffle(value, seed=None, name=None):
    """The rows in another order. Source: tf.random_shuffle."""
    return _c.random_shuffle(value, seed, name)


def multinomial(logits, num_samples, seed=None, name=None, output_dtype=None):
    """Classes drawn by their logits. Shapes: logits: [n, classes] -> [n, num_samples].

    Source: tf.multinomial.
    """
    deprecated("ops.random_ops.multinomial", "Use `tf.random.categorical` instead.")
    return _c.multinomial(logits, num_samples, seed, _index_dtype(output_dtype), name)


def categorical(logits, num_samples, dtype=None, seed=None, name=None):
    """Classes drawn by their logits, as multinomial(). Source: tf.random.categorical."""
    with name_scope(name, "categorical", [logits]):
        logits = _c.convert(logits, None, None, "logits")
        seed1, seed2 = _seeds(seed)
        return _raw.multinomial(logits, num_samples, seed1, seed2, _index_dtype(dtype))


def _index_dtype(dtype):
    dtype = dtypes.as_dtype(dtype) if dtype else dtypes.int64
    accepted = (dtypes.int32, dtypes.int64)
    if dtype not in accepted:
        raise ValueError(f"Argument `dtype` got invalid value {dtype}. Accepted dtypes are {accepted}.")
    return dtype


def _seeds(seed):
    seed1, seed2 = get_seed(seed)
    return seed1 or 0, seed2 or 0


def random_gamma(shape, alpha, beta=None, dtype=dtypes.float32, seed=None, name=None):
    """Numbers of Gamma distributions. Shapes: shape + that of alpha and beta. Source: tf.random_gamma."""
    return _c.random_gamma(shape, alpha, beta, dtype, seed, name)


def random_poisson(lam, shape, dtype=dtypes.float32, seed=None, name=None):
    """Numbers of Poisson distributions. Shapes: shape + lam's. Source: tf.random_poisson."""
    with name_scope(name, "random_poisson", [lam, shape]):
        shape = _c.convert(shape, dtypes.int32, None, "shape")
        seed1, seed2 = _seeds(seed)
        return _raw.random_poisson_v2(shape, lam, seed1, seed2, dtype)


# Those that depend on their seed alone: two integers.


def stateless_random_uniform(
    shape, seed, minval=0, maxval=None, dtype=dtypes.float32, name=None
):
    """As random_uniform(), always the same of a seed. Source: tf.random.stateless_uniform."""
    return _c.stateless_random_uniform(shape, seed, minval, maxval, dtype, name)


def stateless_random_normal(shape, seed, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None):
    """As random_normal(), always the same of a seed. Source: tf.random.stateless_normal."""
    return _c.stateless_random_normal(shape, seed, mean, stddev, dtype, name)


def stateless_truncated_normal(shape, seed, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None):
    """As truncated_normal(), always the same of a seed. Source: tf.random.stateless_truncated_normal."""
    return _c.stateless_truncated_normal(shape, seed, mean, stddev, dtype, name)


def stateless_categorical(logits, num_samples, seed, dtype=dtypes.int64, name=None):
    """As categorical(), always the same of a seed. Source: tf.random.stateless_categorical."""
    with name_scope(name, "stateless_categorical", [logits, seed]):
        logits = _c.convert(logits, None, None, "logits")
        return _raw.stateless_multinomial(logits, num_samples, seed, _index_dtype(dtype))


def stateless_multinomial(logits, num_samples, seed, output_dtype=dtypes.int64, name=None):
    """The older form of stateless_categorical(). Source: tf.random.stateless_multinomial."""
    deprecated(
        "ops.stateless_random_ops.stateless_multinomial", "Use `tf.random.stateless_categorical` instead."
    )
    with name_scope(name, "stateless_multinomial", [logits, seed]):
        logits = _c.convert(logits, None, None, "logits")
        return _raw.stateless_multinomial(logits, num_samples, seed, _index_dtype(output_dtype))


# Classes for sampled losses: (sampled candidates, expected counts of the true classes, and of the sampled).


def uniform_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None):
    """Classes, all as likely. Source: tf.random.uniform_candidate_sampler."""
    return _raw.uniform_candidate_sampler(
        true_classes, num_true, num_sampled, unique, range_max, *_seeds(seed), name
    )


def log_uniform_candidate_sampler(
    true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None
):
    """Classes, low ones more likely, as of words by frequency. Source: tf.random.log_uniform_candidate_sampler."""
    return _raw.log_uniform_candidate_sampler(
        true_classes, num_true, num_sampled, unique, range_max, *_seeds(seed), name
    )


def learned_unigram_candidate_sampler(
    true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None
):
    """Classes as often as they were true. Source: tf.random.learned_unigram_candidate_sampler."""
    return _raw.learned_unigram_candidate_sampler(
        true_classes, num_true, num_sampled, unique, range_max, *_seeds(seed), name
    )


def fixed_unigram_candidate_sampler(
    true_classes,
    num_true,
    num_sampled,
    unique,
    range_max,
    vocab_file="",
    distortion=1.0,
    num_reserved_ids=0,
    num_shards=1,
    shard=0,
    unigrams=(),
    seed=None,
    name=None,
):
    """Classes by counts that a file or a list gives. Source: tf.random.fixed_unigram_candidate_sampler."""
    return _raw.fixed_unigram_candidate_sampler(
        true_classes, num_true, num_sampled, unique, range_max, vocab_file, distortion, num_reserved_ids,
        num_shards, shard, unigrams, *_seeds(seed), name,
    )  # fmt: skip


def all_candidate_sampler(true_classes, num_true, num_sampled, unique, seed=None, name=None):
    """All classes. Source: tf.random.all_candidate_sampler."""
    return _raw.all_candidate_sampler(true_classes, num_true, num_sampled, unique, *_seeds(seed), name)
