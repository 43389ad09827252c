"""Items of tf.train.Example: a handler makes each of some features."""

import abc

from kiln.compat import v1 as tf
from kiln.compat.v1.contrib.slim.data import data_decoder

__all__ = [
    "BackupHandler",
    "BoundingBox",
    "Image",
    "ItemHandler",
    "ItemHandlerCallback",
    "LookupTensor",
    "SparseTensor",
    "TFExampleDecoder",
    "Tensor",
]


class ItemHandler(abc.ABC):
    """Makes an item of the features with some keys.

    Source: tf.contrib.slim.tfexample_decoder.ItemHandler.
    """

    def __init__(self, keys):
        self._keys = keys if isinstance(keys, (tuple, list)) else [keys]

    @property
    def keys(self):
        return self._keys

    @abc.abstractmethod
    def tensors_to_item(self, keys_to_tensors):
        """The item, of a dict of the features."""


class ItemHandlerCallback(ItemHandler):
    """What a function makes of the dict of features.

    Source: tf.contrib.slim.tfexample_decoder.ItemHandlerCallback.
    """

    def __init__(self, keys, func):
        super().__init__(keys)
        self._func = func

    def tensors_to_item(self, keys_to_tensors):
        return self._func(keys_to_tensors)


class BoundingBox(ItemHandler):
    """Boxes [boxes, 4] of four features, by default ymin, xmin, ymax, xmax behind a prefix.

    Errors: ValueError for another number of keys. Source:
    tf.contrib.slim.tfexample_decoder.BoundingBox.
    """

    def __init__(self, keys=None, prefix=""):
        if keys is None:
            keys = ["ymin", "xmin", "ymax", "xmax"]
        elif len(keys) != 4:
            raise ValueError(f"BoundingBox expects 4 keys but got {len(keys)}")
        self._prefix = prefix
        self._full_keys = [prefix + key for key in keys]
        super().__init__(self._full_keys)

    def tensors_to_item(self, keys_to_tensors):
        sides = []
        for key in self._full_keys:
            side = keys_to_tensors[key]
            if isinstance(side, tf.SparseTensor):
                side = side.values
            sides.append(tf.expand_dims(side, 0))
        return tf.transpose(tf.concat(sides, 0))


def _dense(tensor, default_value=0):
    if isinstance(tensor, tf.SparseTensor):
        return tf.sparse_tensor_to_dense(tensor, default_value)
    return tensor


class Tensor(ItemHandler):
    """A feature as a dense tensor.

    shape: of the item; or shape_keys: the features that hold it. default_value: of what a sparse
    one does not have. Errors: ValueError for both. Source:
    tf.contrib.slim.tfexample_decoder.Tensor.
    """

    def __init__(self, tensor_key, shape_keys=None, shape=None, default_value=0):
        if shape_keys and shape is not None:
            raise ValueError("Cannot specify both shape_keys and shape parameters.")
        if shape_keys and not isinstance(shape_keys, list):
            shape_keys = [shape_keys]
        self._tensor_key, self._shape_keys = tensor_key, shape_keys
        self._shape, self._default_value = shape, default_value
        super().__init__([tensor_key, *(shape_keys or ())])

    def tensors_to_item(self, keys_to_tensors):
        tensor, shape = keys_to_tensors[self._tensor_key], self._shape
        if self._shape_keys:
            extents = [_dense(keys_to_tensors[key]) for key in self._shape_keys]
            shape = tf.reshape(tf.stack(extents), [-1])
        sparse = isinstance(tensor, tf.SparseTensor)
        if shape is not None:
            tensor = tf.sparse_reshape(tensor, shape) if sparse else tf.reshape(tensor, shape)
        return _dense(tensor, self._default_value)


class LookupTensor(Tensor):
    """A feature, looked up in a table. Source: tf.contrib.slim.tfexample_decoder.LookupTensor."""

    def __init__(self, tensor_key, table, shape_keys=None, shape=None, default_value=""):
        self._table = table
        super().__init__(tensor_key, shape_keys, shape, default_value)

    def tensors_to_item(self, keys_to_tensors):
        return self._table.lookup(super().tensors_to_item(keys_to_tensors))


class BackupHandler(ItemHandler):
    """One handler's item, or another's where that is empty. Errors: ValueError.

    Source: tf.contrib.slim.tfexample_decoder.BackupHandler.
    """

    def __init__(self, handler, backup):
        for what, each in (("Primary", handler), ("Backup", backup)):
            if not isinstance(each, ItemHandler):
                raise ValueError(f"{what} handler is of type {type(each)} instead of ItemHandler")
        self._handler, self._backup = handler, backup
        super().__init__(handler.keys + backup.keys)

    def tensors_to_item(self, keys_to_tensors):
        item = self._handler.tensors_to_item(keys_to_tensors)
        return tf.cond(
            pred=tf.equal(tf.reduce_prod(tf.shape(item)), 0),
            true_fn=lambda: self._backup.tensors_to_item(keys_to_tensors),
            false_fn=lambda: item,
        )


