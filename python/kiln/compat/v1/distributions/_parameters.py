"""Parameters of distributions: logits and probabilities, checks, seeds."""

import hashlib

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.framework._tensors import with_dependencies


def gen_new_seed(seed, salt):
    """Another seed, that a seed and a text make."""
    if seed is None:
        return None
    digest = hashlib.md5(f"{seed}{salt}".encode()).hexdigest()
    return int(digest[:8], 16) & 0x7FFFFFFF


def get_logits_and_probs(
    logits=None, probs=None, multidimensional=False, validate_args=False, name="get_logits_and_probs"
):
    """Both, of which one is given.

    multidimensional: whether the last dimension is of classes, otherwise each is a probability.
    Errors: ValueError, TypeError.
    """
    with tf.name_scope(name, values=[probs, logits]):
        if (probs is None) == (logits is None):
            raise ValueError("Must pass probs or logits, but not both.")
        if probs is None:
            logits = tf.convert_to_tensor(logits, name="logits")
            if not logits.dtype.is_floating:
                raise TypeError("logits must having floating type.")
            if multidimensional:
                if validate_args:
                    logits = check_categories(logits)
                return logits, tf.nn.softmax(logits, name="probs")
            return logits, tf.sigmoid(logits, name="probs")
        probs = tf.convert_to_tensor(probs, name="probs")
        if not probs.dtype.is_floating:
            raise TypeError("probs must having floating type.")
        if validate_args:
            probs = _checked_probs(probs, multidimensional)
        with tf.name_scope("logits"):
            if multidimensional:
                return tf.log(probs), probs
            return tf.log(probs) - tf.log1p(-1.0 * probs), probs


def _checked_probs(probs, multidimensional):
    with tf.name_scope("validate_probs"):
        one = tf.constant(1.0, probs.dtype)
        checks = [tf.assert_non_negative(probs)]
        if multidimensional:
            probs = check_categories(probs)
            total = tf.reduce_sum(probs, -1)
            checks.append(tf.assert_near(total, one, message="probs does not sum to 1."))
        else:
            words = "probs has components greater than 1."
            checks.append(tf.assert_less_equal(probs, one, message=words))
        return with_dependencies(checks, probs)


def check_categories(parameter, name="embed_check_categorical_event_shape"):
    """The parameter, with at least one dimension and two classes. Errors: ValueError, TypeError."""
    with tf.name_scope(name, values=[parameter]):
        x = tf.convert_to_tensor(parameter, name="categorical_param")
        dtype = x.dtype.base_dtype
        if not dtype.is_floating:
            raise TypeError(f"Unable to validate size of unrecognized dtype ({dtype.name}).")
        most = int(2 ** (np.finfo(dtype.as_numpy_dtype).nmant + 1))
        no_dimension = "A categorical-distribution parameter must have at least 1 dimension."
        one_class = "A categorical-distribution parameter must have at least 2 events."
        try:
            static = x.get_shape().with_rank_at_least(1)
        except ValueError:
            raise ValueError(no_dimension) from None
        size = tf.dimension_value(static[-1])
        if size is not None:
            if size < 2:
                raise ValueError(one_class)
            if size > most:
                raise ValueError(
                    f"Number of classes exceeds `dtype` precision, i.e., {dtype.name} implies "
                    f"shape ({size}) cannot exceed {most}."
                )
            return x
        size = tf.shape(x, name="x_shape")[-1]
        words = f"Number of classes exceeds `dtype` precision, i.e., {dtype.name} dtype cannot exceed {most} shape."
        checks = [
            tf.assert_rank_at_least(x, 1, message=no_dimension),
            tf.assert_greater_equal(tf.shape(x)[-1], 2, message=one_class),
            tf.assert_less_equal(size, most, message=words),
        ]
        return with_dependencies(checks, x)


def check_integers(x, target_dtype):
    """The values, which have to be whole and not negative."""
    with tf.name_scope("embed_check_casting_closed", values=[x]):
        x = tf.convert_to_tensor(x, name="x")
        checks = [tf.assert_non_negative(x, message="Elements must be non-negative.")]
        if x.dtype.is_floating:
            words = f"Elements must be {target_dtype.name}-equivalent."
            with tf.name_scope("assert_integer_form", values=[x, None]):
                whole = tf.cast(tf.cast(x, target_dtype), x.dtype)
                check = tf.assert_equal(x, whole, message=words, name="assert_integer_form")
            checks.append(check)
        elif target_dtype == tf.bool:
            checks.append(tf.assert_less_equal(x, tf.cast(1, x.dtype), message="Elements cannot exceed 1."))
        return with_dependencies(checks, x)


def nan_where_not(is_defined, values, distribution):
    """The values, and no number where they are not defined, which a function tells."""
    nan = np.array(np.nan, dtype=distribution.dtype.as_numpy_dtype)
    nans = tf.fill(distribution.batch_shape_tensor(), nan, name="nan")
    return tf.where_v2(is_defined(), values, nans)
