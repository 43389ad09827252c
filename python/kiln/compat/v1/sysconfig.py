"""tf.sysconfig: what a compiler and a linker are told to build against Kiln's library.

In TensorFlow these are for ops in C++; those of TensorFlow cannot be built against Kiln.
"""

import os

import kiln

__all__ = [
    "CXX11_ABI_FLAG",
    "MONOLITHIC_BUILD",
    "get_compile_flags",
    "get_include",
    "get_lib",
    "get_link_flags",
]

CXX11_ABI_FLAG = 1
MONOLITHIC_BUILD = 0


def get_lib():
    """Returns the folder of the package, where a wheel has Kiln's library.

    Source: tf.sysconfig.get_lib.
    """
    return os.path.dirname(os.path.abspath(kiln.__file__))


def get_include():
    """Returns the folder in which Kiln's headers would lie; wheels are without them.

    Source: tf.sysconfig.get_include.
    """
    return os.path.join(get_lib(), "include")


def get_compile_flags():
    """Returns the compiler's arguments. Source: tf.sysconfig.get_compile_flags."""
    return [f"-I{get_include()}", f"-D_GLIBCXX_USE_CXX11_ABI={CXX11_ABI_FLAG}"]


def get_link_flags():
    """Returns the linker's arguments. Source: tf.sysconfig.get_link_flags."""
    version = ".".join(kiln.__version__.split(".")[:2])
    return [f"-L{get_lib()}", f"-l:libkiln.so.{version}"]
