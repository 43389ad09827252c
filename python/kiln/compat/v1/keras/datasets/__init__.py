"""tf.keras.datasets: small data sets, downloaded to ~/.keras/datasets where they are not there yet."""

from kiln.compat.v1.keras.datasets import (
    boston_housing as boston_housing,
    cifar10 as cifar10,
    cifar100 as cifar100,
    fashion_mnist as fashion_mnist,
    imdb as imdb,
    mnist as mnist,
    reuters as reuters,
)
