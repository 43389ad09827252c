"""tf.keras.wrappers.scikit_learn: models with the methods of scikit-learn's estimators."""

import copy
import inspect

import numpy as np

from kiln.compat.v1.keras import losses
from kiln.compat.v1.keras.models import Sequential
from kiln.compat.v1.keras.utils import to_categorical


class BaseWrapper:
    """A model that a function makes, with the arguments of both.

    build_fn: a function or an object that gives a compiled model; None where a subclass has
    __call__(). sk_params: arguments of it, and of fit(), predict(), score(). Errors: ValueError for
    others.
    """

    def __init__(self, build_fn=None, **sk_params):
        self.build_fn, self.sk_params = build_fn, sk_params
        self.check_params(sk_params)

    def _builder(self):
        """The function, and where its arguments are described."""
        if self.build_fn is None:
            return self, type(self).__call__
        if inspect.isfunction(self.build_fn) or inspect.ismethod(self.build_fn):
            return self.build_fn, self.build_fn
        return self.build_fn, type(self.build_fn).__call__

    def check_params(self, params):
        """Errors: ValueError for arguments that nothing takes."""
        takers = [
            Sequential.fit, Sequential.predict, Sequential.predict_classes, Sequential.evaluate,
            self._builder()[1],
        ]  # fmt: skip
        for name in params:
            known = any(_takes(taker, name) for taker in takers)
            if not known and name != "nb_epoch":
                raise ValueError(f"{name} is not a legal parameter")

    def get_params(self, **params):
        """The arguments: a dict."""
        found = copy.deepcopy(self.sk_params)
        found["build_fn"] = self.build_fn
        return found

    def set_params(self, **params):
        """Changes arguments; gives the object itself."""
        self.check_params(params)
        self.sk_params.update(params)
        return self

    def fit(self, x, y, **kwargs):
        """Makes the model and trains it; gives the History."""
        build, described = self._builder()
        self.model = build(**self.filter_sk_params(described))
        if losses.get(self.model.loss) is losses.categorical_crossentropy and np.ndim(y) != 2:
            y = to_categorical(y)
        return self.model.fit(x, y, **{**self.filter_sk_params(Sequential.fit), **kwargs})

    def filter_sk_params(self, fn, override=None):
        """The arguments that a function takes."""
        found = {name: value for name, value in self.sk_params.items() if _takes(fn, name)}
        found.update(override or {})
        return found


def _takes(function, name):
    return name in inspect.signature(function).parameters


class KerasClassifier(BaseWrapper):
    """A classifier. Source: tf.keras.wrappers.scikit_learn.KerasClassifier."""

    def fit(self, x, y, **kwargs):
        """Trains with labels: a row of each, or one-hot. Errors: ValueError for other shapes."""
        y = np.array(y)
        if y.ndim == 2 and y.shape[1] > 1:
            self.classes_ = np.arange(y.shape[1])
        elif y.ndim == 1 or y.ndim == 2 and y.shape[1] == 1:
            self.classes_ = np.unique(y)
            y = np.searchsorted(self.classes_, y)
        else:
            raise ValueError("Invalid shape for y: " + str(y.shape))
        self.n_classes_ = len(self.classes_)
        return super().fit(x, y, **kwargs)

    def predict(self, x, **kwargs):
        """The labels of examples."""
        given = self.filter_sk_params(Sequential.predict_classes, kwargs)
        return self.classes_[self.model.predict_classes(x, **given)]

    def predict_proba(self, x, **kwargs):
        """The probabilities of the classes; two columns for two classes."""
        given = self.filter_sk_params(Sequential.predict_classes, kwargs)
        found = self.model.predict(x, **given)
        return np.hstack([1 - found, found]) if found.shape[1] == 1 else found

    def score(self, x, y, **kwargs):
        """The share of right labels. Errors: ValueError where the model reports no accuracy."""
        y = np.searchsorted(self.classes_, y)
        given = self.filter_sk_params(Sequential.evaluate, kwargs)
        if losses.get(self.model.loss) is losses.categorical_crossentropy and y.ndim != 2:
            y = to_categorical(y)
        outputs = self.model.evaluate(x, y, **given)
        outputs = outputs if isinstance(outputs, list) else [outputs]
        for name, output in zip(self.model.metrics_names, outputs):
            if name in ("accuracy", "acc"):
                return output
        raise ValueError(
            "The model is not configured to compute accuracy. You should pass "
            '`metrics=["accuracy"]` to the `model.compile()` method.'
        )


class KerasRegressor(BaseWrapper):
    """A model of numbers. Source: tf.keras.wrappers.scikit_learn.KerasRegressor."""

    def predict(self, x, **kwargs):
        """The numbers for examples."""
        return np.squeeze(self.model.predict(x, **self.filter_sk_params(Sequential.predict, kwargs)))

    def score(self, x, y, **kwargs):
        """The loss, negative: more is better."""
        outputs = self.model.evaluate(x, y, **self.filter_sk_params(Sequential.evaluate, kwargs))
        return -(outputs[0] if isinstance(outputs, list) else outputs)
