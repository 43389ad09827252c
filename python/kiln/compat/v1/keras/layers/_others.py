"""Attention, and columns of features."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras._engine._layer import Layer

__all__ = ["AdditiveAttention", "Attention", "DenseFeatures"]


class _Attention(Layer):
    """Sums of values, `[batch, steps, numbers]`, weighted by how queries fit to keys.

    Called with [query, value] or [query, value, key].
    """

    def __init__(self, causal=False, **kwargs):
        super().__init__(**kwargs)
        self.causal, self.supports_masking = causal, True

    def call(self, inputs, mask=None):
        if not isinstance(inputs, list) or len(inputs) not in (2, 3):
            raise ValueError(
                f"{type(self).__name__} layer must be called on a list of inputs, namely [query, "
                f"value] or [query, value, key]. Given: {inputs}"
            )
        query, value = inputs[:2]
        key = inputs[2] if len(inputs) > 2 else value
        masks = [None, None] if mask is None else mask
        scores = self._scores(query, key)
        hidden = None
        if masks[1] is not None:
            hidden = tf.expand_dims(tf.logical_not(masks[1]), axis=-2)
        if self.causal:
            steps = tf.shape(scores)[-2:]
            later = tf.range(steps[1])[None, :] > tf.range(steps[0])[:, None]
            hidden = later[None] if hidden is None else tf.logical_or(hidden, later[None])
        if hidden is not None:
            scores -= 1.0e9 * tf.cast(hidden, scores.dtype)
        result = tf.matmul(tf.nn.softmax(scores), value)
        if masks[0] is not None:
            result *= tf.cast(tf.expand_dims(masks[0], axis=-1), result.dtype)
        return result

    def compute_mask(self, inputs, mask=None):
        return mask[0] if mask and mask[0] is not None else None

    def get_config(self):
        own = {"causal": self.causal, "use_scale": self.use_scale}
        return {**super().get_config(), **own}


class Attention(_Attention):
    """Luong's attention: the products of queries and keys. Source: tf.keras.layers.Attention."""

    def __init__(self, use_scale=False, **kwargs):
        super().__init__(**kwargs)
        self.use_scale = use_scale

    def build(self, input_shape):
        self.scale = None
        if self.use_scale:
            self.scale = self.add_weight("scale", shape=(), initializer="ones")
        self.built = True

    def _scores(self, query, key):
        scores = tf.matmul(query, key, transpose_b=True)
        return scores if self.scale is None else scores * self.scale


class AdditiveAttention(_Attention):
    """Bahdanau's attention: the tanh of sums of queries and keys.

    Source: tf.keras.layers.AdditiveAttention.
    """

    def __init__(self, use_scale=True, **kwargs):
        super().__init__(**kwargs)
        self.use_scale = use_scale

    def build(self, input_shape):
        self.scale = None
        if self.use_scale:
            width = tf.TensorShape(input_shape[1])[-1].value
            self.scale = self.add_weight("scale", shape=[width], initializer="glorot_uniform")
        self.built = True

    def _scores(self, query, key):
        sums = tf.tanh(tf.expand_dims(query, axis=-2) + tf.expand_dims(key, axis=-3))
        return tf.reduce_sum(sums if self.scale is None else self.scale * sums, axis=-1)


class DenseFeatures(Layer):
    """Columns of tf.feature_column side by side. Called with a dict of features.

    Source: tf.keras.layers.DenseFeatures.
    """

    def __init__(self, feature_columns, trainable=True, name=None, **kwargs):
        from kiln.compat.v1.feature_column import _models

        partitioner = kwargs.pop("partitioner", None)
        super().__init__(name=name, trainable=trainable, **kwargs)
        self._columns = _models.DenseFeatures(
            feature_columns,
            self.name,
            trainable,
            partitioner,
            made=lambda variable: self._keep(variable, variable.op.name),
        )

    def build(self, input_shape):
        self._columns.build()
        self.built = True

    def call(self, features, cols_to_output_tensors=None):
        if not isinstance(features, dict):
            raise ValueError("We expected a dictionary here. Instead we got: ", features)
        return self._columns.apply(features, cols_to_output_tensors)

    def compute_output_shape(self, input_shape):
        shape = next(iter(input_shape.values())) if isinstance(input_shape, dict) else input_shape
        return tf.TensorShape([tf.TensorShape(shape)[0].value, self._columns.width])
