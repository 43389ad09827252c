"""Batches and examples with mean 0 and variance 1."""

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras._engine._input_spec import InputSpec
from kiln.compat.v1.keras.layers._configured import Configured
from kiln.compat.v1.keras.layers._core import smart_cond

__all__ = ["BatchNormalization", "LayerNormalization"]


class BatchNormalization(Configured):
    """The inputs with mean 0 and variance 1 along an axis, of the batch in training, of a moving
    mean otherwise; times gamma, plus beta.

    A step of training has to run the layer's updates. Source: tf.keras.layers.BatchNormalization.
    """

    ARGUMENTS = (
        "axis", "momentum", "epsilon", "center", "scale", "beta_initializer", "gamma_initializer",
        "moving_mean_initializer", "moving_variance_initializer", "beta_regularizer",
        "gamma_regularizer", "beta_constraint", "gamma_constraint",
    )  # fmt: skip

    def __init__(
        self,
        axis=-1,
        momentum=0.99,
        epsilon=1e-3,
        center=True,
        scale=True,
        beta_initializer="zeros",
        gamma_initializer="ones",
        moving_mean_initializer="zeros",
        moving_variance_initializer="ones",
        beta_regularizer=None,
        gamma_regularizer=None,
        beta_constraint=None,
        gamma_constraint=None,
        renorm=False,
        renorm_clipping=None,
        renorm_momentum=0.99,
        fused=None,
        trainable=True,
        virtual_batch_size=None,
        adjustment=None,
        name=None,
        **kwargs,
    ):
        if renorm or virtual_batch_size is not None or adjustment is not None:
            raise NotImplementedError(
                "tf.keras.layers.BatchNormalization has no renorm, virtual_batch_size and "
                "adjustment in Kiln; tf.layers.BatchNormalization has renorm"
            )
        given = dict(locals(), axis=axis if isinstance(axis, int) else list(axis))
        super().__init__(name=name, trainable=trainable, **kwargs)
        self._set(given)
        self.supports_masking, self.fused, self.renorm = True, fused, False

    def build(self, input_shape):
        shape = tf.TensorShape(input_shape)
        if shape.ndims is None:
            raise ValueError("Input has undefined rank:", input_shape)
        rank = shape.ndims
        axes = [self.axis] if isinstance(self.axis, int) else list(self.axis)
        axes = [axis + rank if axis < 0 else axis for axis in axes]
        if any(not 0 <= axis < rank for axis in axes):
            raise ValueError("Invalid axis: %d" % self.axis)
        if len(set(axes)) != len(axes):
            raise ValueError("Duplicate axis: %s" % axes)
        self.axis = self._axes = axes
        extents = {axis: shape[axis].value for axis in axes}
        if None in extents.values():
            raise ValueError("Input has undefined `axis` dimension. Input shape: ", input_shape)
        self.input_spec = InputSpec(ndim=rank, axes=extents)
        if self.fused is None:
            self.fused = rank == 4 and axes in ([1], [3])
        if len(axes) == 1:
            size = (extents[axes[0]],)
        else:
            size = tuple(extents.get(i, 1) for i in range(rank))
        self.gamma = self._weight("gamma", size) if self.scale else None
        self.beta = self._weight("beta", size) if self.center else None
        for moving in ("moving_mean", "moving_variance"):
            variable = self.add_weight(
                moving,
                shape=size,
                initializer=getattr(self, f"{moving}_initializer"),
                trainable=False,
            )
            setattr(self, moving, variable)
        self.built = True

    def _weight(self, name, size):
        return self.add_weight(
            name,
            shape=size,
            initializer=getattr(self, f"{name}_initializer"),
            regularizer=getattr(self, f"{name}_regularizer"),
            constraint=getattr(self, f"{name}_constraint"),
        )

    def call(self, inputs, training=None):
        if training is None:
            training = K.learning_phase()
        if self.fused:
            return self._fused(inputs, training)
        return self._plain(inputs, training)

    def _update(self, variable, value, momentum, inputs):
        with tf.name_scope("AssignMovingAvg") as scope, tf.colocate_with(variable):
            delta = (variable - tf.cast(value, variable.dtype)) * (1.0 - momentum)
            update = tf.assign_sub(variable, delta, name=scope)
        self.add_update(update, inputs=inputs)

    def _momentum(self, training):
        return smart_cond(training, lambda: self.momentum, lambda: 1.0)

    def _fused(self, inputs, training):
        data_format = "NCHW" if self._axes == [1] else "NHWC"
        size = self.moving_mean.shape.as_list()
        gamma = self.gamma if self.scale else tf.ones(size)
        beta = self.beta if self.center else tf.zeros(size)

        def of_batch():
            return tf.nn.fused_batch_norm(
                inputs, gamma, beta, epsilon=self.epsilon, data_format=data_format
            )

        def of_moving_means():
            return tf.nn.fused_batch_norm(
                inputs,
                gamma,
                beta,
                mean=self.moving_mean,
                variance=self.moving_variance,
                epsilon=self.epsilon,
                is_training=False,
                data_format=data_format,
            )

        outputs, mean, variance = smart_cond(training, of_batch, of_moving_means)
        if _may_train(training):
            momentum = self._momentum(training)
            self._update(self.moving_mean, mean, momentum, inputs)
            self._update(self.moving_variance, variance, momentum, inputs)
        return outputs

    def _plain(self, inputs, training):
        rank, axes = inputs.shape.ndims, self._axes
        others = [i for i in range(rank) if i not in axes]
        spread_shape = [1] * rank
        spread_shape[axes[0]] = inputs.shape[axes[0]].value

        def spread(value):
            if value is not None and len(axes) == 1 and axes != [rank - 1]:
                return tf.reshape(value, spread_shape)
            return value

        mean, variance = self.moving_mean, self.moving_variance
        if _may_train(training):
            of_batch = tf.nn.moments(inputs, others, keep_dims=len(axes) > 1)
            mean, variance = (
                smart_cond(
                    training,
                    lambda new=new: new,
                    lambda old=old: tf.convert_to_tensor(old),
                )
                for new, old in zip(of_batch, (self.moving_mean, self.moving_variance))
            )
            momentum = self._momentum(training)
            self._update(self.moving_mean, mean, momentum, inputs)
            self._update(self.moving_variance, variance, momentum, inputs)
        outputs = tf.nn.batch_normalization(
            inputs,
            spread(tf.cast(mean, inputs.dtype)),
            spread(tf.cast(variance, inputs.dtype)),
            spread(self.beta),
            spread(self.gamma),
            self.epsilon,
        )
        outputs.set_shape(inputs.shape)
        return outputs

    def compute_output_shape(self, input_shape):
        return input_shape


