"""tf.contrib.slim: layers, arg_scope, training loops, data sets and networks.

| looking for | it is in |
| --- | --- |
| layers, initializers, regularizers, utils | `tf.contrib.layers` |
| arg_scope, variables | `tf.contrib.framework` |
| learning.train, create_train_op | `learning.py` |
| evaluation, queues, summaries, model_analyzer | their files |
| dataset, decoders, readers | `data/` |
| vgg, inception, resnet ... | `nets/` |
| losses, metrics | `tf.contrib.losses`, `tf.contrib.metrics` |
"""

from kiln.compat.v1.contrib import layers as layers
from kiln.compat.v1.contrib._forward import forwarding as _forwarding
from kiln.compat.v1.contrib.framework._arg_scope import *
from kiln.compat.v1.contrib.framework._assignments import *
from kiln.compat.v1.contrib.framework._variables import *
from kiln.compat.v1.contrib.layers import *
from kiln.compat.v1.contrib.layers import (
    initializers as initializers,
    regularizers as regularizers,
    utils as utils,
)

# Names of layers that slim has for modules of its own.
del summaries

__getattr__, __dir__ = _forwarding(
    __name__,
    """
    losses=contrib.losses metrics=contrib.metrics data_decoder=contrib.slim.data.data_decoder
    data_provider=contrib.slim.data.data_provider dataset=contrib.slim.data.dataset
    dataset_data_provider=contrib.slim.data.dataset_data_provider
    parallel_reader=contrib.slim.data.parallel_reader
    prefetch_queue=contrib.slim.data.prefetch_queue
    tfexample_decoder=contrib.slim.data.tfexample_decoder
    """,
)
