"""Functions of normal and Laplace distributions, exact in their tails.

tensorflow.python.ops.distributions.special_math.
"""

import math

import numpy as np

from kiln.compat import v1 as tf

__all__ = ["erfinv", "log_cdf_laplace", "log_ndtr", "ndtr", "ndtri"]


def _checked(x, name="x"):
    x = tf.convert_to_tensor(x, name=name)
    if x.dtype not in (tf.float32, tf.float64):
        raise TypeError(f"{name}.dtype={x.dtype} is not handled, see docstring for supported types.")
    return x


def ndtr(x, name="ndtr"):
    """The probability of values up to x of a standard normal distribution. Errors: TypeError."""
    with tf.name_scope(name, values=[x]):
        return _ndtr(_checked(x))


def _ndtr(x):
    half = tf.constant(0.5 * math.sqrt(2.0), dtype=x.dtype, name="half_sqrt_2")
    w = x * half
    z = tf.abs(w)
    is_near, near = tf.less(z, half), 1.0 + tf.erf(w)
    far = tf.where_v2(tf.greater(w, 0.0), 2.0 - tf.erfc(z), tf.erfc(z))
    return 0.5 * tf.where_v2(is_near, near, far)


# Rational approximations of the quantile in three ranges, the highest power first (Cephes).
_MIDDLE = (
    [-59.9633501014107895267, 98.0010754185999661536, -56.6762857469070293439,
     13.9312609387279679503, -1.23916583867381258016],
    [1.0, 1.95448858338141759834, 4.67627912898881538453, 86.3602421390890590575,
     -225.462687854119370527, 200.260212380060660359, -82.0372256168333339912,
     15.9056225126211695515, -1.18331621121330003142],
)  # fmt: skip
_TAIL = (
    [4.05544892305962419923, 31.5251094599893866154, 57.1628192246421288162,
     44.0805073893200834700, 14.6849561928858024014, 2.18663306850790267539,
     -0.140256079171354495875, -0.0350424626827848203418, -0.000857456785154685413611],
    [1.0, 15.7799883256466749731, 45.3907635128879210584, 41.3172038254672030440,
     15.0425385692907503408, 2.50464946208309415979, -0.142182922854787788574,
     -0.0380806407691578277194, -0.000933259480895457427372],
)  # fmt: skip
_FAR_TAIL = (
    [3.23774891776946035970, 6.91522889068984211695, 3.93881025292474443415,
     1.33303460815807542389, 0.201485389549179081538, 0.0123716634817820021358,
     0.000301581553508235416007, 2.65806974686737550832e-6, 6.23974539184983293730e-9],
    [1.0, 6.02427039364742014255, 3.67983563856160859403, 1.37702099489081330271,
     0.216236993594496635890, 0.0134204006088543189037, 0.000328014464682127739104,
     2.89247864745380683936e-6, 6.79019408009981274425e-9],
)  # fmt: skip


def _ratio(make_x, polynomials):
    """The ratio of two polynomials, each of a new tensor x."""
    values = []
    for coefficients in polynomials:
        x = make_x()
        value = tf.zeros_like(x)
        for coefficient in coefficients:
            value = x.dtype.as_numpy_dtype(coefficient) + value * x
        values.append(value)
    return values[0] / values[1]


def ndtri(p, name="ndtri"):
    """The inverse of ndtr(). Errors: TypeError."""
    with tf.name_scope(name, values=[p]):
        p = _checked(p, "p")
        as_dtype = p.dtype.as_numpy_dtype
        # The upper tail is the lower one, turned around.
        near = tf.where_v2(p > -math.expm1(-2.0), 1.0 - p, p)
        safe = tf.where_v2(near <= 0.0, tf.fill(tf.shape(p), as_dtype(0.5)), near)
        w = safe - 0.5
        square = w**2
        middle = w + w * square * _ratio(lambda: square, _MIDDLE)
        middle *= -math.sqrt(2.0 * math.pi)
        z = tf.sqrt(-2.0 * tf.log(safe))
        first = z - tf.log(z) / z
        far = _ratio(lambda: 1.0 / z, _FAR_TAIL) / z
        tail = _ratio(lambda: 1.0 / z, _TAIL) / z
        far, tail = first - far, first - tail
        # The ranges are told apart in the order that TensorFlow's nodes are numbered in.
        is_middle, is_far = safe > math.exp(-2.0), z >= 8.0
        x = tf.where_v2(is_middle, middle, tf.where_v2(is_far, far, tail))
        is_upper = p > 1.0 - math.exp(-2.0)
        x = tf.where_v2(is_upper, x, -x)
        infinity = tf.constant(math.inf, dtype=p.dtype)
        infinity = tf.fill(tf.shape(p), infinity)
        is_low, lowest = p <= 0.0, -infinity
        return tf.where_v2(is_low, lowest, tf.where_v2(p >= 1.0, infinity, x))


def log_ndtr(x, series_order=3, name="log_ndtr"):
    """The logarithm of ndtr(). series_order: of the series far below zero.

    Errors: TypeError, ValueError.
    """
    if not isinstance(series_order, int):
        raise TypeError("series_order must be a Python integer.")
    if series_order < 0:
        raise ValueError("series_order must be non-negative.")
    if series_order > 30:
        raise ValueError("series_order must be <= 30.")
    with tf.name_scope(name, values=[x]):
        x = tf.convert_to_tensor(x, name="x")
        if x.dtype not in (tf.float32, tf.float64):
            raise TypeError(f"x.dtype={x.dtype} is not supported.")
        lower, upper = (-20.0, 8.0) if x.dtype == tf.float64 else (-10.0, 5.0)
        is_above, above = tf.greater(x, upper), -_ndtr(-x)
        is_middle, middle = tf.greater(x, lower), tf.log(_ndtr(tf.maximum(x, lower)))
        below = _log_ndtr_lower(tf.minimum(x, lower), series_order)
        return tf.where_v2(is_above, above, tf.where_v2(is_middle, middle, below))


def _log_ndtr_lower(x, series_order):
    """By the asymptotic series."""
    square = tf.square(x)
    scale = -0.5 * square - tf.log(-x) - 0.5 * math.log(2.0 * math.pi)
    return scale + tf.log(_asymptotic_series(x, series_order))


def _asymptotic_series(x, order):
    """1 - 1 / x**2 + 3 / x**4 - 15 / x**6 ..., by the sums of the even and of the odd terms."""
    as_dtype = x.dtype.as_numpy_dtype
    if order == 0:
        return as_dtype(1)
    square = power = tf.square(x)
    sums = [tf.zeros_like(x), tf.zeros_like(x)]
    for n in range(1, order + 1):
        factor = np.prod(np.arange(2 * n - 1, 1, -2, dtype=np.float64))
        sums[n % 2] += as_dtype(factor) / power
        power *= square
    return 1.0 + sums[0] - sums[1]


def erfinv(x, name="erfinv"):
    """The inverse of the error function. Errors: TypeError."""
    with tf.name_scope(name, values=[x]):
        return ndtri((_checked(x) + 1.0) / 2.0) / math.sqrt(2)


def log_cdf_laplace(x, name="log_cdf_laplace"):
    """The logarithm of the probability of values up to x of a standard Laplace distribution."""
    with tf.name_scope(name, values=[x]):
        x = tf.convert_to_tensor(x, name="x")
        lower = -math.log(2.0) + x
        upper = tf.log1p(-0.5 * tf.exp(-tf.abs(x)))
        return tf.where_v2(x < 0.0, lower, upper)