class SparseTensor(ItemHandler):
    """A sparse tensor of a feature with places and one with values.

    shape_key: the feature that holds the shape; or shape. densify: whether the item is dense.
    Source: tf.contrib.slim.tfexample_decoder.SparseTensor.
    """

    def __init__(
        self,
        indices_key=None,
        values_key=None,
        shape_key=None,
        shape=None,
        densify=False,
        default_value=0,
    ):
        self._indices_key, self._values_key = indices_key or "indices", values_key or "values"
        self._shape_key, self._shape = shape_key, shape
        self._densify, self._default_value = densify, default_value
        keys = [self._indices_key, self._values_key]
        super().__init__([*keys, shape_key] if shape_key else keys)

    def tensors_to_item(self, keys_to_tensors):
        indices, values = keys_to_tensors[self._indices_key], keys_to_tensors[self._values_key]
        if self._shape_key:
            shape = _dense(keys_to_tensors[self._shape_key])
        else:
            shape = self._shape or indices.dense_shape
        rank = tf.shape(indices.indices)[1]
        places = tf.cast(indices.values, tf.int64)
        kept = tf.slice(indices.indices, [0, 0], tf.stack([-1, rank - 1]))
        made = tf.concat([kept, tf.reshape(places, [-1, 1])], 1)
        tensor = tf.SparseTensor(made, values.values, shape)
        return _dense(tensor, self._default_value) if self._densify else tensor


class Image(ItemHandler):
    """An image of a feature with its bytes and one with their format, or raw elements.

    shape: of the item, if it is known. repeated: whether the feature holds several images.
    dct_method: as tf.image.decode_jpeg has it. Source: tf.contrib.slim.tfexample_decoder.Image.
    """

    def __init__(
        self,
        image_key=None,
        format_key=None,
        shape=None,
        channels=3,
        dtype=tf.uint8,
        repeated=False,
        dct_method="",
    ):
        self._image_key = image_key or "image/encoded"
        self._format_key = format_key or "image/format"
        self._shape, self._channels, self._dtype = shape, channels, dtype
        self._repeated, self._dct_method = repeated, dct_method
        super().__init__([self._image_key, self._format_key])

    def tensors_to_item(self, keys_to_tensors):
        buffer, form = keys_to_tensors[self._image_key], keys_to_tensors[self._format_key]
        if self._repeated:
            return tf.map_fn(lambda each: self._decode(each, form), buffer, dtype=self._dtype)
        return self._decode(buffer, form)

    def _decode(self, image_buffer, image_format):
        channels, dtype = self._channels, self._dtype

        def decode_image():
            return tf.cast(tf.image.decode_image(image_buffer, channels=channels), dtype)

        def decode_jpeg():
            image = tf.image.decode_jpeg(
                image_buffer, channels=channels, dct_method=self._dct_method
            )
            return tf.cast(image, dtype)

        def check_jpeg():
            is_jpeg = tf.image.is_jpeg(image_buffer)
            return tf.cond(is_jpeg, decode_jpeg, decode_image, name="cond_jpeg")

        is_raw = tf.logical_or(tf.equal(image_format, "raw"), tf.equal(image_format, "RAW"))
        raw = (is_raw, lambda: tf.decode_raw(image_buffer, out_type=dtype))
        image = tf.case([raw], default=check_jpeg, exclusive=True)
        image.set_shape([None, None, channels])
        return image if self._shape is None else tf.reshape(image, self._shape)


class TFExampleDecoder(data_decoder.DataDecoder):
    """Makes items of a serialized Example.

    keys_to_features: as tf.parse_single_example has it. items_to_handlers: a dict from items to
    ItemHandlers. Source: tf.contrib.slim.tfexample_decoder.TFExampleDecoder.
    """

    def __init__(self, keys_to_features, items_to_handlers):
        self._keys_to_features, self._items_to_handlers = keys_to_features, items_to_handlers

    def list_items(self):
        return list(self._items_to_handlers)

    def decode(self, serialized_example, items=None):
        example = tf.parse_single_example(serialized_example, self._keys_to_features)
        for key in sorted(self._keys_to_features):
            feature = self._keys_to_features[key]
            if isinstance(feature, tf.FixedLenFeature):
                example[key] = tf.reshape(example[key], feature.shape)
        handlers = [self._items_to_handlers[item] for item in items or self._items_to_handlers]
        return [
            handler.tensors_to_item({key: example[key] for key in handler.keys})
            for handler in handlers
        ]
