"""tf.flags and tf.app.flags: flags of the command line, which are those of absl.flags.

All public names of absl.flags are here, the library is imported on the first use of one.
Two things differ from it, as in TensorFlow 1.15. FLAGS parses the command line when the
first flag is read, where nothing has parsed it yet. The functions that define strings,
booleans, floats and integers also take the names that the arguments once had: flag_name,
default_value and docstring.

    tf.flags.DEFINE_integer("batch_size", 64, "examples in a batch")
    FLAGS = tf.flags.FLAGS
    print(FLAGS.batch_size)
"""

import functools
import sys

_RENAMED = {"flag_name": "name", "default_value": "default", "docstring": "help"}
_WRAPPED = ("DEFINE_string", "DEFINE_boolean", "DEFINE_bool", "DEFINE_float", "DEFINE_integer")


class _Flags:
    """absl.flags.FLAGS, parsed by the first reading of a flag.

    Everything else is that object's, its class included. A flag that the command line
    has and nobody has defined is an error of absl.flags then; tf.app.run() lets it pass.
    """

    def __init__(self, flags):
        object.__getattribute__(self, "__dict__")["__wrapped"] = flags

    def __getattribute__(self, name):
        own = object.__getattribute__(self, "__dict__")
        return own if name == "__dict__" else own["__wrapped"].__getattribute__(name)

    def __getattr__(self, name):
        flags = self.__dict__["__wrapped"]
        if name == "_parse_flags":  # of TensorFlow before 1.5
            return lambda args=None: flags(
                sys.argv if args is None else [sys.argv[0], *args], known_only=True
            )[1:]
        if not flags.is_parsed():
            flags(sys.argv)
        return flags.__getattr__(name)

    def __setattr__(self, name, value):
        setattr(self.__dict__["__wrapped"], name, value)

    def __delattr__(self, name):
        delattr(self.__dict__["__wrapped"], name)

    def __dir__(self):
        return dir(self.__dict__["__wrapped"])

    def __getitem__(self, name):
        return self.__dict__["__wrapped"][name]

    def __setitem__(self, name, flag):
        self.__dict__["__wrapped"][name] = flag

    def __contains__(self, name):
        return name in self.__dict__["__wrapped"]

    def __len__(self):
        return len(self.__dict__["__wrapped"])

    def __iter__(self):
        return iter(self.__dict__["__wrapped"])

    def __str__(self):
        return str(self.__dict__["__wrapped"])

    def __call__(self, *args, **kwargs):
        return self.__dict__["__wrapped"](*args, **kwargs)


def _with_old_names(define):
    """Returns a function of absl.flags that takes the old names of its arguments too."""

    @functools.wraps(define)
    def wrapper(*args, **kwargs):
        old = [name for name in _RENAMED if name in kwargs]
        if old:
            import logging

            logging.warning(
                "Use of the keyword argument names (flag_name, default_value, "
                "docstring) is deprecated, please use (name, default, help) instead."
            )
            kwargs.update({_RENAMED[name]: kwargs.pop(name) for name in old})
        return define(*args, **kwargs)

    return wrapper


@functools.cache
def _absl():
    """Returns absl.flags, which then takes flags that are defined here for the calling module's.

    absl.app is imported too, as TensorFlow does, for the flags that it and absl.logging define.
    """
    import absl.app
    from absl import flags

    flags.disclaim_key_flags()
    return flags


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(_absl(), name)
    if name == "FLAGS":
        value = _Flags(value)
    elif name in _WRAPPED:
        value = _with_old_names(value)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *(name for name in dir(_absl()) if not name.startswith("_"))})
