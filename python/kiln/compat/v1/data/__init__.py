"""Input pipelines: datasets, and iterators in them. Source: tf.data of TensorFlow 1.15."""

from kiln.compat.v1.data import experimental as experimental
from kiln.compat.v1.data._datasets import Dataset as Dataset, Options as Options
from kiln.compat.v1.data._elements import (
    get_output_classes as get_output_classes,
    get_output_shapes as get_output_shapes,
    get_output_types as get_output_types,
)
from kiln.compat.v1.data._files import (
    FixedLengthRecordDataset as FixedLengthRecordDataset,
    TextLineDataset as TextLineDataset,
    TFRecordDataset as TFRecordDataset,
)
from kiln.compat.v1.data._iterators import (
    Iterator as Iterator,
    make_initializable_iterator as make_initializable_iterator,
    make_one_shot_iterator as make_one_shot_iterator,
)
