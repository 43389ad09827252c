"""tf.train.Saver: checkpoints of variables. Nodes, files and the list of checkpoints are C++'s; sessions run them."""

import os

from kiln._kiln import front as _c
from kiln.compat.v1 import _messages, errors, logging
from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._session import SessionInterface
from kiln.compat.v1.train._training_util import global_step as _step_of
from kiln.compat.v1.train._saveable_object import NodeSaveable, SaveableObject, SaveSpec, VariableSaveable

_FIELDS = (
    "filename_tensor_name", "save_tensor_name", "restore_op_name", "max_to_keep", "sharded",
    "keep_checkpoint_every_n_hours", "version",
)  # fmt: skip
V2 = 2


def _all_saveable_objects(scope=None):
    """What savers save where nothing is said."""
    graph = get_default_graph()
    return graph.get_collection("variables", scope) + graph.get_collection("saveable_objects", scope)


def _with_scope(name, scope):
    """The name below an import scope. Source: ops.prepend_name_scope."""
    if not scope:
        return name
    mark = "^" if name.startswith("^") else ""
    return f"{mark}{scope.rstrip('/')}/{name.lstrip('^')}"


def _saveable(item, name=None):
    """What C++ takes for an item of var_list. Errors: TypeError."""
    if isinstance(item, (_c.Variable, SaveableObject)):
        return item
    if isinstance(item, _c.Tensor) and item.op.type in ("Variable", "VariableV2", "VarHandleOp"):
        graph = item.graph
        for key in ("variables", "local_variables", "trainable_variables"):
            for variable in graph.get_collection(key):
                if isinstance(variable, _c.Variable) and variable.op is item.op:
                    return variable
        return NodeSaveable(item, name or item.op.name)
    if isinstance(item, (list, tuple)):
        for part in item:
            if not isinstance(part, _c.Variable):
                raise ValueError(f"Slices must all be Variables: {part}")
        return item
    if hasattr(item, "_get_variable_list"):  # a partitioned variable
        return item
    if hasattr(item, "_saveable"):  # a table
        return item._saveable(name)
    raise TypeError(f"Variable to save is not a Variable: {item}")


class BaseSaverBuilder:
    """Adds the nodes of savers. Source: tf's saver.BaseSaverBuilder.

    Difference: the nodes are always those of BulkSaverBuilder; what a subclass overrides is not called.
    """

    SaveSpec = SaveSpec
    SaveableObject = SaveableObject
    VariableSaveable = ResourceVariableSaveable = VariableSaveable

    def __init__(self, write_version=V2):
        self._write_version = write_version

    def build(
        self,
        names_to_saveables,
        reshape=False,
        sharded=False,
        max_to_keep=5,
        keep_checkpoint_every_n_hours=10000.0,
        name=None,
        restore_sequentially=False,
        filename="model",
    ):
        """The SaverDef of nodes that are added for a dict from names to what is saved."""
        return Saver(
            names_to_saveables, reshape, sharded, max_to_keep, keep_checkpoint_every_n_hours, name, filename=filename
        ).saver_def


BulkSaverBuilder = BaseSaverBuilder


