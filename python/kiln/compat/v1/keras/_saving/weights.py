"""Weights of models in files: checkpoints of TensorFlow, or HDF5."""

import os

import numpy as np

from kiln.compat import v1 as tf
from kiln.compat.v1 import _messages
from kiln.compat.v1.keras import backend as K
from kiln.compat.v1.keras._saving import _trackable, hdf5
from kiln.compat.v1.train import _checkpoint_management


def save(model, filepath, overwrite=True, save_format=None):
    """Writes the weights of a model.

    Errors: ImportError where HDF5 is wanted and h5py is not there; ValueError.
    """
    filepath = os.fspath(filepath)
    check_weights(model)
    kind = _format_of(filepath, save_format)
    if kind == "h5":
        hdf5.module("`save_weights` requires h5py when saving in hdf5.")
    if not overwrite and not may_replace(filepath if kind == "h5" else f"{filepath}.index"):
        return
    if kind == "h5":
        hdf5.save_weights(model, filepath)
        return
    write_checkpoint(model, filepath, K.batch_get_value)
    _checkpoint_management.update_checkpoint_state_internal(
        save_dir=os.path.dirname(filepath),
        model_checkpoint_path=filepath,
        save_relative_paths=True,
        all_model_checkpoint_paths=[filepath],
    )


def check_weights(model):
    """Errors: ValueError for a model that has not made its weights yet."""
    if model._graph is None and not model.built:
        raise ValueError(
            f"Weights for model {model.name} have not yet been created. Weights are created when "
            "the Model is first called on inputs or `build()` is called with an `input_shape`."
        )


def _format_of(filepath, save_format):
    is_hdf5 = hdf5.is_path(filepath)
    if save_format is None:
        return "h5" if is_hdf5 else "tf"
    given = save_format.lower().strip()
    if given in ("tensorflow", "tf"):
        if is_hdf5:
            raise ValueError(
                f'save_weights got save_format="tf"/"tensorflow", but the filepath ("{filepath}") '
                'looks like an HDF5 file. Omit the ".h5"/".keras" when saving in TensorFlow format.'
            )
        return "tf"
    if given in ("hdf5", "h5", "keras"):
        return "h5"
    raise ValueError(f'Unknown format "{save_format}". Was expecting one of {{"tf", "h5"}}.')


def may_replace(path):
    """Whether a file is not there, or the user lets it go."""
    if not os.path.isfile(path):
        return True
    answer = input(f"[WARNING] {path} already exists - overwrite? [y/n]").strip().lower()
    while answer not in ("y", "n"):
        answer = input('Enter "y" (overwrite) or "n" (cancel).').strip().lower()
    if answer == "n":
        return False
    print("[TIP] Next time specify overwrite=True!")
    return True


def write_checkpoint(root, filepath, read):
    """Writes the variables of an object; read: a function that gives the values of a list of them."""
    message, keyed = _trackable.ObjectGraph(root).to_proto()
    values = dict(zip(keyed, read(list(keyed.values()))))
    values[_trackable.GRAPH_KEY] = np.array(message.SerializeToString(), dtype=object)
    folder = os.path.dirname(filepath)
    if folder:
        os.makedirs(folder, exist_ok=True)
    names = sorted(values)
    with tf.Graph().as_default(), tf.Session() as session:
        fed = [
            tf.placeholder(tf.string, ())
            if name == _trackable.GRAPH_KEY
            else tf.placeholder(values[name].dtype, values[name].shape)
            for name in names
        ]
        write = tf.raw_ops.SaveV2(
            prefix=filepath, tensor_names=names, shape_and_slices=[""] * len(names), tensors=fed
        )
        session.run(write, dict(zip(fed, (values[name] for name in names))))


def load(model, filepath, by_name=False):
    """Reads weights that save() wrote, or TensorFlow's Keras; by_name: of layers of those names.

    Gives the status of what was matched, for a checkpoint. Errors: ImportError,
    NotImplementedError, ValueError.
    """
    filepath = os.fspath(filepath)
    reader = None
    if not hdf5.is_path(filepath):
        try:
            reader = tf.train.NewCheckpointReader(filepath)
        except tf.errors.DataLossError:  # it may be HDF5
            reader = None
    if reader is None:
        hdf5.module("`load_weights` requires h5py when loading weights from HDF5.")
        if model._graph is None and not model.built:
            raise NotImplementedError(
                "Unable to load weights saved in HDF5 format into a subclassed Model which has not "
                "created its variables yet. Call the Model first, then load the weights."
            )
        hdf5.load_weights(model, filepath, by_name)
        return None
    if by_name:
        raise NotImplementedError(
            "Weights may only be loaded based on topology into Models when loading "
            "TensorFlow-formatted weights (got by_name=True to load_weights)."
        )
    model._loaded_checkpoint = status = LoadStatus(model, reader)
    status.initialize_or_restore()
    if status.is_named or model.weights:
        status.assert_nontrivial_match()
    K.state_of().checkpoints.add(status)
    return status


