"""The MNIST data set: images and labels of handwritten digits, in batches.

    from tensorflow.examples.tutorials.mnist import input_data
    mnist = input_data.read_data_sets("MNIST_data", one_hot=True)
    images, labels = mnist.train.next_batch(100)

As in TensorFlow 1.15, making a DataSet seeds NumPy's global generator, from which the
batches of all of them are drawn: with tf.set_random_seed() or an argument `seed` they are
the same in each run, and the same as TensorFlow's.
"""

import collections
import gzip
import os

import numpy

from kiln.compat.v1 import gfile
from kiln.compat.v1._util.deprecation import deprecated

DEFAULT_SOURCE_URL = "https://storage.googleapis.com/cvdf-datasets/mnist/"
SOURCE_URL = DEFAULT_SOURCE_URL  # its name before TensorFlow 1.13

_MODULE = "tensorflow.examples.tutorials.mnist.input_data"
_TF_DATA = "Please use tf.data to implement this functionality."

_Datasets = collections.namedtuple("_Datasets", ["train", "validation", "test"])
Datasets = _Datasets


def _read32(bytestream):
    """Returns the next four bytes as a number."""
    return int.from_bytes(bytestream.read(4), "big")


def _check_magic(bytestream, magic, what, name):
    found = _read32(bytestream)
    if found != magic:
        raise ValueError(f"Invalid magic number {found} in MNIST {what} file: {name}")


@deprecated(None, _TF_DATA, module=_MODULE)
def _extract_images(f):
    """Returns the images of a compressed IDX file as bytes.

    f: an open file with a name. Shapes: the result: [images, rows, columns, 1].

    Errors: ValueError where the file does not begin with 2051.
    """
    print("Extracting", f.name)
    with gzip.GzipFile(fileobj=f) as bytestream:
        _check_magic(bytestream, 2051, "image", f.name)
        count, rows, columns = (_read32(bytestream) for _ in range(3))
        pixels = bytestream.read(rows * columns * count)
    return numpy.frombuffer(pixels, dtype=numpy.uint8).reshape(count, rows, columns, 1)


@deprecated(None, "Please use tf.one_hot on tensors.", module=_MODULE)
def _dense_to_one_hot(labels_dense, num_classes):
    """Returns numbers of classes as rows of float64 with a 1 in the class's place."""
    rows = numpy.zeros((labels_dense.shape[0], num_classes))
    rows[numpy.arange(len(rows)), labels_dense.ravel()] = 1
    return rows


@deprecated(None, _TF_DATA, module=_MODULE)
def _extract_labels(f, one_hot=False, num_classes=10):
    """Returns the labels of a compressed IDX file as bytes, or as rows with a 1 at the label.

    f: an open file with a name. Shapes: the result: [labels] or [labels, num_classes].

    Errors: ValueError where the file does not begin with 2049.
    """
    print("Extracting", f.name)
    with gzip.GzipFile(fileobj=f) as bytestream:
        _check_magic(bytestream, 2049, "label", f.name)
        labels = numpy.frombuffer(bytestream.read(_read32(bytestream)), dtype=numpy.uint8)
    return _dense_to_one_hot(labels, num_classes) if one_hot else labels


def _image_type(dtype):
    """Returns the NumPy type of a DType, or of what makes one."""
    from kiln.compat.v1 import as_dtype

    dtype = as_dtype(dtype).base_dtype
    numpy_type = numpy.dtype(dtype.as_numpy_dtype)
    if numpy_type not in (numpy.uint8, numpy.float32):
        raise TypeError(f"Invalid image dtype {dtype!r}, expected uint8 or float32")
    return numpy_type


def _seed_numpy(seed):
    """Seeds NumPy from a seed, or from the default graph's; without either from the system.

    These are the numbers of tf.get_seed(): remainders, of which both are never 0.
    """
    from kiln.compat.v1 import get_default_graph

    largest = 2**31 - 1
    of_graph = get_default_graph().seed
    if seed is None:
        numpy.random.seed(None if of_graph is None else of_graph % largest)
    elif of_graph is not None and of_graph % largest == seed % largest == 0:
        numpy.random.seed(largest)
    else:
        numpy.random.seed(seed % largest)


