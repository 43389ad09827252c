"""Initializers: objects that make the first values of variables."""

from kiln._kiln import front as _c
from kiln.compat.v1 import dtypes

__all__ = [
    "constant_initializer", "glorot_normal_initializer", "glorot_uniform_initializer", "ones_initializer",
    "orthogonal_initializer", "random_normal_initializer", "random_uniform_initializer",
    "truncated_normal_initializer", "uniform_unit_scaling_initializer", "variance_scaling_initializer",
    "zeros_initializer",
]  # fmt: skip


class Initializer:
    """Called with a shape, it gives first values. Source: tf.keras.initializers.Initializer."""

    def __call__(self, shape, dtype=None, partition_info=None):
        raise NotImplementedError

    def get_config(self):
        """The arguments that make the same initializer."""
        return {}

    @classmethod
    def from_config(cls, config):
        return cls(**config)


def _float_dtype(dtype):
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"Expected floating point type, got {dtype}.")
    return dtype


class _Typed(Initializer):
    """With a dtype that stands where the call gives none."""

    def _dtype(self, dtype):
        return self.dtype if dtype is None else dtypes.as_dtype(dtype)


class Zeros(_Typed):
    """Zeros. Source: tf.zeros_initializer."""

    def __init__(self, dtype=dtypes.float32):
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        return _c.zeros_initializer(shape, self._dtype(dtype), None)

    def get_config(self):
        return {"dtype": self.dtype.name}


class Ones(_Typed):
    """Ones. Source: tf.ones_initializer."""

    def __init__(self, dtype=dtypes.float32):
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        return _c.ones_initializer(shape, self._dtype(dtype), None)

    def get_config(self):
        return {"dtype": self.dtype.name}


class Constant(_Typed):
    """A value for all elements, or a list whose last one stands for those that are missing.

    Source: tf.constant_initializer.
    """

    def __init__(self, value=0, dtype=dtypes.float32, verify_shape=False):
        import numpy as np

        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError(
                f"Invalid type for initial value: {type(value)} (expected Python scalar, list or tuple of values, "
                "or numpy.ndarray)."
            )
        self.value, self.dtype, self._verify_shape = value, dtypes.as_dtype(dtype), verify_shape

    def __call__(self, shape, dtype=None, partition_info=None, verify_shape=None):
        return _c.constant_initializer(shape, self._dtype(dtype), None, self.value)

    def get_config(self):
        return {"value": self.value, "dtype": self.dtype.name}


class RandomUniform(_Typed):
    """Uniformly between two limits. Source: tf.random_uniform_initializer."""

    def __init__(self, minval=0, maxval=None, seed=None, dtype=dtypes.float32):
        self.minval, self.maxval, self.seed = minval, maxval, seed
        self.dtype = dtypes.as_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        dtype, high = self._dtype(dtype), 1 if self.maxval is None else self.maxval
        if not dtype.is_floating or any(isinstance(limit, _c.Tensor) for limit in (self.minval, high)):
            return _c.random_uniform(shape, self.minval, self.maxval, dtype, self.seed)
        return _c.random_uniform_initializer(shape, dtype, None, self.minval, high, self.seed)

    def get_config(self):
        return {"minval": self.minval, "maxval": self.maxval, "seed": self.seed, "dtype": self.dtype.name}


class RandomNormal(_Typed):
    """Normally distributed. Source: tf.random_normal_initializer."""

    _make = staticmethod(_c.random_normal_initializer)

    def __init__(self, mean=0.0, stddev=1.0, seed=None, dtype=dtypes.float32):
        self.mean, self.stddev, self.seed, self.dtype = mean, stddev, seed, _float_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        return self._make(shape, self._dtype(dtype), None, self.mean, self.stddev, self.seed)

    def get_config(self):
        return {"mean": self.mean, "stddev": self.stddev, "seed": self.seed, "dtype": self.dtype.name}


class TruncatedNormal(RandomNormal):
    """Normally distributed, within two standard deviations. Source: tf.truncated_normal_initializer."""

    _make = staticmethod(_c.truncated_normal_initializer)


class VarianceScaling(_Typed):
    """Random numbers whose variance follows from the shape.

    mode: "fan_in", "fan_out", "fan_avg"; distribution: "truncated_normal" or
    "normal", "untruncated_normal", "uniform". Errors: ValueError. Source:
    tf.variance_scaling_initializer.
    """

    def __init__(self, scale=1.0, mode="fan_in", distribution="truncated_normal", seed=None, dtype=dtypes.float32):
        if scale <= 0.0:
            raise ValueError("`scale` must be positive float.")
        if mode not in {"fan_in", "fan_out", "fan_avg"}:
            raise ValueError("Invalid `mode` argument:", mode)
        distribution = distribution.lower()
        if distribution not in {"normal", "uniform", "truncated_normal", "untruncated_normal"}:
            raise ValueError("Invalid `distribution` argument:", distribution)
        self.scale, self.mode, self.distribution, self.seed = scale, mode, distribution, seed
        self.dtype = _float_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        return _c.variance_scaling_initializer(
            shape, self._dtype(dtype), partition_info, self.scale, self.mode, self.distribution, self.seed
        )

    def get_config(self):
        return {
            "scale": self.scale, "mode": self.mode, "distribution": self.distribution, "seed": self.seed,
            "dtype": self.dtype.name,
        }  # fmt: skip


