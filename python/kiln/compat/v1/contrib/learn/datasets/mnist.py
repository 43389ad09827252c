"""tf.contrib.learn.datasets.mnist: handwritten digits, as tensorflow.examples.tutorials.mnist has them."""

from kiln.compat.v1._util.deprecation import deprecated
from kiln.compat.v1.examples.tutorials.mnist import input_data as _data

_MODULE = "tensorflow.contrib.learn.python.learn.datasets.mnist"
_INSTEAD = "Please use alternatives such as official/mnist/dataset.py from tensorflow/models."

DEFAULT_SOURCE_URL = SOURCE_URL = _data.DEFAULT_SOURCE_URL
DataSet = _data._DataSet
dense_to_one_hot = _data._dense_to_one_hot
extract_images = _data._extract_images
extract_labels = _data._extract_labels
read_data_sets = _data.read_data_sets


@deprecated(None, _INSTEAD, module=_MODULE)
def load_mnist(train_dir="MNIST-data"):
    """The digits. Source: tf.contrib.learn.datasets.mnist.load_mnist."""
    return read_data_sets(train_dir)
