"""Vectors for numbers."""

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import regularizers
from kiln.compat.v1.keras.layers._configured import Configured

__all__ = ["Embedding"]


class Embedding(Configured):
    """A vector of weights for each integer below input_dim. mask_zero: whether 0 is masked.

    Source: tf.keras.layers.Embedding.
    """

    ARGUMENTS = (
        "input_dim", "output_dim", "embeddings_initializer", "embeddings_regularizer",
        "embeddings_constraint", "mask_zero", "input_length",
    )  # fmt: skip

    def __init__(
        self,
        input_dim,
        output_dim,
        embeddings_initializer="uniform",
        embeddings_regularizer=None,
        activity_regularizer=None,
        embeddings_constraint=None,
        mask_zero=False,
        input_length=None,
        **kwargs,
    ):
        given = dict(locals())
        if "input_shape" not in kwargs:
            kwargs["input_shape"] = (input_length,) if input_length else (None,)
        dtype = kwargs.pop("dtype", None) or "float32"
        super().__init__(
            dtype=dtype, activity_regularizer=regularizers.get(activity_regularizer), **kwargs
        )
        self._set(given)
        self.supports_masking = mask_zero

    def build(self, input_shape):
        self.embeddings = self.add_weight(
            "embeddings",
            shape=(self.input_dim, self.output_dim),
            initializer=self.embeddings_initializer,
            regularizer=self.embeddings_regularizer,
            constraint=self.embeddings_constraint,
        )
        self.built = True

    def compute_mask(self, inputs, mask=None):
        return tf.not_equal(inputs, 0) if self.mask_zero else None

    def call(self, inputs):
        if inputs.dtype.base_dtype not in (tf.int32, tf.int64):
            inputs = tf.cast(inputs, "int32")
        return tf.nn.embedding_lookup(self.embeddings, inputs)

    def compute_output_shape(self, input_shape):
        shape = tf.TensorShape(input_shape).as_list()
        return tf.TensorShape([*shape, self.output_dim])
