"""Layers of several inputs."""

import functools

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras._engine._layer import Layer

__all__ = [
    "Add", "Average", "Concatenate", "Dot", "Maximum", "Minimum", "Multiply", "Subtract", "add",
    "average", "concatenate", "dot", "maximum", "minimum", "multiply", "subtract",
]  # fmt: skip


class _Merge(Layer):
    """Inputs put together element by element; those with fewer axes are spread."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True

    def build(self, input_shape):
        if not isinstance(input_shape, (list, tuple)) or isinstance(input_shape, tf.TensorShape):
            raise ValueError("A merge layer should be called on a list of inputs.")
        if len(input_shape) < 2:
            raise ValueError(
                "A merge layer should be called on a list of at least 2 inputs. Got "
                f"{len(input_shape)} inputs."
            )
        self._check([tf.TensorShape(shape).as_list() for shape in input_shape])
        self.built = True

    def _check(self, shapes):
        batches = {shape[0] for shape in shapes if shape} - {None}
        if len(batches) > 1:
            raise ValueError(
                "Can not merge tensors with different batch sizes. Got tensors with shapes : "
                f"{shapes}"
            )
        functools.reduce(_spread_shape, [shape[1:] for shape in shapes])

    def call(self, inputs):
        if not isinstance(inputs, (list, tuple)):
            raise ValueError("A merge layer should be called on a list of inputs.")
        rank = max(each.shape.ndims for each in inputs)
        return self._merge([_with_axes(each, rank) for each in inputs])

    def compute_output_shape(self, input_shape):
        shapes = [tf.TensorShape(shape).as_list() for shape in input_shape]
        inner = functools.reduce(_spread_shape, [shape[1:] for shape in shapes])
        batches = {shape[0] for shape in shapes} - {None}
        return tf.TensorShape([batches.pop() if len(batches) == 1 else None, *inner])

    def compute_mask(self, inputs, mask=None):
        if mask is None or all(each is None for each in mask):
            return None
        masks = [tf.expand_dims(each, axis=0) for each in mask if each is not None]
        return K.all(tf.concat(masks, axis=0), axis=0, keepdims=False)


def _with_axes(tensor, rank):
    """A tensor with axes of extent 1 behind the batch."""
    for _ in range(rank - tensor.shape.ndims):
        tensor = tf.expand_dims(tensor, axis=1)
    return tensor


def _spread_shape(left, right):
    """The shape of two that are spread to each other. Errors: ValueError."""
    if len(left) < len(right):
        left, right = right, left
    result = list(left[: len(left) - len(right)])
    for a, b in zip(left[len(left) - len(right) :], right):
        if a is None or b is None:
            result.append(None)
        elif a == 1 or b == 1:
            result.append(b if a == 1 else a)
        elif a != b:
            raise ValueError(
                f"Operands could not be broadcast together with shapes {tuple(left)} {tuple(right)}"
            )
        else:
            result.append(a)
    return result


class Add(_Merge):
    """The sum. Source: tf.keras.layers.Add."""

    def _merge(self, inputs):
        return functools.reduce(lambda a, b: a + b, inputs)


class Subtract(_Merge):
    """The difference of two. Source: tf.keras.layers.Subtract."""

    def build(self, input_shape):
        super().build(input_shape)
        if len(input_shape) != 2:
            raise ValueError("A `Subtract` layer should be called on exactly 2 inputs")

    def _merge(self, inputs):
        return inputs[0] - inputs[1]


class Multiply(_Merge):
    """The product. Source: tf.keras.layers.Multiply."""

    def _merge(self, inputs):
        return functools.reduce(lambda a, b: a * b, inputs)


class Average(_Merge):
    """The mean. Source: tf.keras.layers.Average."""

    def _merge(self, inputs):
        return functools.reduce(lambda a, b: a + b, inputs) / len(inputs)


class Maximum(_Merge):
    """The largest. Source: tf.keras.layers.Maximum."""

    def _merge(self, inputs):
        return functools.reduce(tf.maximum, inputs)


class Minimum(_Merge):
    """The smallest. Source: tf.keras.layers.Minimum."""

    def _merge(self, inputs):
        return functools.reduce(tf.minimum, inputs)


class Concatenate(_Merge):
    """One behind the other along an axis. Source: tf.keras.layers.Concatenate."""

    def __init__(self, axis=-1, **kwargs):
        super().__init__(**kwargs)
        self.axis = axis

    def _check(self, shapes):
        others = set()
        for shape in shapes:
            shape = list(shape)
            del shape[self.axis]
            others.add(tuple(shape))
        for one in others:
            for two in others:
                fits = len(one) == len(two) and all(
                    a is None or b is None or a == b for a, b in zip(one, two)
                )
                if not fits:
                    raise ValueError(
                        "A `Concatenate` layer requires inputs with matching shapes except for the "
                        f"concat axis. Got inputs shapes: {[tuple(shape) for shape in shapes]}"
                    )

    def call(self, inputs):
        return K.concatenate(inputs, axis=self.axis)

    def compute_output_shape(self, input_shape):
        shapes = [tf.TensorShape(shape).as_list() for shape in input_shape]
        result = list(shapes[0])
        for shape in shapes[1:]:
            extents = result[self.axis], shape[self.axis]
            result[self.axis] = None if None in extents else sum(extents)
        return tf.TensorShape(result)

    def compute_mask(self, inputs, mask=None):
        if mask is None or all(each is None for each in mask):
            return None
        masks = []
        for tensor, each in zip(inputs, mask):
            if each is None:
                masks.append(tf.ones_like(tensor, dtype=tf.bool))
            elif each.shape.ndims < tensor.shape.ndims:
                masks.append(tf.expand_dims(each, -1))
            else:
                masks.append(each)
        return K.all(tf.concat(masks, axis=self.axis), axis=-1, keepdims=False)

    def get_config(self):
        return {**super().get_config(), "axis": self.axis}


class Dot(_Merge):
    """The products of pairs of examples over axes. normalize: of vectors of length 1.

    Source: tf.keras.layers.Dot.
    """

    def __init__(self, axes, normalize=False, **kwargs):
        super().__init__(**kwargs)
        if not isinstance(axes, int):
            if not isinstance(axes, (list, tuple)):
                raise TypeError("Invalid type for `axes` - should be a list or an int.")
            if len(axes) != 2:
                raise ValueError("Invalid format for `axes` - should contain two elements.")
        self.axes, self.normalize, self.supports_masking = axes, normalize, True

    def _check(self, shapes):
        one, two = shapes
        axes = (self.axes, self.axes) if isinstance(self.axes, int) else self.axes
        extents = one[axes[0]], two[axes[1]]
        if None not in extents and extents[0] != extents[1]:
            raise ValueError(
                f"Dimension incompatibility {extents[0]} != {extents[1]}. Layer shapes: {one}, "
                f"{two}"
            )

    def call(self, inputs):
        one, two = inputs
        axes = self.axes
        if isinstance(axes, int):
            axes = [axes % one.shape.ndims, axes % two.shape.ndims]
        else:
            axes = [axis % each.shape.ndims for axis, each in zip(axes, inputs)]
        if self.normalize:
            one, two = (K.l2_normalize(each, axis=axis) for each, axis in zip((one, two), axes))
        return K.batch_dot(one, two, axes)

    def compute_output_shape(self, input_shape):
        one, two = (tf.TensorShape(shape).as_list() for shape in input_shape)
        axes = (self.axes, self.axes) if isinstance(self.axes, int) else self.axes
        del one[axes[0]], two[axes[1]]
        shape = one + two[1:]
        return tf.TensorShape(shape if len(shape) > 1 else [*shape, 1])

    def compute_mask(self, inputs, mask=None):
        return None

    def get_config(self):
        return {**super().get_config(), "axes": self.axes, "normalize": self.normalize}


def add(inputs, **kwargs):
    """Add as a function."""
    return Add(**kwargs)(inputs)


def subtract(inputs, **kwargs):
    """Subtract as a function."""
    return Subtract(**kwargs)(inputs)


def multiply(inputs, **kwargs):
    """Multiply as a function."""
    return Multiply(**kwargs)(inputs)


def average(inputs, **kwargs):
    """Average as a function."""
    return Average(**kwargs)(inputs)


def maximum(inputs, **kwargs):
    """Maximum as a function."""
    return Maximum(**kwargs)(inputs)


def minimum(inputs, **kwargs):
    """Minimum as a function."""
    return Minimum(**kwargs)(inputs)


def concatenate(inputs, axis=-1, **kwargs):
    """Concatenate as a function."""
    return Concatenate(axis=axis, **kwargs)(inputs)


def dot(inputs, axes, normalize=False, **kwargs):
    """Dot as a function."""
    return Dot(axes=axes, normalize=normalize, **kwargs)(inputs)