class _DataSet:
    """Images and labels, which next_batch() gives in batches, epoch by epoch.

    images: [N, rows, columns, 1], bytes. labels: N of them. fake_data: 10,000 examples that
    are all the same, one_hot: how their labels are. dtype: tf.float32 for images from 0 to 1,
    tf.uint8 for those from 0 to 255. reshape: whether images become rows of pixels.
    seed: seeds NumPy's generator; None for the graph's seed.

    Errors: TypeError for another dtype. Source: input_data.DataSet.
    """

    @deprecated(
        None,
        "Please use alternatives such as official/mnist/_DataSet.py from tensorflow/models.",
        module=_MODULE,
    )
    def __init__(
        self,
        images,
        labels,
        fake_data=False,
        one_hot=False,
        dtype="float32",
        reshape=True,
        seed=None,
    ):
        _seed_numpy(seed)
        dtype = _image_type(dtype)
        if fake_data:
            self._num_examples = 10000
            self.one_hot = one_hot
        else:
            shapes = images.shape, labels.shape
            assert shapes[0][0] == shapes[1][0], "images.shape: %s labels.shape: %s" % shapes
            self._num_examples = images.shape[0]
            if reshape:
                assert images.shape[3] == 1
                images = images.reshape(images.shape[0], images.shape[1] * images.shape[2])
            if dtype == numpy.float32:
                images = images.astype(numpy.float32)
                images *= numpy.float32(1.0 / 255.0)
        self._images = images
        self._labels = labels
        self._epochs_completed = 0
        self._index_in_epoch = 0

    @property
    def images(self):
        """The images, in the order of this epoch."""
        return self._images

    @property
    def labels(self):
        """The labels, in the order of the images."""
        return self._labels

    @property
    def num_examples(self):
        """How many examples there are."""
        return self._num_examples

    @property
    def epochs_completed(self):
        """How often all examples have come."""
        return self._epochs_completed

    def _shuffle(self):
        order = numpy.arange(self._num_examples)
        numpy.random.shuffle(order)
        self._images = self.images[order]
        self._labels = self.labels[order]

    def next_batch(self, batch_size, fake_data=False, shuffle=True):
        """Returns the next images and labels; a batch at the end of an epoch goes on in the next.

        fake_data: gives images of ones, and the label 0. shuffle: whether each epoch has
        an order of its own, drawn when it begins.
        """
        if fake_data:
            label = [1] + [0] * 9 if self.one_hot else 0
            return [[1] * 784 for _ in range(batch_size)], [label for _ in range(batch_size)]
        start = self._index_in_epoch
        if self._epochs_completed == 0 and start == 0 and shuffle:
            self._shuffle()
        self._index_in_epoch = end = start + batch_size
        if end <= self._num_examples:
            return self._images[start:end], self._labels[start:end]
        self._epochs_completed += 1
        images, labels = self._images[start:], self._labels[start:]
        if shuffle:
            self._shuffle()
        self._index_in_epoch = end = end - self._num_examples
        return (
            numpy.concatenate((images, self._images[:end]), axis=0),
            numpy.concatenate((labels, self._labels[:end]), axis=0),
        )


DataSet = _DataSet


@deprecated(None, "Please write your own downloading logic.", module=_MODULE)
def _maybe_download(filename, work_directory, source_url):
    """Returns the path of a file in a folder, where it comes from a URL if it is not there yet."""
    if not gfile.Exists(work_directory):
        gfile.MakeDirs(work_directory)
    path = os.path.join(work_directory, filename)
    if not gfile.Exists(path):
        import urllib.request

        urllib.request.urlretrieve(source_url, path)
        with gfile.GFile(path) as file:
            print("Successfully downloaded", filename, file.size(), "bytes.")
    return path


def _read(extract, name, train_dir, source_url, **options):
    """Returns what a function takes out of one of the four files."""
    with gfile.Open(_maybe_download(name, train_dir, source_url + name), "rb") as file:
        return extract(file, **options)


@deprecated(
    None, "Please use alternatives such as: tensorflow_datasets.load('mnist')", module=_MODULE
)
def read_data_sets(
    train_dir,
    fake_data=False,
    one_hot=False,
    dtype="float32",
    reshape=True,
    validation_size=5000,
    seed=None,
    source_url=DEFAULT_SOURCE_URL,
):
    """Returns the named tuple (train, validation, test) of the DataSets in a folder's four files.

    The files are train-images-idx3-ubyte.gz, train-labels-idx1-ubyte.gz and the same with
    t10k; one that is missing is loaded from source_url. validation_size: how many of the
    training examples, the first ones, are for validation. one_hot: labels as rows of ten
    with a 1. The others are those of DataSet.

    Errors: ValueError for a file of another kind and for a validation_size that is too
    large; urllib's where a file cannot be loaded. Source: input_data.read_data_sets.
    """
    if fake_data:
        options = dict(fake_data=True, one_hot=one_hot, dtype=dtype, seed=seed)
        return _Datasets(*(_DataSet([], [], **options) for _ in range(3)))
    at = train_dir, source_url or DEFAULT_SOURCE_URL
    train_images = _read(_extract_images, "train-images-idx3-ubyte.gz", *at)
    train_labels = _read(_extract_labels, "train-labels-idx1-ubyte.gz", *at, one_hot=one_hot)
    test_images = _read(_extract_images, "t10k-images-idx3-ubyte.gz", *at)
    test_labels = _read(_extract_labels, "t10k-labels-idx1-ubyte.gz", *at, one_hot=one_hot)
    if not 0 <= validation_size <= len(train_images):
        raise ValueError(
            f"Validation size should be between 0 and {len(train_images)}. "
            f"Received: {validation_size}."
        )
    options = dict(dtype=dtype, reshape=reshape, seed=seed)
    return _Datasets(
        train=_DataSet(train_images[validation_size:], train_labels[validation_size:], **options),
        validation=_DataSet(
            train_images[:validation_size], train_labels[:validation_size], **options
        ),
        test=_DataSet(test_images, test_labels, **options),
    )


extract_images = _extract_images
extract_labels = _extract_labels
dense_to_one_hot = _dense_to_one_hot
maybe_download = _maybe_download