def _may_train(training):
    return isinstance(training, tf.Tensor) or bool(training)


class LayerNormalization(Configured):
    """Each example with mean 0 and variance 1 over axes; times gamma, plus beta.

    Source: tf.keras.layers.LayerNormalization.
    """

    ARGUMENTS = (
        "axis", "epsilon", "center", "scale", "beta_initializer", "gamma_initializer",
        "beta_regularizer", "gamma_regularizer", "beta_constraint", "gamma_constraint",
    )  # fmt: skip

    def __init__(
        self,
        axis=-1,
        epsilon=1e-3,
        center=True,
        scale=True,
        beta_initializer="zeros",
        gamma_initializer="ones",
        beta_regularizer=None,
        gamma_regularizer=None,
        beta_constraint=None,
        gamma_constraint=None,
        trainable=True,
        name=None,
        **kwargs,
    ):
        given = dict(locals(), axis=axis if isinstance(axis, int) else list(axis))
        super().__init__(name=name, trainable=trainable, **kwargs)
        self._set(given)
        self.supports_masking = True

    def build(self, input_shape):
        rank = tf.TensorShape(input_shape).ndims
        axes = [self.axis] if isinstance(self.axis, int) else list(self.axis)
        self.axis = self._axes = [axis + rank if axis < 0 else axis for axis in axes]
        size = [tf.TensorShape(input_shape)[axis].value for axis in self._axes]
        self.gamma = BatchNormalization._weight(self, "gamma", size) if self.scale else None
        self.beta = BatchNormalization._weight(self, "beta", size) if self.center else None
        self.built = True

    def call(self, inputs):
        mean, variance = tf.nn.moments(inputs, self._axes, keep_dims=True)
        shape = np.ones(inputs.shape.ndims, dtype=int)
        for axis in self._axes:
            shape[axis] = inputs.shape[axis].value

        def spread(value):
            return None if value is None else tf.reshape(value, shape.tolist())

        outputs = tf.nn.batch_normalization(
            inputs,
            mean,
            variance,
            offset=spread(self.beta),
            scale=spread(self.gamma),
            variance_epsilon=self.epsilon,
        )
        outputs.set_shape(inputs.shape)
        return outputs

    def compute_output_shape(self, input_shape):
        return input_shape
