"""What stands for modules and names of TensorFlow that kiln.compat lacks, so that a test file that imports them can
be collected: a test that uses one of them fails by its name, the other tests of the file run.
"""

import abc
import sys
import types

in_test = False  # whether a test runs; before that files are only imported


class _Kind(abc.ABCMeta):
    """The type of an absent name, which may be a base class, a decorator or a constant of a test file."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if in_test:
            raise AttributeError(f"Kiln has no {cls.__name__}.{name}")
        return absent(f"{cls.__name__}.{name}")

    def __call__(cls, *arguments, **options):
        if not getattr(cls, "_is_absent", False) or "_is_absent" not in vars(cls):
            return super().__call__(*arguments, **options)  # a class of the test file that inherits
        if in_test:
            raise NotImplementedError(f"Kiln has no {cls.__name__}")
        if len(arguments) == 1 and isinstance(arguments[0], type) and not options:
            return arguments[0]
        if len(arguments) == 1 and isinstance(arguments[0], types.FunctionType) and not options:
            return _failing(cls.__name__)
        return absent(cls.__name__)


def _failing(name):
    def function(*_, **__):
        raise NotImplementedError(f"Kiln has no {name}")

    return function


def absent(name):
    return _Kind(name, (), {"_is_absent": True})


class _AbsentModule(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if in_test:
            raise AttributeError(f"Kiln has no {self.__name__}.{name}")
        return absent(f"{self.__name__}.{name}")


class _Finder:
    """Asks Kiln's finder, and gives an absent module where that has none."""

    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "local_xla":  # XLA's messages, which lie beside TensorFlow
            return self.absent_module(name, "Kiln has none of XLA")
        try:
            return self.finder.find_spec(name, path, target)
        except ModuleNotFoundError as error:
            if in_test or name.partition(".")[0] != "tensorflow":
                raise
            return self.absent_module(name, str(error))

    @staticmethod
    def absent_module(name, words):
        module = _AbsentModule(name, words)
        module.__path__ = []
        return type(sys.__spec__)(name, _Loader(module), is_package=True)


class _Loader:
    def __init__(self, module):
        self.module = module

    def create_module(self, spec):
        return self.module

    def exec_module(self, module):
        pass


def stand_in():
    """To be called after kiln.compat.install()."""
    from kiln.compat import _hook, _modules

    sys.meta_path[sys.meta_path.index(_hook._finder)] = _Finder(_hook._finder)
    own = _modules.AliasModule.__getattr__

    def look_up(self, name):
        try:
            return own(self, name)
        except (AttributeError, ImportError):
            if in_test or name.startswith("__") or not _is_asked_by_a_test(sys._getframe(1)):
                raise
            return absent(f"{self.__name__}.{name}")

    _modules.AliasModule.__getattr__ = look_up


def _is_asked_by_a_test(frame):
    while frame is not None and frame.f_globals.get("__name__", "").startswith("importlib"):
        frame = frame.f_back
    return frame is not None and not frame.f_globals.get("__name__", "").startswith("kiln.")
