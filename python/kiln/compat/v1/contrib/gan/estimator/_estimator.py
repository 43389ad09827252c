"""tf.contrib.gan.estimator.GANEstimator."""

import enum
import functools

from kiln.compat import v1 as tf
from kiln.compat._python.util.function_utils import fn_args
from kiln.compat.v1.contrib.framework import get_trainable_variables
from kiln.compat.v1.contrib.gan import _models, _train, namedtuples
from kiln.compat.v1.contrib.gan.eval import summaries


class SummaryType(enum.IntEnum):
    """What a GANEstimator shows. Source: tf.contrib.gan.estimator.SummaryType."""

    NONE = 0
    VARIABLES = 1
    IMAGES = 2
    IMAGE_COMPARISON = 3


_SUMMARIES = {
    SummaryType.VARIABLES: summaries.add_gan_model_summaries,
    SummaryType.IMAGES: summaries.add_gan_model_image_summaries,
    SummaryType.IMAGE_COMPARISON: summaries.add_image_comparison_summaries,
}


class GANEstimator(tf.estimator.Estimator):
    """An estimator whose features are a generator's inputs, and whose labels are real data.

    generator_fn, discriminator_fn: as tf.contrib.gan.gan_model() has them; they may have the
    argument mode. The losses are functions of a model; the optimizers may be functions that make
    one. get_hooks_fn: gives the hooks that train. get_eval_metric_ops_fn(model): gives a dict of
    metrics. add_summaries: one SummaryType, or several. Predictions are generated data. Errors:
    ValueError, TypeError. Source: tf.contrib.gan.estimator.GANEstimator.
    """

    def __init__(
        self,
        model_dir=None,
        generator_fn=None,
        discriminator_fn=None,
        generator_loss_fn=None,
        discriminator_loss_fn=None,
        generator_optimizer=None,
        discriminator_optimizer=None,
        get_hooks_fn=None,
        get_eval_metric_ops_fn=None,
        add_summaries=None,
        use_loss_summaries=True,
        config=None,
        warm_start_from=None,
        is_chief=True,
    ):
        if not callable(generator_loss_fn):
            raise ValueError("generator_loss_fn must be callable.")
        if not callable(discriminator_loss_fn):
            raise ValueError("discriminator_loss_fn must be callable.")
        if use_loss_summaries not in [True, False, None]:
            raise ValueError("use_loss_summaries must be True, False or None.")
        if get_hooks_fn is not None and not callable(get_hooks_fn):
            raise TypeError("get_hooks_fn must be callable.")

        def model_fn(features, labels, mode):
            if mode == tf.estimator.ModeKeys.PREDICT:
                if labels is not None:
                    raise ValueError(
                        "`labels` must be `None` when mode is `predict`. Instead, found "
                        f"{labels}"
                    )
                data = _prediction_model(features, generator_fn).generated_data
                return tf.estimator.EstimatorSpec(mode=mode, predictions=data)
            model = _model(generator_fn, discriminator_fn, labels, features, add_summaries, mode)
            loss = namedtuples.GANLoss(
                generator_loss=generator_loss_fn(model, add_summaries=use_loss_summaries),
                discriminator_loss=discriminator_loss_fn(model, add_summaries=use_loss_summaries),
            )
            if mode == tf.estimator.ModeKeys.EVAL:
                return _evaluation_spec(model, loss, get_eval_metric_ops_fn)
            optimizers = [
                each() if callable(each) else each
                for each in (generator_optimizer, discriminator_optimizer)
            ]
            get_hooks = get_hooks_fn or _train.get_sequential_train_hooks()
            return _training_spec(model, loss, *optimizers, get_hooks, is_chief)

        super().__init__(
            model_fn=model_fn, model_dir=model_dir, config=config, warm_start_from=warm_start_from
        )


def _with_mode(function, mode):
    return functools.partial(function, mode=mode) if "mode" in fn_args(function) else function


def _model(generator_fn, discriminator_fn, real_data, inputs, add_summaries, mode):
    model = _models.gan_model(
        _with_mode(generator_fn, mode),
        _with_mode(discriminator_fn, mode),
        real_data,
        inputs,
        check_shapes=False,
    )
    if add_summaries:
        kinds = add_summaries if isinstance(add_summaries, (tuple, list)) else [add_summaries]
        with tf.name_scope(None):
            for kind in kinds:
                _SUMMARIES[kind](model)
    return model


def _prediction_model(inputs, generator_fn):
    """A model without a discriminator."""
    generator_fn = _with_mode(generator_fn, tf.estimator.ModeKeys.PREDICT)
    with tf.variable_scope("Generator") as scope:
        inputs = _models._tensors(inputs)
        data = generator_fn(inputs)
    known = (inputs, data, get_trainable_variables(scope), scope, generator_fn)
    return namedtuples.GANModel(*known, *[None] * 6)


def _evaluation_spec(model, loss, get_eval_metric_ops_fn):
    total = loss.generator_loss + loss.discriminator_loss
    with tf.name_scope(None, "metrics", [loss.generator_loss, loss.discriminator_loss]):
        metrics = {
            "generator_loss": tf.metrics.mean(loss.generator_loss),
            "discriminator_loss": tf.metrics.mean(loss.discriminator_loss),
        }
        if get_eval_metric_ops_fn is not None:
            own = get_eval_metric_ops_fn(model)
            if not isinstance(own, dict):
                raise TypeError(f"get_eval_metric_ops_fn must return a dict, received: {own}")
            metrics.update(own)
    return tf.estimator.EstimatorSpec(
        mode=tf.estimator.ModeKeys.EVAL,
        predictions=model.generated_data,
        loss=total,
        eval_metric_ops=metrics,
    )


def _training_spec(model, loss, generator_optimizer, discriminator_optimizer, get_hooks, is_chief):
    total = loss.generator_loss + loss.discriminator_loss
    ops = _train.gan_train_ops(
        model, loss, generator_optimizer, discriminator_optimizer, is_chief=is_chief
    )
    return tf.estimator.EstimatorSpec(
        loss=total,
        mode=tf.estimator.ModeKeys.TRAIN,
        train_op=ops.global_step_inc_op,
        training_hooks=get_hooks(ops),
    )
