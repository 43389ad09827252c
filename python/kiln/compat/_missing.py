"""What Kiln says of names of TensorFlow that it does not have: whether they are meant to come."""

import sys
import types

# By the longest prefix of the name below tf: whether what is not there is meant to come.
PLANNED = """
contrib.crf contrib.data contrib.framework contrib.gan contrib.image contrib.layers contrib.learn contrib.lookup
contrib.rnn contrib.seq2seq contrib.slim contrib.summary contrib.training data estimator feature_column
image keras layers linalg losses math metrics nn profiler ragged random saved_model sparse
strings summary train """.split()
PIPELINES = ("python.data",)
UNPLANNED = {
    "autograph": "graphs are built by the functions of TensorFlow 1",
    "compat.v2": "it is TensorFlow 1",
    "contrib.autograph": "graphs are built by the functions of TensorFlow 1",
    "contrib.bigtable": "it needs a service of Google's cloud",
    "contrib.boosted_trees": "it has ops of its own, which few programs use",
    "contrib.cloud": "it needs a service of Google's cloud",
    "contrib.cudnn_rnn": "it needs a GPU; tf.contrib.rnn and tf.keras have the same cells",
    "contrib.distribute": "a program runs in one process",
    "contrib.eager": "programs build graphs",
    "contrib.nccl": "it needs GPUs",
    "contrib.quantize": "it changes a graph in place",
    "contrib.session_bundle": "it is older than tf.saved_model, which reads and writes models",
    "contrib.tensor_forest": "it has ops of its own, which few programs use",
    "contrib.tensorrt": "it needs a GPU",
    "contrib.tpu": "it needs a TPU",
    "distribute": "a program runs in one process",
    "enable_eager_execution": "programs build graphs",
    "enable_v2_behavior": "it is TensorFlow 1",
    "estimator.BoostedTreesClassifier": "it has no operations for boosted trees",
    "estimator.BoostedTreesEstimator": "it has no operations for boosted trees",
    "estimator.BoostedTreesRegressor": "it has no operations for boosted trees",
    "lite": "it is another runtime",
    "contrib.lite": "it is another runtime",
    "python.autograph": "graphs are built by the functions of TensorFlow 1",
    "python.compiler": "Kiln compiles every graph by itself",
    "python.debug": "a session cannot be stepped through",
    "python.distribute": "a program runs in one process",
    "tpu": "it needs a TPU",
    "train.do_quantize_training_on_graphdef": "it rewrites graphs for 8-bit devices, and is deprecated",
    "train.experimental": "it is about the half precision of GPUs",
    "xla": "Kiln compiles every graph by itself",
}


def plan_of(name):
    """What is said of a name below tf, as `data.Dataset`; empty where nothing is known."""
    parts = name.split(".")
    for prefix in (".".join(parts[:i]) for i in range(len(parts), 0, -1)):
        if prefix in UNPLANNED:
            return f"Kiln has no tf.{prefix} and is not meant to have it: {UNPLANNED[prefix]}"
        if prefix in PIPELINES:
            return f"Kiln has no tf.{prefix} yet; it is meant to come with the input pipelines"
        if prefix in PLANNED:
            return (
                f"Kiln does not have it; tf.{prefix} is meant to be there as far as programs use it"
            )
    return ""


def missing_name(module, name, full_name=None, depth=1):
    """The error for a name that a module does not have; `raise missing_name(...)` in the module's
    `__getattr__`.

    module: as Python should name it. full_name: the name below tf, by which the plan is found;
    without it what follows "tensorflow" or "kiln.compat.v1" in module. depth: how many frames up
    the asking code is, seen from the caller. An ImportError where that code is `from module
    import name`, since Python would drop the words of an AttributeError.
    """
    for root in ("tensorflow.compat.v1", "tensorflow", "kiln.compat.v1"):
        if full_name is None and (module == root or module.startswith(root + ".")):
            full_name = f"{module[len(root) + 1:]}.{name}".lstrip(".")
    reason = plan_of(full_name or name) or "Kiln does not have it"
    if _is_import(sys._getframe(depth + 1)):
        return ImportError(f"cannot import name {name!r} from {module!r}: {reason}", name=module)
    return AttributeError(f"module {module!r} has no attribute {name!r}: {reason}")


class Namespace(types.ModuleType):
    """A module below tf that says of a name that it does not have whether it is meant to come.

    Modules become one by make_namespace(); what is imported below one becomes one, too.
    """

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        raise missing_name(self.__name__, name)

    def __setattr__(self, name, value):
        # Python does so with a module below this one when it has imported it.
        super().__setattr__(name, value)
        _make_inner(self, name, value)


def make_namespace(module):
    """Makes a Namespace of a module, and of the public modules in it."""
    module.__class__ = Namespace
    for name, value in list(vars(module).items()):
        _make_inner(module, name, value)


def _make_inner(module, name, value):
    if type(value) is types.ModuleType and value.__name__ == f"{module.__name__}.{name}" and name[0] != "_":
        make_namespace(value)


def missing_module(name):
    """The error for a module below tensorflow that there is none of."""
    return ModuleNotFoundError(
        f"No module named {name!r}: {plan_of(name.partition('.')[2]) or 'Kiln does not have it'}",
        name=name,
    )


def _is_import(frame):
    import dis

    code = frame.f_code.co_code
    return 0 <= frame.f_lasti < len(code) and dis.opname[code[frame.f_lasti]] == "IMPORT_FROM"
