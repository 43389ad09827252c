"""Writes SavedModels: graphs with the values of their variables, signatures and assets, in a folder."""

import os

from kiln._kiln import front as _c
from kiln.compat.v1 import _messages, logging
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._io import file_io
from kiln.compat.v1.saved_model import constants
from kiln.compat.v1.train import _saver


class SavedModelBuilder:
    """Writes a SavedModel: graphs are added, then save() writes the file that names them.

    export_dir: a folder that is not there, or empty. Errors: AssertionError for another. Source:
    tf.saved_model.builder.SavedModelBuilder.
    """

    def __init__(self, export_dir):
        self._export_dir = os.fspath(export_dir)
        if isinstance(self._export_dir, bytes):
            self._export_dir = self._export_dir.decode()
        self._saved_model = _messages.SavedModel(saved_model_schema_version=constants.SAVED_MODEL_SCHEMA_VERSION)
        if os.path.exists(self._export_dir):
            if os.listdir(self._export_dir):
                raise AssertionError(
                    "Export directory already exists, and isn't empty. Please choose a different export directory, "
                    f"or delete all the contents of the specified directory: {self._export_dir}"
                )
        else:
            file_io.recursive_create_dir(self._export_dir)
        self._has_saved_variables = False
        # By name, what has been copied.
        self._assets = {}

    def add_meta_graph_and_variables(
        self,
        sess,
        tags,
        signature_def_map=None,
        assets_collection=None,
        legacy_init_op=None,
        clear_devices=False,
        main_op=None,
        strip_default_attrs=False,
        saver=None,
    ):
        """Adds the current graph with the values of its variables in a session: the first and no other one.

        tags: by which it is loaded. signature_def_map: SignatureDefs by name. assets_collection: constants that name
        files, which are copied. main_op: runs when the model has been loaded. Errors: AssertionError where variables
        have been saved, and for signatures without names; TypeError; as Saver.save().
        """
        if self._has_saved_variables:
            raise AssertionError(
                "Graph state including variables and assets has already been saved. "
                "Please invoke `add_meta_graph()` instead."
            )
        _check_signatures(signature_def_map or {})
        assets = self._prepare(assets_collection, main_op or legacy_init_op)
        folder = os.path.join(self._export_dir, constants.VARIABLES_DIRECTORY)
        file_io.recursive_create_dir(folder)
        saver = saver or _default_saver()
        saver.save(
            sess, os.path.join(folder, constants.VARIABLES_FILENAME), write_meta_graph=False, write_state=False
        )
        self._add(saver, tags, signature_def_map, assets, clear_devices, strip_default_attrs)
        self._has_saved_variables = True

    def add_meta_graph(
        self,
        tags,
        signature_def_map=None,
        assets_collection=None,
        legacy_init_op=None,
        clear_devices=False,
        main_op=None,
        strip_default_attrs=False,
        saver=None,
    ):
        """Adds another graph, whose variables have the names of the first one's. Errors: AssertionError before that."""
        if not self._has_saved_variables:
            raise AssertionError(
                "Graph state including variables and assets has not been saved yet. "
                "Please invoke `add_meta_graph_and_variables()` first."
            )
        _check_signatures(signature_def_map or {})
        assets = self._prepare(assets_collection, main_op if main_op is not None else legacy_init_op)
        saver = saver or _default_saver()
        self._add(saver, tags, signature_def_map, assets, clear_devices, strip_default_attrs)

    def save(self, as_text=False):
        """Writes saved_model.pb, or saved_model.pbtxt, in one step; gives its path, bytes."""
        from kiln.compat.v1.train._meta_graph import write_message

        name = constants.SAVED_MODEL_FILENAME_PBTXT if as_text else constants.SAVED_MODEL_FILENAME_PB
        path = write_message(self._saved_model, os.path.join(self._export_dir, name), as_text)
        logging.info("SavedModel written to: %s", path)
        return path.encode()

    def _prepare(self, assets_collection, main_op):
        """Copies the files, and puts the operation into its collection. Gives (name, tensor) of assets."""
        assets = []
        for tensor in assets_collection or ():
            assets.append((self._copied(_path_of(tensor)), tensor))
        if assets:
            logging.info("Assets added to graph.")
        else:
            logging.info("No assets to save.")
        if main_op is not None:
            if not isinstance(main_op, _c.Operation):
                raise TypeError(f"main_op needs to be an Operation: {main_op!r}")
            for key in (constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY):
                if get_default_graph().get_collection(key):
                    raise ValueError(f"Graph already contains one or more main ops under the collection {key}.")
            get_default_graph().add_to_collection(constants.MAIN_OP_KEY, main_op)
        return assets

    def _copied(self, path):
        """The name under which a file is in the folder of assets."""
        base = os.path.basename(path)
        name, number = base, 0
        while name in self._assets and self._assets[name] != path:
            if file_io.filecmp(self._assets[name], path):
                break
            number += 1
            name = f"{base}_{number}"
        if name not in self._assets:
            folder = os.path.join(self._export_dir, constants.ASSETS_DIRECTORY)
            file_io.recursive_create_dir(folder)
            if os.path.exists(path):
                file_io.copy(path, os.path.join(folder, name), overwrite=True)
            logging.info("Assets written to: %s", folder)
            self._assets[name] = path
        return name

    def _add(self, saver, tags, signature_def_map, assets, clear_devices, strip_default_attrs):
        meta_graph = saver.export_meta_graph(clear_devices=clear_devices, strip_default_attrs=strip_default_attrs)
        meta_graph.meta_info_def.tags.extend(tags)
        for key, signature in (signature_def_map or {}).items():
            meta_graph.signature_def[key].CopyFrom(signature)
        for name, tensor in assets:
            asset = meta_graph.asset_file_def.add(filename=name)
            asset.tensor_info.name = tensor.name
        self._saved_model.meta_graphs.add().CopyFrom(meta_graph)


def _default_saver():
    return _saver.Saver(_saver._all_saveable_objects(), sharded=True, allow_empty=True)


def _check_signatures(signatures):
    for signature in signatures.values():
        for info in (*signature.inputs.values(), *signature.outputs.values()):
            if info.WhichOneof("encoding") is None or info.dtype == _messages.DT_INVALID:
                raise AssertionError(
                    "All TensorInfo protos used in the SignatureDefs must have the name and dtype fields set: "
                    f"{info}"
                )


def _path_of(tensor):
    """The file that a constant names. Errors: TypeError for another tensor."""
    if not isinstance(tensor, _c.Tensor):
        raise TypeError(f"Asset path tensor {tensor} must be a Tensor.")
    if tensor.op.type != "Const":
        raise TypeError(f"Asset path tensor {tensor} must be of type constant.Has type {tensor.op.type} instead.")
    if tensor.dtype.name != "string":
        raise TypeError(f"Asset path tensor {tensor}` must be of dtype string.Has type {tensor.dtype} instead.")
    values = tensor.op.node_def.attr["value"].tensor.string_val
    if len(values) != 1:
        raise TypeError(f"Asset path tensor {tensor} must be a scalar.")
    if not values[0]:
        raise ValueError(f"Asset filepath tensor {tensor} in is invalid.")
    return values[0].decode()