def _scaled(name, source, **fixed):
    """A class of VarianceScaling with its arguments fixed."""

    class Scaled(VarianceScaling):
        def __init__(self, seed=None, dtype=dtypes.float32):
            super().__init__(seed=seed, dtype=dtype, **fixed)

        def get_config(self):
            return {"seed": self.seed, "dtype": self.dtype.name}

    Scaled.__name__ = Scaled.__qualname__ = name
    Scaled.__doc__ = f"VarianceScaling with {fixed}. Source: {source}."
    return Scaled


GlorotUniform = _scaled(
    "GlorotUniform", "tf.glorot_uniform_initializer", scale=1.0, mode="fan_avg", distribution="uniform"
)
GlorotNormal = _scaled(
    "GlorotNormal", "tf.glorot_normal_initializer", scale=1.0, mode="fan_avg", distribution="truncated_normal"
)


def he_normal(seed=None):
    """For layers of rectified units. Source: tf.initializers.he_normal."""
    return VarianceScaling(scale=2.0, mode="fan_in", distribution="truncated_normal", seed=seed)


def he_uniform(seed=None):
    """For layers of rectified units. Source: tf.initializers.he_uniform."""
    return VarianceScaling(scale=2.0, mode="fan_in", distribution="uniform", seed=seed)


def lecun_normal(seed=None):
    """Normally distributed, by the number of inputs. Source: tf.initializers.lecun_normal."""
    return VarianceScaling(scale=1.0, mode="fan_in", distribution="truncated_normal", seed=seed)


def lecun_uniform(seed=None):
    """Uniformly, by the number of inputs. Source: tf.initializers.lecun_uniform."""
    return VarianceScaling(scale=1.0, mode="fan_in", distribution="uniform", seed=seed)


class Orthogonal(_Typed):
    """An orthogonal matrix times the gain, whose columns are the last axis.

    Errors: ValueError for a rank below 2. Source: tf.orthogonal_initializer.
    """

    def __init__(self, gain=1.0, seed=None, dtype=dtypes.float32):
        self.gain, self.seed, self.dtype = gain, seed, _float_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        return _c.orthogonal_initializer(shape, self._dtype(dtype), None, self.gain, self.seed)

    def get_config(self):
        return {"gain": self.gain, "seed": self.seed, "dtype": self.dtype.name}


class Identity(_Typed):
    """The gain on the diagonal. Errors: ValueError for another rank than 2. Source: tf.initializers.identity."""

    def __init__(self, gain=1.0, dtype=dtypes.float32):
        self.gain, self.dtype = gain, _float_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        return _c.identity_initializer(shape, self._dtype(dtype), partition_info, self.gain)

    def get_config(self):
        return {"gain": self.gain, "dtype": self.dtype.name}


class UniformUnitScaling(_Typed):
    """Uniformly, so that the variance of a product with the inputs stays.

    Source: tf.uniform_unit_scaling_initializer.
    """

    def __init__(self, factor=1.0, seed=None, dtype=dtypes.float32):
        self.factor, self.seed, self.dtype = factor, seed, _float_dtype(dtype)

    def __call__(self, shape, dtype=None, partition_info=None):
        return _c.uniform_unit_scaling_initializer(
            shape, self._dtype(dtype), partition_info, self.factor, self.seed
        )

    def get_config(self):
        return {"factor": self.factor, "seed": self.seed, "dtype": self.dtype.name}


# TensorFlow's functional names.
zeros_initializer, ones_initializer, constant_initializer = Zeros, Ones, Constant
random_uniform_initializer, random_normal_initializer = RandomUniform, RandomNormal
truncated_normal_initializer, variance_scaling_initializer = TruncatedNormal, VarianceScaling
glorot_uniform_initializer, glorot_normal_initializer = GlorotUniform, GlorotNormal
orthogonal_initializer, uniform_unit_scaling_initializer = Orthogonal, UniformUnitScaling


class PartitionInfo:
    """The part of a partitioned variable that is initialized."""

    def __init__(self, full_shape, var_offset):
        self.full_shape, self.var_offset = full_shape.as_list(), list(var_offset)


def _as_initializer(initializer):
    """For C++: what an initializer is, and what to call with shape, dtype and partition."""
    if isinstance(initializer, type):
        initializer = initializer()
    if not callable(initializer):
        return "value", initializer
    if isinstance(initializer, Initializer):
        takes_partition = True
    else:
        required, names = _parameters(initializer)
        if not required and "shape" not in names:
            return "plain", initializer
        takes_partition = "partition_info" in names

    def make(shape, dtype, partition):
        shape = shape.as_list()
        if not takes_partition:
            return initializer(shape, dtype=dtype)
        part = partition and PartitionInfo(*partition)
        return initializer(shape, dtype=dtype, partition_info=part)

    make.initializer = initializer  # what C++ gives back
    return "shaped", make


def _parameters(function):
    """The parameters without a default, and all names."""
    import inspect

    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ["shape"], ["shape"]
    plain = [each for each in parameters if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    return [each.name for each in plain if each.default is each.empty], [each.name for each in plain]


_c.set_classes(as_initializer=_as_initializer)
