"""Runs a TensorFlow 1 program without TensorFlow: python -m kiln.compat [-m MODULE | SCRIPT]
ARGS.
"""

import io
import os
import runpy
import sys
import types


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 0 if len(sys.argv) > 1 else 2
    from kiln import horovod
    from kiln.compat import install

    install()
    horovod.install()
    if sys.argv[1] == "-m":
        if len(sys.argv) < 3:
            print(__doc__, file=sys.stderr)
            return 2
        del sys.argv[:2]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        return 0
    del sys.argv[0]
    script = sys.argv[0]
    if not os.path.exists(script):
        print(f"{sys.executable}: can't open file {script!r}", file=sys.stderr)
        return 2
    if os.path.isdir(script) or not script.endswith((".py", ".pyw")) and _is_archive(script):
        if not getattr(sys.flags, "safe_path", False):
            del sys.path[0]
        runpy.run_path(script, run_name="__main__")
        return 0
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = os.path.dirname(os.path.realpath(script))
    run(script)
    return 0


def _is_archive(path):
    import zipfile

    return zipfile.is_zipfile(path)


def run(script):
    """Runs a file as Python itself does: as the module __main__, which stays when it has ended."""
    with io.open_code(os.path.abspath(script)) as file:
        source = file.read()
    module = types.ModuleType("__main__")
    module.__dict__.update(
        __file__=script, __builtins__=__builtins__, __cached__=None, __spec__=None
    )
    sys.modules["__main__"] = module
    exec(compile(source, script, "exec"), module.__dict__)


if __name__ == "__main__":
    sys.exit(main())
