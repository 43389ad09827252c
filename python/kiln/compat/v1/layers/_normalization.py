"""Batch normalization."""

from kiln._kiln import front as _c
from kiln.compat.v1._deprecations import deprecated
from kiln.compat.v1._initializers import Ones, Zeros
from kiln.compat.v1.layers import _named
from kiln.compat.v1.layers._native import NativeLayer

_zeros, _ones = Zeros(), Ones()


class BatchNormalization(NativeLayer):
    """(x - mean) / sqrt(variance + epsilon) * gamma + beta, by moments of the batch or moving ones.

    The moments are those of the batch in training, else the moving ones. axis: of the channels, or
    a list of axes, whose combinations have averages of their own. center, scale: whether there is a
    beta, and a gamma. In training, what moves the averages goes into "update_ops"; a step has to
    run it: tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)).
    renorm: corrections by the moving moments in training, too; renorm_clipping: a dict with "rmin",
    "rmax", "dmax". fused: FusedBatchNormV3 where it computes it. virtual_batch_size: so many rows have
    moments of their own. adjustment: a function of the shape that gives a scale and a bias for
    training. Variables: gamma, beta, moving_mean, moving_variance. Errors: ValueError for axes that
    are not there or not known. Source: tf.layers.BatchNormalization; with renorm, the moving moments
    begin with the first values of the others, as in TensorFlow 2.
    """

    _arguments = (
        "axis", "momentum", "epsilon", "center", "scale", "beta_initializer", "gamma_initializer",
        "moving_mean_initializer", "moving_variance_initializer", "beta_regularizer", "gamma_regularizer",
        "beta_constraint", "gamma_constraint",
    )  # fmt: skip
    gamma = beta = moving_mean = moving_variance = None

    def __init__(
        self,
        axis=-1,
        momentum=0.99,
        epsilon=1e-3,
        center=True,
        scale=True,
        beta_initializer=_zeros,
        gamma_initializer=_ones,
        moving_mean_initializer=_zeros,
        moving_variance_initializer=_ones,
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
        super().__init__(trainable=trainable, name=name, **kwargs)
        if not isinstance(axis, (int, list, tuple)):
            raise TypeError(f"axis must be int or list, type given: {type(axis)}")
        self.axis, self.momentum, self.epsilon = list(axis) if isinstance(axis, tuple) else axis, momentum, epsilon
        self.center, self.scale, self.fused = center, scale, fused
        self.beta_initializer = _named.initializer(beta_initializer)
        self.gamma_initializer = _named.initializer(gamma_initializer)
        self.moving_mean_initializer = _named.initializer(moving_mean_initializer)
        self.moving_variance_initializer = _named.initializer(moving_variance_initializer)
        self.beta_regularizer = _named.regularizer(beta_regularizer)
        self.gamma_regularizer = _named.regularizer(gamma_regularizer)
        self.beta_constraint = _named.constraint(beta_constraint)
        self.gamma_constraint = _named.constraint(gamma_constraint)
        self.virtual_batch_size, self.adjustment = virtual_batch_size, adjustment
        self.renorm, self.renorm_momentum = renorm, renorm_momentum
        self.renorm_clipping = clipping = dict(renorm_clipping or {}) if renorm else {}
        if set(clipping) - {"rmax", "rmin", "dmax"}:
            raise ValueError(f"renorm_clipping {renorm_clipping} contains keys not in ['rmax', 'rmin', 'dmax']")
        if fused:
            self._check_fused()

    def _check_fused(self):
        """Errors: ValueError where the program asks for the fused op and for what it does not compute."""
        if self.renorm:
            raise ValueError("Passing both fused=True and renorm=True is unsupported")
        axes = [self.axis] if isinstance(self.axis, int) else self.axis
        if len(axes) > 1 or axes[0] not in (-4, -3, -1, 1, 3, 4):
            raise ValueError("Passing fused=True is only supported when axis is 1 or 3")
        if self.virtual_batch_size is not None:
            raise ValueError("Passing fused=True is unsupported when virtual_batch_size is specified.")
        if self.adjustment is not None:
            raise ValueError("Passing fused=True is unsupported when adjustment is specified.")

    # C++ has a member for each limit.
    _renorm_min = property(lambda self: self.renorm_clipping.get("rmin"))
    _renorm_max = property(lambda self: self.renorm_clipping.get("rmax"))
    _renorm_shift = property(lambda self: self.renorm_clipping.get("dmax"))

    def _make(self, *options):
        _c.batch_normalization_layer(self, *options)

    def call(self, inputs, training=False):
        return _c.layer_own_call(self, inputs, training)


def batch_normalization(
    inputs,
    axis=-1,
    momentum=0.99,
    epsilon=1e-3,
    center=True,
    scale=True,
    beta_initializer=_zeros,
    gamma_initializer=_ones,
    moving_mean_initializer=_zeros,
    moving_variance_initializer=_ones,
    beta_regularizer=None,
    gamma_regularizer=None,
    beta_constraint=None,
    gamma_constraint=None,
    training=False,
    trainable=True,
    name=None,
    reuse=None,
    renorm=False,
    renorm_clipping=None,
    renorm_momentum=0.99,
    fused=None,
    virtual_batch_size=None,
    adjustment=None,
):
    """What a BatchNormalization makes of the inputs.

    training: a bool, or a tensor of one. reuse: takes the variables of the name that are there.
    Source: tf.layers.batch_normalization.
    """
    deprecated(
        "layers.normalization.batch_normalization",
        "Use keras.layers.BatchNormalization instead.  In particular, "
        "`tf.control_dependencies(tf.GraphKeys.UPDATE_OPS)` should not be used (consult the "
        "`tf.keras.layers.batch_normalization` documentation).",
    )
    layer = BatchNormalization(
        axis, momentum, epsilon, center, scale, beta_initializer, gamma_initializer, moving_mean_initializer,
        moving_variance_initializer, beta_regularizer, gamma_regularizer, beta_constraint, gamma_constraint, renorm,
        renorm_clipping, renorm_momentum, fused, trainable, virtual_batch_size, adjustment, name, _scope=name,
        _reuse=reuse,
    )  # fmt: skip
    return layer(inputs, training=training)
