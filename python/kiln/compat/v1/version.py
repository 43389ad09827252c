"""tf.version: which TensorFlow's interface this is, and which graphs are written."""

from kiln import __version__

__all__ = [
    "COMPILER_VERSION",
    "GIT_VERSION",
    "GRAPH_DEF_VERSION",
    "GRAPH_DEF_VERSION_MIN_CONSUMER",
    "GRAPH_DEF_VERSION_MIN_PRODUCER",
    "VERSION",
]

VERSION = "1.15.0"
GIT_VERSION = f"kiln-{__version__}"
COMPILER_VERSION = "clang"
# As in `versions` of the graphs that are written: the rules by which they are to be read.
GRAPH_DEF_VERSION = 2474
GRAPH_DEF_VERSION_MIN_CONSUMER = 0
GRAPH_DEF_VERSION_MIN_PRODUCER = 0
