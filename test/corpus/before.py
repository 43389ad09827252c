"""What is put right in a program's process before the program begins: the same seed for every graph, the same data,
TensorFlow's own estimators where TensorFlow is the reference, and nothing but Kiln's own import hook where Kiln is tried.
"""

import importlib.util
import os
import sys

SEED = int(os.environ.get("CORPUS_SEED", "1234"))
NUDGED = os.environ.get("CORPUS_NUDGED") == "1"
KERAS_CASES = "../../python/tests/compat/keras_cases"


def prepare():
    tensorflow = sys.modules["tensorflow"]  # the corpus's stand-in for what it runs
    if "kiln.compat.v1" in sys.modules and "tensorflow.python" not in sys.modules:
        use_kiln()
    else:
        tensorflow.estimator = estimators_of_tensorflow()
        if NUDGED:
            nudge_feeds()
    if "CORPUS_STEPS" in os.environ:
        note_steps({int(n) for n in os.environ["CORPUS_STEPS"].split(",")})


def note_steps(marks):
    """Writes into the launcher's figures how many seconds session calls have taken when the n-th has ended."""
    frame = sys._getframe()
    while "stats" not in frame.f_globals:  # the launcher's, which runs all this
        frame = frame.f_back
    stats = frame.f_globals["stats"]
    steps = stats["steps"] = {}
    tensorflow = sys.modules["tensorflow"]
    on_kiln = "kiln.compat.v1" in sys.modules
    sessions = (tensorflow.Session, tensorflow.InteractiveSession) if on_kiln else (base_session(),)
    run = sessions[0].run

    def run_noted(self, *arguments, **options):
        result = run(self, *arguments, **options)
        if stats["runs"] in marks:
            steps[stats["runs"]] = stats["run_seconds"]
        return result

    for session in sessions:
        session.run = run_noted


def base_session():
    from tensorflow.python.client import session

    return session.BaseSession


def nudge_feeds():
    """Makes every other float that is fed larger by one unit in the last place: what then changes is not determined."""
    import numpy as np
    from tensorflow.python.client import session

    run, choice = session.BaseSession.run, np.random.RandomState(1)

    def nudged(value):
        is_float = isinstance(value, (float, np.ndarray, np.floating)) and np.asarray(value).dtype.kind == "f"
        return np.asarray(value) * (1 + choice.randint(0, 2, np.shape(value)) * 2.0**-23) if is_float else value

    def run_nudged(self, fetches, feed_dict=None, *rest, **options):
        feeds = feed_dict and {key: nudged(value) for key, value in feed_dict.items()}
        return run(self, fetches, feeds, *rest, **options)

    session.BaseSession.run = run_nudged


def estimators_of_tensorflow():
    from tensorflow.python.framework import ops, tensor
    from tensorflow.python.ops import cond, control_flow_ops

    ops.Tensor, control_flow_ops.cond = tensor.Tensor, cond.cond  # where tf_slim looks for them
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), KERAS_CASES)
    spec = importlib.util.spec_from_file_location("tensorflow_oracle", os.path.join(folder, "tensorflow_oracle.py"))
    oracle = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(oracle)
    return oracle.namespace().estimator


def use_kiln():
    """Replaces the corpus's stand-in by Kiln's import hook; its MNIST, which needs no download, stays."""
    import kiln.compat

    mnist = sys.modules["tensorflow.examples.tutorials.mnist.input_data"]
    for name in [name for name in sys.modules if name.partition(".")[0] == "tensorflow"]:
        del sys.modules[name]
    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__module__ != "tfshim"]
    kiln.compat.install()
    import tensorflow as tf
    import tensorflow.examples.tutorials.mnist as tutorial

    sys.modules[mnist.__name__] = tutorial.input_data = mnist
    tf.keras.datasets.mnist.load_data = digits
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.logging.set_verbosity = lambda level: None
    init_members = tf.Graph._init_members

    def init_seeded(graph):
        init_members(graph)
        graph.seed = SEED

    tf.Graph._init_members = init_seeded
    tf.set_random_seed(SEED)
    tf.InteractiveSession.run = tf.Session.run  # the launcher counts runs of tf.Session alone


def digits(path="mnist.npz"):
    """What the corpus gives for tf.keras.datasets.mnist.load_data() where TensorFlow runs."""
    import types

    import compat_env

    module = types.SimpleNamespace()
    compat_env.fix_kmnist(module)
    return module.load_data()
