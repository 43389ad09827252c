"""tf.contrib.learn.datasets: small data sets."""

from kiln.compat.v1._util.deprecation import deprecated
from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.learn.datasets import base, mnist

_MODULE = "tensorflow.contrib.learn.python.learn.datasets"

load_iris = base.load_iris
load_boston = base.load_boston

DATASETS = {
    "iris": base.load_iris,
    "boston": base.load_boston,
    "mnist": mnist.load_mnist,
}


@deprecated(None, "Please use tf.data.", module=_MODULE)
def load_dataset(name, size="small", test_with_fake_data=False):
    """A data set by its name, "iris", "boston" or "mnist". Errors: ValueError.

    Source: tf.contrib.learn.datasets.load_dataset.
    """
    if name not in DATASETS:
        raise ValueError(f"Name of dataset is not found: {name}")
    return DATASETS[name]()


__getattr__, __dir__ = _forwarding(__name__, "")