class Saver(_c.Saver):
    """Saves variables to checkpoints and restores them, and keeps the last checkpoints.

    var_list: variables, partitioned variables and SaveableObjects, as a list or as a dict from names in the
    checkpoint; all variables of the graph where it is None. reshape: restored values take the shapes of the
    variables. sharded: one file of data a device. max_to_keep: how many checkpoints stay, None or 0 for all; beyond
    them one every keep_checkpoint_every_n_hours stays. name: the scope of the nodes. saver_def: nodes that are there
    already. defer_build: build() adds the nodes. allow_empty: a graph without variables is no error.
    pad_step_number: "model-00000012". save_relative_paths: the file "checkpoint" names what is beside it without the
    folder. filename: the prefix in the graph where none is fed. Errors: ValueError, TypeError. Source: tf.train.Saver.

    Difference: checkpoints are of version 2 whatever write_version says; those of version 1 are read.
    """

    def __init__(
        self,
        var_list=None,
        reshape=False,
        sharded=False,
        max_to_keep=5,
        keep_checkpoint_every_n_hours=10000.0,
        name=None,
        restore_sequentially=False,
        saver_def=None,
        builder=None,
        defer_build=False,
        allow_empty=False,
        write_version=V2,
        pad_step_number=False,
        save_relative_paths=False,
        filename=None,
    ):
        super().__init__()
        if defer_build and var_list:
            raise ValueError(
                "If `var_list` is provided then build cannot be deferred. "
                "Either set defer_build=False or var_list=None."
            )
        self._init_members()
        self._var_list, self._reshape, self._sharded = var_list, reshape, sharded
        self._max_to_keep, self._name, self._allow_empty = max_to_keep, name, allow_empty
        self._keep_checkpoint_every_n_hours = keep_checkpoint_every_n_hours
        self._pad_step_number, self._save_relative_paths = pad_step_number, save_relative_paths
        self._write_version, self._filename = write_version, filename
        self._saver_def, self._is_built = saver_def, False
        if not defer_build:
            self.build()
        elif saver_def is not None:
            _check(saver_def)

    def _init_members(self):
        """What a saver that C++ made of an imported collection has."""
        self._is_built, self._is_empty, self._write_version = True, False, V2
        self._pad_step_number = self._save_relative_paths = self._sharded = False
        self._name = self._var_list = self._filename = self._saver_def = None

    @property
    def saver_def(self):
        """A SaverDef, which names its nodes; None before they are there."""
        if self._saver_def is None and self._has_nodes():
            self._saver_def = _messages.SaverDef(**dict(zip(_FIELDS, _c.saver_def(self))))
        return self._saver_def

    @saver_def.setter
    def saver_def(self, saver_def):
        self._saver_def = saver_def

    def _options(self):
        hours = self._keep_checkpoint_every_n_hours
        return (
            self._name, self._sharded, self._max_to_keep or 0, hours, self._reshape, self._pad_step_number,
            self._save_relative_paths, self._allow_empty, self._filename,
        )  # fmt: skip

    def build(self):
        """Adds the nodes, once. Errors: ValueError "No variables to save"."""
        if self._is_built:
            return
        if self.saver_def is not None:
            saver_def = self.saver_def
            _check(saver_def)
            if self._name:
                for field in _FIELDS[:3]:
                    setattr(saver_def, field, _with_scope(getattr(saver_def, field), self._name))
            _c.saver_from_def(self, [getattr(saver_def, field) for field in _FIELDS], *self._options())
            self._is_built, self._is_empty = True, None
            return
        if self._var_list is None:
            self._var_list = _all_saveable_objects()
        if not self._var_list and self._allow_empty:
            self._is_built = self._is_empty = True
            return
        if not self._var_list:
            raise ValueError("No variables to save")
        if isinstance(self._var_list, dict):
            given = {name: _saveable(item, name) for name, item in self._var_list.items()}
        else:
            given = [_saveable(item) for item in self._var_list]
        _c.make_saver(self, given, *self._options())
        self._is_built, self._is_empty = True, False

    def as_saver_def(self):
        """The SaverDef of its nodes."""
        return self.saver_def

    def to_proto(self, export_scope=None):
        """A SaverDef, without the scope that is exported; None where it is not in the scope."""
        if export_scope is None:
            return self.saver_def
        names = [getattr(self.saver_def, field) for field in _FIELDS[:3]]
        if not all(name.startswith(export_scope) for name in names):
            return None
        saver_def = _messages.SaverDef()
        saver_def.CopyFrom(self.saver_def)
        for field, name in zip(_FIELDS, names):
            setattr(saver_def, field, name[len(export_scope) :].lstrip("/"))
        return saver_def

    @staticmethod
    def from_proto(saver_def, import_scope=None):
        return Saver(saver_def=saver_def, name=import_scope)

    # The last checkpoints.

    @property
    def last_checkpoints(self):
        """The prefixes of those that stay, the oldest first."""
        return [path for path, _ in self._last_checkpoints]

    @property
    def _last_checkpoints(self):
        return [tuple(each) for each in _c.saver_last_checkpoints(self)] if self._has_nodes() else []

    def _has_nodes(self):
        return self._is_built and not self._is_empty

    def set_last_checkpoints(self, last_checkpoints):
        """From now on these are the last ones. Deprecated: set_last_checkpoints_with_time()."""
        assert isinstance(last_checkpoints, list)
        self.set_last_checkpoints_with_time([(path, float("inf")) for path in last_checkpoints])

    def set_last_checkpoints_with_time(self, last_checkpoints_with_time):
        """The same of pairs of a prefix and seconds since 1970."""
        assert isinstance(last_checkpoints_with_time, list)
        paths, times = zip(*last_checkpoints_with_time) if last_checkpoints_with_time else ((), ())
        _c.saver_set_last_checkpoints(self, list(paths), list(times))

    def recover_last_checkpoints(self, checkpoint_paths):
        """Goes on with the checkpoints of an earlier process; those that are not there are left out."""
        if self._has_nodes():
            _c.saver_recover_last_checkpoints(self, list(checkpoint_paths))

    # Files.

    def save(
        self,
        sess,
        save_path,
        global_step=None,
        latest_filename=None,
        meta_graph_suffix="meta",
        write_meta_graph=True,
        write_state=True,
        strip_default_attrs=False,
        save_debug_info=False,
    ):
        """Writes a checkpoint, and gives its prefix; None where there is nothing to save.

        save_path: the prefix; global_step: a number or a tensor of one, which stands behind it. latest_filename: the
        file that names the last checkpoints, "checkpoint" where it is None. write_meta_graph: writes the graph, too.
        Errors: ValueError for paths that collide and a folder that is not there; RuntimeError before build();
        TypeError; as Session.run().
        """
        if not self._is_built:
            raise RuntimeError("`build()` should be called before save if defer_build==True")
        if self._write_version != V2:
            _warn_of_version_1()
        save_path = os.fspath(save_path)
        save_path = save_path.decode() if isinstance(save_path, bytes) else save_path
        options = (None, latest_filename, meta_graph_suffix, write_meta_graph, strip_default_attrs, write_state)
        if latest_filename and os.path.split(latest_filename)[0]:
            raise ValueError("'latest_filename' must not contain path components")
        if global_step is not None and not hasattr(global_step, "__index__"):
            global_step = _step_of(sess, global_step)
        if not isinstance(sess, SessionInterface):
            raise TypeError(f"'sess' must be a Session; {sess}")
        if self._is_empty:
            if write_meta_graph:
                from kiln.compat.v1.train._checkpoint_management import meta_graph_filename

                path = save_path if global_step is None else f"{save_path}-{global_step}"
                with sess.graph.as_default():
                    self.export_meta_graph(
                        meta_graph_filename(path, meta_graph_suffix), strip_default_attrs=strip_default_attrs
                    )
            return None
        prefix = _c.saver_prefix(self, save_path, global_step, *options)
        saver_def = self.saver_def
        try:
            written = sess.run(saver_def.save_tensor_name, {saver_def.filename_tensor_name: prefix})
            written = written.decode() if isinstance(written, bytes) else str(written)
            with sess.graph.as_default():
                _c.saver_finish(self, save_path, prefix, written, *options)
        except (errors.FailedPreconditionError, errors.NotFoundError):
            if os.path.isdir(os.path.dirname(save_path) or "."):
                raise
            raise ValueError(f"Parent directory of {save_path} doesn't exist, can't save.") from None
        return written

    def restore(self, sess, save_path):
        """Gives the variables the values of a checkpoint; they need no initializer then.

        Errors: ValueError for what is no checkpoint; NotFoundError and InvalidArgumentError for one that does not fit
        the graph; as Session.run().
        """
        if self._is_empty:
            return
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        from kiln.compat.v1.train._checkpoint_management import checkpoint_exists_internal

        save_path = os.fspath(save_path)
        prefix = save_path.decode() if isinstance(save_path, bytes) else save_path
        if not checkpoint_exists_internal(prefix):
            raise ValueError(f"The passed save_path is not a valid checkpoint: {prefix}")
        logging.info("Restoring parameters from %s", prefix)
        saver_def = self.saver_def
        try:
            sess.run(saver_def.restore_op_name, {saver_def.filename_tensor_name: prefix})
        except errors.NotFoundError as error:
            raise _explained(error, "a Variable name or other graph key that is missing") from None
        except errors.InvalidArgumentError as error:
            raise _explained(error, "a mismatch between the current graph and the graph") from None

    def export_meta_graph(
        self,
        filename=None,
        collection_list=None,
        as_text=False,
        export_scope=None,
        clear_devices=False,
        clear_extraneous_savers=False,
        strip_default_attrs=False,
        save_debug_info=False,
    ):
        """A MetaGraphDef of the current graph with this saver; writes it to a file where one is named."""
        from kiln.compat.v1.train._meta_graph import export_meta_graph

        return export_meta_graph(
            filename=filename,
            graph_def=None,
            saver_def=None if self._is_empty else self.saver_def,
            collection_list=collection_list,
            as_text=as_text,
            export_scope=export_scope,
            clear_devices=clear_devices,
            clear_extraneous_savers=clear_extraneous_savers,
            strip_default_attrs=strip_default_attrs,
        )


