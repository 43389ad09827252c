"""Members replaced for the time of a test."""

import inspect


class StubOutForTesting:
    """Replaces members of modules and classes, and puts them back. Source: tf.test.StubOutForTesting."""

    def __init__(self):
        self._set, self._smart = [], []

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.CleanUp()

    def __del__(self):
        self.CleanUp()

    def CleanUp(self):  # noqa: N802, TensorFlow's name
        """Puts everything back."""
        self.SmartUnsetAll()
        self.UnsetAll()

    def Set(self, parent, child_name, new_child):  # noqa: N802
        """Replaces a member, wherever it comes from."""
        old_child = getattr(parent, child_name)
        own = parent.__dict__.get(child_name) if hasattr(parent, "__dict__") else None
        self._set.append((parent, own if isinstance(own, staticmethod) else old_child, child_name))
        setattr(parent, child_name, new_child)

    def UnsetAll(self):  # noqa: N802
        while self._set:
            parent, child, name = self._set.pop()
            setattr(parent, name, child)

    def SmartSet(self, obj, attr_name, new_attr):  # noqa: N802
        """Replaces a member where it is defined: in the object, or in a base of its class."""
        if inspect.ismodule(obj) or (not inspect.isclass(obj) and attr_name in getattr(obj, "__dict__", {})):
            owner = obj
        else:
            classes = (obj if inspect.isclass(obj) else type(obj)).__mro__
            owner = next((each for each in classes if attr_name in each.__dict__), None)
            if owner is None:
                raise AttributeError("Attribute not found.")
        self._smart.append((owner, attr_name, owner.__dict__[attr_name]))
        setattr(owner, attr_name, new_attr)

    def SmartUnsetAll(self):  # noqa: N802
        while self._smart:
            owner, name, old = self._smart.pop()
            setattr(owner, name, old)