class LoadStatus:
    """What of a checkpoint was found in a model; what load_weights() gives.

    Variables that the model or its optimizer makes later get their values when they are made; the
    model keeps the status of its last checkpoint for them.
    """

    def __init__(self, model, reader):
        self._model, self._reader = model, reader
        # The graph of objects; None in a checkpoint of a tf.train.Saver.
        self._saved = None
        if reader.has_tensor(_trackable.GRAPH_KEY):
            self._saved = _messages.TrackableObjectGraph.FromString(
                _as_bytes(reader.get_tensor(_trackable.GRAPH_KEY))
            )

    @property
    def is_named(self):
        """Whether the checkpoint knows objects, not just the names of variables."""
        return self._saved is not None

    def _own_weights(self):
        return self._model.weights

    def _matches(self):
        """Pairs of variables and keys, and the keys of the checkpoint that nothing has."""
        if not self.is_named:
            known = self._reader.get_variable_to_shape_map()
            weights = self._own_weights()
            found = [(each, each.op.name) for each in weights if each.op.name in known]
            return found, set(known) - {key for _, key in found}
        own, saved, found = _trackable.ObjectGraph(self._model), self._saved, []
        matched = self._matched_objects(own)
        for number, place in matched.items():
            for value in saved.nodes[number].attributes:
                if isinstance(own.objects[place], tf.Variable):
                    found.append((own.objects[place], value.checkpoint_key))
        found += self._matched_slots(saved, own, matched)
        every = {value.checkpoint_key for node in saved.nodes for value in node.attributes}
        return found, every - {key for _, key in found}

    def _matched_objects(self, own):
        """A dict from numbers of the checkpoint's objects to those of the model's own."""
        matched, waiting = {0: 0}, [0]
        while waiting:
            number = waiting.pop()
            children = dict(own.children[matched[number]])
            for child in self._saved.nodes[number].children:
                place = children.get(child.local_name)
                if place is not None and child.node_id not in matched:
                    matched[child.node_id] = place
                    waiting.append(child.node_id)
        return matched

    def _matched_slots(self, saved, own, matched):
        slots = {(i, j, name): slot for i, j, name, _, slot in own.slots()}
        for number, place in matched.items():
            for each in saved.nodes[number].slot_variables:
                variable = matched.get(each.original_variable_node_id)
                slot = slots.get((place, variable, each.slot_name))
                if slot is not None:
                    for value in saved.nodes[each.slot_variable_node_id].attributes:
                        yield slot, value.checkpoint_key

    def initialize_or_restore(self, session=None):
        """Gives the variables that were matched their values."""
        self._restore(self._matches()[0])

    run_restore_ops = initialize_or_restore

    def restore_new(self, variables):
        """Gives those of some variables that were made just now their values."""
        if self._model._loaded_checkpoint is self:
            new = set(map(id, variables))
            self._restore([pair for pair in self._matches()[0] if id(pair[0]) in new])

    def _restore(self, pairs):
        K.batch_set_value([(variable, self._reader.get_tensor(key)) for variable, key in pairs])

    def assert_nontrivial_match(self):
        """Errors: AssertionError where nothing was matched."""
        own = _trackable.ObjectGraph(self._model)
        if not (len(self._matched_objects(own)) > 1 if self.is_named else self._matches()[0]):
            raise AssertionError(
                "Nothing except the root object matched a checkpointed value. Typically this means "
                "that the checkpoint does not match the Python program."
            )
        return self

    def assert_existing_objects_matched(self):
        """Errors: AssertionError where a variable of the model has no value in the checkpoint."""
        found = {id(variable) for variable, _ in self._matches()[0]}
        missing = [each for each in self._own_weights() if id(each) not in found]
        if missing:
            raise AssertionError(f"Found {len(missing)} Python objects that were not bound: {missing}")
        return self

    def assert_consumed(self):
        """Errors: AssertionError where the checkpoint has values that nothing takes."""
        self.assert_existing_objects_matched()
        unused = self._matches()[1]
        if unused:
            raise AssertionError(f"Unresolved values in the checkpoint: {sorted(unused)}")
        return self

    def expect_partial(self):
        """Nothing is said of what nothing takes, anyway."""
        return self


def _as_bytes(value):
    value = value.item() if isinstance(value, np.ndarray) else value
    return value if isinstance(value, bytes) else value.encode()
