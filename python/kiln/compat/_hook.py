"""The import hook: `import tensorflow` and everything below it is served by kiln.compat.v1."""

import importlib
import importlib.machinery
import sys
import threading

from kiln.compat import _missing, _modules

# The second one is where TensorFlow 1.15 keeps its modules, and some programs name it.
ROOTS = ("tensorflow", "tensorflow_core")

_lock = threading.Lock()
_finder = None


class Finder:
    """Finds modules below tensorflow, for sys.meta_path."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        root, _, inner = name.partition(".")
        if root not in ROOTS:
            return None
        module = _modules.resolve(inner)
        if module is None:
            raise _missing.missing_module(name)
        return importlib.machinery.ModuleSpec(
            name,
            Loader(module),
            origin=getattr(module, "__file__", None),
            is_package=inner == "" or hasattr(module, "__path__"),
        )


class Loader:
    """Puts a module that is there already, often under another name, into sys.modules."""

    def __init__(self, module):
        self.module = module

    def create_module(self, spec):
        """A module that was made for this name, which Python gives the spec; the others keep
        their own.
        """
        return self.module if self.module.__name__ == spec.name else None

    def exec_module(self, module):
        if module is not self.module and not hasattr(self.module, "__path__"):
            self.module.__path__ = []  # so that `import tensorflow.nn.rnn_cell` looks below
        name = module.__spec__.name
        sys.modules[name] = self.module
        if name == ROOTS[0]:
            # For `from tensorflow import python` and `tf.python`.
            for folder in ("core", "python"):
                importlib.import_module(f"{name}.{folder}")


def installed():
    """Whether `import tensorflow` is served from kiln.compat.v1."""
    return _finder is not None


def install():
    """Serves `import tensorflow` from kiln.compat.v1 from now on, in the whole process.

    **Errors**: RuntimeError where TensorFlow is imported already.
    """
    global _finder
    with _lock:
        if _finder is not None:
            return
        for name in ROOTS:
            if name in sys.modules:
                raise RuntimeError(
                    f"{name} is imported already, from {sys.modules[name].__file__}: call "
                    "kiln.compat.install() before anything imports it"
                )
        _finder = Finder()
        sys.meta_path.insert(0, _finder)
