"""Modules that are imported when they are first used."""

import importlib
import types


class LazyLoader(types.ModuleType):
    """Stands for a module of that name, and puts it into a dict of globals on first use."""

    def __init__(self, local_name, parent_module_globals, name, warning=None):
        super().__init__(name)
        self.__dict__.update(
            _local_name=local_name, _parent_module_globals=parent_module_globals, _warning=warning
        )

    def _load(self):
        module = importlib.import_module(self.__name__)
        self._parent_module_globals[self._local_name] = module
        if self._warning:
            from kiln.compat import v1 as tf

            tf.logging.warning(self._warning)
            self.__dict__["_warning"] = None
        self.__dict__.update(module.__dict__)
        return module

    def __getattr__(self, item):
        return getattr(self._load(), item)

    def __dir__(self):
        return dir(self._load())