def _check(saver_def):
    if type(saver_def).__name__ != "SaverDef":
        raise ValueError(f"saver_def must be a saver_pb2.SaverDef: {saver_def}")
    for field in ("save_tensor_name", "restore_op_name"):
        if not getattr(saver_def, field):
            raise ValueError(f"saver_def must specify the {field}: {saver_def}")


def _explained(error, what):
    return type(error)(
        error.node_def,
        error.op,
        f"Restoring from checkpoint failed. This is most likely due to {what} from the checkpoint. Please ensure that "
        f"you have not altered the graph expected based on the checkpoint. Original error:\n\n{error.message}",
    )


def _warn_of_version_1():
    stars = "*" * 55
    logging.warning(stars)
    logging.warning("TensorFlow's V1 checkpoint format has been deprecated.")
    logging.warning("Kiln writes the V2 format in its place, which tf.train.Saver reads.")
    logging.warning(stars)


def _get_saver_or_default():
    """The only saver of the collection "savers", or a new one of all variables."""
    savers = get_default_graph().get_collection("savers")
    if len(savers) > 1:
        raise RuntimeError(
            "More than one item in collection savers. "
            "Please indicate which one to use by passing it to the constructor."
        )
    if savers:
        return savers[0]
    saver = Saver(sharded=True, allow_empty=True)
    get_default_graph().add_to_collection("savers", saver)
    return saver


_c.set_classes(saver=Saver)
