"""Loads SavedModels into a session."""

import os

from kiln.compat.v1 import _messages, logging
from kiln.compat.v1.saved_model import constants, signature_def_utils

# The names of signatures whose one result is an operation.
INIT_OP_SIGNATURE_KEY = "__saved_model_init_op"
TRAIN_OP_SIGNATURE_KEY = "__saved_model_train_op"


def maybe_saved_model_directory(export_dir):
    """Whether the folder has a SavedModel's file. Source: tf.saved_model.loader.maybe_saved_model_directory."""
    names = (constants.SAVED_MODEL_FILENAME_PBTXT, constants.SAVED_MODEL_FILENAME_PB)
    return any(os.path.exists(os.path.join(_folder(export_dir), name)) for name in names)


contains_saved_model = maybe_saved_model_directory


def _folder(export_dir):
    export_dir = os.fspath(export_dir)
    return export_dir.decode() if isinstance(export_dir, bytes) else export_dir


def parse_saved_model(export_dir):
    """The SavedModel message of a folder. Errors: IOError."""
    from google.protobuf import message, text_format

    folder, saved_model = _folder(export_dir), _messages.SavedModel()
    binary = os.path.join(folder, constants.SAVED_MODEL_FILENAME_PB)
    text = os.path.join(folder, constants.SAVED_MODEL_FILENAME_PBTXT)
    path = binary if os.path.exists(binary) else text
    if not os.path.exists(path):
        raise OSError(
            f"SavedModel file does not exist at: {export_dir}/"
            f"{{{constants.SAVED_MODEL_FILENAME_PBTXT}|{constants.SAVED_MODEL_FILENAME_PB}}}"
        )
    with open(path, "rb") as file:
        contents = file.read()
    try:
        if path == binary:
            saved_model.ParseFromString(contents)
        else:
            text_format.Parse(contents.decode(), saved_model)
    except (message.DecodeError, text_format.ParseError, UnicodeDecodeError) as error:
        raise OSError(f"Cannot parse file {path}: {error}.") from None
    return saved_model


class SavedModelLoader:
    """Loads the graphs of one SavedModel. Source: tf's loader_impl.SavedModelLoader."""

    def __init__(self, export_dir):
        self._export_dir = _folder(export_dir)
        self._saved_model = parse_saved_model(export_dir)

    export_dir = property(lambda self: self._export_dir)
    saved_model = property(lambda self: self._saved_model)

    def get_meta_graph_def_from_tags(self, tags):
        """The graph that has these tags and no others. Errors: RuntimeError where there is none."""
        available = []
        for meta_graph in self._saved_model.meta_graphs:
            own = set(meta_graph.meta_info_def.tags)
            if own == set(tags):
                return meta_graph
            available.append(own)
        raise RuntimeError(
            f"MetaGraphDef associated with tags {str(tags).strip('[]')} could not be found in SavedModel. To inspect "
            "available tag-sets in the SavedModel, please use the SavedModel CLI: `saved_model_cli`"
            f"\navailable_tags: {available}"
        )

    def load_graph(self, graph, tags, import_scope=None, **saver_kwargs):
        """Adds it to a graph; gives a saver, or None where it has no variables, and a list of return_elements=."""
        from kiln.compat.v1.train._meta_graph import import_with_return_elements

        meta_graph = self.get_meta_graph_def_from_tags(tags)
        with graph.as_default():
            return import_with_return_elements(meta_graph, import_scope=import_scope, **saver_kwargs)

    def restore_variables(self, sess, saver, import_scope=None):
        from kiln.compat.v1.train._saver import _all_saveable_objects

        with sess.graph.as_default():
            if saver is None and not _all_saveable_objects(import_scope):
                logging.info("The specified SavedModel has no variables; no checkpoints were restored.")
            elif saver is None:
                raise ValueError("No tf.Saver object was passed to the function `SavedModelLoader.restore_variables`. "
                                 "Since there are variables in the graph, a saver is required.")
            else:
                saver.restore(
                    sess,
                    os.path.join(self._export_dir, constants.VARIABLES_DIRECTORY, constants.VARIABLES_FILENAME),
                )

    def run_init_ops(self, sess, tags, import_scope=None):
        """Runs the main operation, with the names of assets fed."""
        meta_graph = self.get_meta_graph_def_from_tags(tags)
        with sess.graph.as_default():
            assets = _assets(self._export_dir, meta_graph, import_scope)
            operation = get_init_op(meta_graph, import_scope)
            if operation is not None:
                sess.run(fetches=[operation], feed_dict=assets)

    def load(self, sess, tags, import_scope=None, **saver_kwargs):
        """Adds it to the session's graph, restores it and runs its main operation; gives the MetaGraphDef."""
        saver, _ = self.load_graph(sess.graph, tags, import_scope, **saver_kwargs)
        self.restore_variables(sess, saver, import_scope)
        self.run_init_ops(sess, tags, import_scope)
        return self.get_meta_graph_def_from_tags(tags)


def _scoped(name, import_scope):
    return f"{import_scope}/{name}" if import_scope else name


def _assets(export_dir, meta_graph, import_scope):
    """Where the assets lie, by the names of the tensors that name them."""
    files = list(meta_graph.asset_file_def)
    if not files:
        for packed in meta_graph.collection_def[constants.ASSETS_KEY].any_list.value if (
            constants.ASSETS_KEY in meta_graph.collection_def
        ) else ():
            files.append(_messages.AssetFileDef.FromString(packed.value))
    return {
        _scoped(file.tensor_info.name, import_scope): os.path.join(
            export_dir, constants.ASSETS_DIRECTORY, file.filename
        )
        for file in files
    }


def _operation(meta_graph, signature_key, collection_keys, import_scope):
    """What a signature names, or else a collection: an operation, a tensor or None."""
    from kiln.compat.v1._graph import get_default_graph

    signatures = meta_graph.signature_def
    if signature_key in signatures:
        return signature_def_utils.load_op_from_signature_def(
            signatures[signature_key], signature_key, import_scope
        )
    for key in collection_keys:
        if key not in meta_graph.collection_def:
            continue
        operations = meta_graph.collection_def[key].node_list.value
        if len(operations) != 1:
            raise RuntimeError(f"Expected exactly one SavedModel init op. Found: {list(operations)}")
        return get_default_graph().get_collection(key)[0]
    return None


def get_init_op(meta_graph_def, import_scope=None):
    """The operation that runs when a model has been loaded, or None. Source: tf's loader_impl.get_init_op."""
    keys = (constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY)
    return _operation(meta_graph_def, INIT_OP_SIGNATURE_KEY, keys, import_scope)


def get_train_op(meta_graph_def, import_scope=None):
    """The operation or tensor that trains a model, or None. Source: tf's loader_impl.get_train_op."""
    return _operation(meta_graph_def, TRAIN_OP_SIGNATURE_KEY, (constants.TRAIN_OP_KEY,), import_scope)


def load(sess, tags, export_dir, import_scope=None, **saver_kwargs):
    """Loads the graph that has these tags and no others into a session; gives its MetaGraphDef.

    Errors: IOError for no model; RuntimeError for no graph of these tags; as Saver.restore(), Session.run(). Source:
    tf.saved_model.loader.load.
    """
    return SavedModelLoader(export_dir).load(sess, tags, import_scope, **saver_kwargs)
