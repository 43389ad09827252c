"""Modules that stand for TensorFlow's: which module a name below tensorflow is, and what is in
the private ones.
"""

import importlib
import keyword
import types

from kiln.compat import _aliases, _missing

FRONT = "kiln.compat.v1"
# The files of what only TensorFlow's private modules have, in folders as theirs.
OWN = "kiln.compat._python"
# A function for each op, which the build writes.
RAW = "kiln._generated.raw_ops"
# Folders of tensorflow.contrib whose public names are others.
_CONTRIB_FOLDERS = {"learn_io": "io"}


def resolve(name):
    """The module for a name below tensorflow (`python.ops.math_ops`; "" is tensorflow itself),
    or None.
    """
    if name == "compat.v1" or name.startswith("compat.v1."):
        name = name[len("compat.v1.") :]
    if not name:
        return importlib.import_module(FRONT)
    return namespace(name) or _message_module(name) or private_module(name)


def namespace(path):
    """The module of kiln.compat.v1 for a namespace of TensorFlow's (`nn.rnn_cell`), or None."""
    found = importlib.import_module(FRONT)
    for i, part in enumerate(path.split(".") if path else []):
        inner = getattr(found, part, None)
        if not isinstance(inner, types.ModuleType):
            inner = _submodule(f"{FRONT}.{'.'.join(path.split('.')[: i + 1])}")
        if inner is None or isinstance(inner, AliasModule):
            return None
        found = inner
    return found


def _submodule(name):
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(error.name + ".")):
            return None
        raise


def _front_module(path):
    """A namespace, or a private module of kiln.compat.v1 where the path begins with an underscore."""
    return _submodule(f"{FRONT}.{path}") if path.startswith("_") else namespace(path)


def _message_module(name):
    if not name.endswith("_pb2"):
        return None
    messages = importlib.import_module(f"{FRONT}._message_modules")
    return messages.make_module(f"tensorflow.{name}")


def private_module(name):
    """The module that the table has for a private name, or a folder of such modules."""
    row = _row_of(name)
    own = _own_module(name)
    if row is not None and row.startswith("is "):
        return _front_module(row[len("is ") :])
    if row == "@" and namespace(name[len("python.") :]) is not None:
        return namespace(name[len("python.") :])
    if row is None and own is None and not _is_folder(name):
        return None
    module = AliasModule(name, row or "", own)
    return module if own is not None or _is_folder(name) or module._has_sources() else None


def _row_of(name):
    if name == "python" or name.startswith("python."):
        rows, inner = _aliases.rows(), name[len("python.") :]
        if inner in rows:
            return rows[inner]
        patterns = [key for key in rows if key.endswith("*") and inner.startswith(key[:-1])]
        return rows[max(patterns, key=len)] if patterns else None
    return _contrib_row_of(name)


def _contrib_row_of(name):
    """Below contrib.NAME.python: what stands below contrib.NAME, by the longest path that is
    there.
    """
    parts = [_CONTRIB_FOLDERS.get(part, part) for part in name.split(".")]
    if parts[0] != "contrib" or "python" not in parts[2:]:
        return None
    at = parts.index("python", 2)
    head, tail = ".".join(parts[:at]), parts[at + 1 :]
    if namespace(head) is None:
        return None
    paths = [".".join((head, *way[:i])) for way in (tail, tail[1:]) for i in range(len(way), 0, -1)]
    return " ".join((*paths, head))


def _is_folder(name):
    prefixes = [f"python.{key}" for key in _aliases.rows()]
    prefixes += importlib.import_module(f"{FRONT}._message_modules").MODULES
    return name == "compat" or any(key.startswith(name + ".") for key in prefixes)


def _below(name):
    """The private module of a name below tensorflow; Python's one module where the hook serves
    tensorflow.
    """
    from kiln.compat import _hook

    return _submodule(f"tensorflow.{name}") if _hook.installed() else resolve(name)


def _own_module(name):
    if not name.startswith("python."):
        return None
    return _submodule(f"{OWN}{name[len('python'):]}")


class AliasModule(types.ModuleType):
    """A private module of TensorFlow's, made of a row of the table. A name is looked for when it
    is first asked for.
    """

    def __init__(self, path, row, own):
        super().__init__(
            f"tensorflow.{path}",
            f"The names of TensorFlow's private module tensorflow.{path} that Kiln has.",
        )
        words = row.split()
        self.__dict__.update(
            __path__=[],  # modules may lie below; the import hook finds them
            _path=path,
            _own=own,
            _is_folder=_is_folder(path) or hasattr(own, "__path__"),
            _renames=dict(word.split("=") for word in words if "=" in word),
            _sources=[word for word in words if "=" not in word],
        )

    def __getattr__(self, name):
        if name == "__all__":
            return self._public_names()
        if name.startswith("__") and name not in self._renames:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        for found in self._places(name):
            setattr(self, name, found)
            return found
        raise _missing.missing_name(self.__name__, name, self._full_name(name))

    def __dir__(self):
        return sorted({*self.__dict__, *self._public_names()})

    def _places(self, name):
        """Yields what the name stands for, the best first."""
        if self._own is not None and hasattr(self._own, name):
            own = getattr(self._own, name)
            if not (self._is_folder and isinstance(own, types.ModuleType)):
                yield own
        if name in self._renames:
            path, _, last = self._renames[name].rpartition(".")
            yield from _attribute(namespace(path), last)
        if self._is_folder and self._has_module(name):
            inner = _below(f"{self._path}.{name}")
            yield from [] if inner is None else [inner]
        for source in self._sources:
            yield from _attribute(self._source(source), name)
            if source == "raw":  # "Add" is tf.raw_ops.Add
                yield from _attribute(namespace("raw_ops"), name)
            if source == "raw" and name.startswith("_"):
                # TensorFlow's functions of ops that it wraps itself had an underscore before 1.8; a keyword of
                # Python has one behind it here.
                yield from _attribute(self._source(source), name[1:] + "_" * keyword.iskeyword(name[1:]))

    def _has_module(self, name):
        """Whether a private module of that name lies below this one."""
        inner = f"{self._path}.{name}"
        exact = _row_of(inner) is not None or _own_module(inner) is not None
        return exact or inner.endswith("_pb2") or _is_folder(inner)

    def _source(self, source):
        if source == "-":
            return None
        if source == "raw":
            return importlib.import_module(RAW)
        if source == "@":
            parts = self._path.split(".")[1:]
            tried = (namespace(".".join(parts[:i])) for i in range(len(parts), 0, -1))
            return next((found for found in tried if found is not None), None)
        return _front_module("" if source == "." else source)

    def _has_sources(self):
        """Whether anything that the row names is there."""
        return any(it == "-" or self._source(it) is not None for it in self._sources)

    def _full_name(self, name):
        """The name below tf by which _missing tells what is planned: the public one where there
        is a namespace for it.
        """
        plain = [source for source in self._sources if source[0] not in "_.@" and source != "raw"]
        if plain and not name.startswith("_") and not _missing.plan_of(self._path):
            return f"{plain[0]}.{name}"
        return f"{self._path}.{name}"

    def _public_names(self):
        """What `import *` takes."""
        names = {
            *self._renames,
            *(n for n in dir(self._own) if self._own and not n.startswith("_")),
        }
        for source in self._sources:
            found = self._source(source)
            names.update(
                n for n in getattr(found, "__all__", None) or dir(found) if not n.startswith("_")
            )
        return sorted(name for name in names if hasattr(self, name))


def _attribute(found, name):
    if found is not None and hasattr(found, name):
        yield getattr(found, name)
