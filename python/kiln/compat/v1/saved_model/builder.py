"""Writes SavedModels: graphs with the values of their variables, signatures and assets, in a folder."""

import os

from kiln._kiln import front as _c
from kiln.compat.v1 import _messages, logging
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._io import file_io
from kiln.compat.v1.saved_model import constants, loader, signature_def_utils
from kiln.compat.v1.train import _saver


class _SavedModelBuilder:
    """Writes a SavedModel: graphs are added, then save() writes the file that names them.

    export_dir: a folder that is not there, or empty. Errors: AssertionError for another. Source: tf's
    builder_impl._SavedModelBuilder.
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
        assets_list=None,
        clear_devices=False,
        init_op=None,
        train_op=None,
        strip_default_attrs=False,
        saver=None,
    ):
        """Adds the current graph with the values of its variables in a session: the first and no other one.

        tags: by which it is loaded. signature_def_map: SignatureDefs by name. assets_list: constants that name files,
        which are copied. init_op: runs when the model has been loaded. train_op: is remembered. Errors: AssertionError
        where variables have been saved, and for signatures without names; KeyError for reserved names of signatures;
        as Saver.save().
        """
        self._check_first(True)
        signatures = _signatures(signature_def_map, init_op, train_op)
        saver = self._save_variables(sess, saver)
        meta_graph = self._add(saver, tags, signatures, clear_devices, strip_default_attrs)
        meta_graph.asset_file_def.extend(self._copied_assets(assets_list))

    def add_meta_graph(
        self,
        tags,
        signature_def_map=None,
        assets_list=None,
        clear_devices=False,
        init_op=None,
        train_op=None,
        saver=None,
    ):
        """Adds another graph, whose variables have the names of the first one's. Errors: AssertionError before that."""
        self._check_first(False)
        signatures = _signatures(signature_def_map, init_op, train_op)
        meta_graph = self._add(saver or _default_saver(), tags, signatures, clear_devices, True)
        meta_graph.asset_file_def.extend(self._copied_assets(assets_list))

    def save(self, as_text=False):
        """Writes saved_model.pb, or saved_model.pbtxt, in one step; gives its path, bytes."""
        from kiln.compat.v1.train._meta_graph import write_message

        name = constants.SAVED_MODEL_FILENAME_PBTXT if as_text else constants.SAVED_MODEL_FILENAME_PB
        path = write_message(self._saved_model, os.path.join(self._export_dir, name), as_text)
        logging.info("SavedModel written to: %s", path)
        return path.encode()

    def _check_first(self, is_first):
        """Errors: AssertionError where what is saved now is not in its turn."""
        if is_first and self._has_saved_variables:
            raise AssertionError(
                "Graph state including variables and assets has already been saved. "
                "Please invoke `add_meta_graph()` instead."
            )
        if not is_first and not self._has_saved_variables:
            raise AssertionError(
                "Graph state including variables and assets has not been saved yet. "
                "Please invoke `add_meta_graph_and_variables()` first."
            )

    def _save_variables(self, sess, saver):
        """Gives the saver that has saved them."""
        folder = os.path.join(self._export_dir, constants.VARIABLES_DIRECTORY)
        file_io.recursive_create_dir(folder)
        saver = saver or _default_saver()
        saver.save(
            sess, os.path.join(folder, constants.VARIABLES_FILENAME), write_meta_graph=False, write_state=False
        )
        self._has_saved_variables = True
        return saver

    def _add(self, saver, tags, signatures, clear_devices, strip_default_attrs):
        """The MetaGraphDef of the current graph, which is one of the model's."""
        meta_graph = self._saved_model.meta_graphs.add()
        meta_graph.CopyFrom(
            saver.export_meta_graph(clear_devices=clear_devices, strip_default_attrs=strip_default_attrs)
        )
        meta_graph.meta_info_def.tags.extend(tags)
        for key, signature in signatures.items():
            meta_graph.signature_def[key].CopyFrom(signature)
        return meta_graph

    def _copied_assets(self, tensors):
        """The AssetFileDefs of constants that name files, which are copied."""
        assets = []
        for tensor in tensors or ():
            asset = _messages.AssetFileDef(filename=self._copied(_path_of(tensor)))
            asset.tensor_info.name = tensor.name
            assets.append(asset)
        logging.info("Assets added to graph." if assets else "No assets to save.")
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


class SavedModelBuilder(_SavedModelBuilder):
    """Writes a SavedModel, as the class above; assets and the main operation stand in collections of the graph.

    export_dir: a folder that is not there, or empty. Errors: AssertionError for another. Source:
    tf.saved_model.builder.SavedModelBuilder.
    """

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

        assets_collection: constants that name files, which are copied. main_op: runs when the model has been loaded.
        Errors: as the class above; TypeError, ValueError for the main operation.
        """
        self._check_first(True)
        signatures = _signatures(signature_def_map)
        _collect_main_op(main_op or legacy_init_op)
        saver = self._save_variables(sess, saver)
        meta_graph = self._add(saver, tags, signatures, clear_devices, strip_default_attrs)
        self._collect_assets(meta_graph, assets_collection)

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
        self._check_first(False)
        signatures = _signatures(signature_def_map)
        _collect_main_op(main_op if main_op is not None else legacy_init_op)
        meta_graph = self._add(saver or _default_saver(), tags, signatures, clear_devices, strip_default_attrs)
        self._collect_assets(meta_graph, assets_collection)

    def _collect_assets(self, meta_graph, tensors):
        assets = self._copied_assets(tensors)
        if assets:
            collection = meta_graph.collection_def[constants.ASSETS_KEY].any_list
            for asset in assets:
                collection.value.add().Pack(asset)


def _collect_main_op(main_op):
    """Puts the operation into its collection. Errors: TypeError, ValueError."""
    if main_op is None:
        return
    if not isinstance(main_op, _c.Operation):
        raise TypeError(f"main_op needs to be an Operation: {main_op!r}")
    for key in (constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY):
        if get_default_graph().get_collection(key):
            raise ValueError(f"Graph already contains one or more main ops under the collection {key}.")
    get_default_graph().add_to_collection(constants.MAIN_OP_KEY, main_op)


def _default_saver():
    return _saver.Saver(_saver._all_saveable_objects(), sharded=True, allow_empty=True)


def _signatures(signature_def_map, init_op=None, train_op=None):
    """The signatures with those of two operations. Errors: AssertionError, KeyError."""
    signatures = dict(signature_def_map or {})
    for signature in signatures.values():
        for info in (*signature.inputs.values(), *signature.outputs.values()):
            if info is None or info.WhichOneof("encoding") is None or info.dtype == _messages.DT_INVALID:
                raise AssertionError(
                    "All TensorInfo protos used in the SignatureDefs must have the name and dtype fields set: "
                    f"{info}"
                )
    for key, operation, what in (
        (loader.INIT_OP_SIGNATURE_KEY, init_op, "initialization"),
        (loader.TRAIN_OP_SIGNATURE_KEY, train_op, "the train op"),
    ):
        if key in signatures:
            raise KeyError(
                f'SignatureDef map key "{key}" is reserved for {what}. Please use a different key.'
            )
        if operation is not None:
            signatures[key] = signature_def_utils.op_signature_def(operation, key)
    return signatures


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
