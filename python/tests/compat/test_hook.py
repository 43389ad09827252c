"""The import hook, each time in a process of its own: `tensorflow` is kiln.compat.v1."""

import subprocess
import sys

import pytest

INSTALL = "import kiln.compat; kiln.compat.install()\n"
# A namespace that kiln.compat.v1 might have: tf.some.inner.
WITH_SOME = """
import sys, types
import kiln.compat.v1 as tf
tf.some = types.ModuleType("kiln.compat.v1.some")
tf.some.inner = types.ModuleType("kiln.compat.v1.some.inner")
tf.some.inner.thing = tf.some.thing = "thing"
"""


def run(program, *arguments, options=("-c",), check=True):
    return subprocess.run(
        [sys.executable, *options, program, *arguments], capture_output=True, text=True, check=check
    )


def prints(program):
    return run(INSTALL + program).stdout


def error_of(program):
    result = run(INSTALL + program, check=False)
    assert result.returncode == 1
    return result.stderr.splitlines()[-1]


def test_tensorflow_is_the_front_end():
    program = """
import importlib, os, pickle
import tensorflow as tf
import kiln.compat.v1
import tensorflow.compat.v1 as v1
import tensorflow_core
assert tf is v1 is kiln.compat.v1 is tensorflow_core is importlib.import_module("tensorflow")
assert tf.__version__ == tf.VERSION == tf.version.VERSION == "1.15.0"
assert os.path.exists(tf.__file__) and tf.__spec__.name == "kiln.compat.v1"
assert importlib.reload(tf) is tf
assert pickle.loads(pickle.dumps(tf.Graph)) is tf.Graph
kiln.compat.install()
"""
    prints(program)


def test_public_modules_are_the_front_ends():
    program = WITH_SOME + """
import tensorflow.some as some
from tensorflow.some import inner
import tensorflow.some.inner as again
from tensorflow.compat.v1.some.inner import thing
assert some is tf.some and inner is again is tf.some.inner and thing == "thing"
assert some.__spec__ is None and some.__name__ == "kiln.compat.v1.some"
"""
    prints(program)


def test_private_modules_stand_for_public_names():
    program = """
import importlib
import tensorflow as tf
from tensorflow.python.framework import dtypes, ops, tensor_shape
from tensorflow.python.framework.ops import Graph
import tensorflow.python.ops.variables as variables
from tensorflow.python.ops import gen_math_ops
assert ops.Graph is Graph is tf.Graph and dtypes.float32 is tf.float32
assert dtypes.float32_ref == tf.as_dtype("float32_ref")
assert variables.Variable is tf.Variable and variables.RefVariable is tf.Variable
assert tensor_shape.unknown_shape(2).as_list() == [None, None]
assert ops.uid() != ops.uid()
with tf.Graph().as_default():
    assert gen_math_ops.mat_mul([[1.0]], [[2.0]], name="m").op.type == "MatMul"
assert importlib.reload(variables).Variable is tf.Variable
from tensorflow import python
assert tf.python.framework.ops is ops and python is tf.python
assert "Graph" in dir(ops) and ops.__name__ == "tensorflow.python.framework.ops"
"""
    prints(program)


def test_private_modules_without_the_hook():
    program = """
import kiln.compat.v1 as tf
assert tf.python.framework.ops.Graph is tf.Graph and tf.core.framework.graph_pb2.GraphDef is tf.GraphDef
assert tf.python.ops is tf.python.ops
import kiln.compat
kiln.compat.install()
import tensorflow.python.ops.nn_ops as nn_ops
assert tf.python.ops.nn_ops is nn_ops
"""
    run(program)


def test_everything_of_a_private_module():
    program = """
from tensorflow.python.framework.tensor_shape import *
from tensorflow.python.ops.variables import *
assert unknown_shape().ndims is None and Variable is VariableV1 and "_c" not in globals()
"""
    prints(program)


def test_contribs_private_modules():
    program = """
import types
from kiln.compat.v1 import contrib
contrib.some = types.ModuleType("kiln.compat.v1.contrib.some")
contrib.some.data = types.ModuleType("kiln.compat.v1.contrib.some.data")
contrib.some.data.item, contrib.some.thing = "item", "thing"
from tensorflow.contrib.some.python.some.data import item
from tensorflow.contrib.some.python.some.data.items import item as again
from tensorflow.contrib.some.python.ops.things import thing
assert (item, again, thing) == ("item", "item", "thing")
import tensorflow as tf
import tensorflow.contrib.framework.nest as nest
from tensorflow.contrib.framework.python.framework import nest as same
assert nest is same is tf.contrib.framework.nest
"""
    prints(program)


def test_estimators_private_modules_are_found_in_their_folders():
    program = """
import tensorflow as tf
from tensorflow.python.estimator import estimator, exporter, model_fn, run_config
from tensorflow.python.estimator import Estimator
from tensorflow.python.estimator.canned import dnn, head
from tensorflow.python.estimator.export import export
from tensorflow.python.estimator.inputs import numpy_io
from tensorflow.contrib.learn.python.learn.learn_io import graph_io
assert model_fn.EstimatorSpec is tf.estimator.EstimatorSpec
assert estimator.Estimator is Estimator is tf.estimator.Estimator
assert exporter.LatestExporter is tf.estimator.LatestExporter
assert run_config.RunConfig is tf.estimator.RunConfig
assert dnn.DNNClassifier is tf.estimator.DNNClassifier
assert export.ServingInputReceiver is tf.estimator.export.ServingInputReceiver
assert numpy_io.numpy_input_fn is tf.estimator.inputs.numpy_input_fn
assert graph_io.queue_parsed_features is tf.contrib.learn.io.queue_parsed_features
"""
    prints(program)


def test_modules_that_programs_change_are_the_same():
    program = """
import tensorflow as tf
from tensorflow.python.platform import flags, tf_logging
from tensorflow.python.util import deprecation, nest
assert flags is tf.flags and tf_logging is tf.logging and nest.is_sequence([1])
deprecation._PRINT_DEPRECATION_WARNINGS = False
from kiln.compat.v1._util import deprecation as own
assert own._PRINT_DEPRECATION_WARNINGS is False
"""
    prints(program)


def test_events_are_written_as_tensorflows_own_writer_does(tmp_path):
    program = f"""
from tensorflow.core.util import event_pb2
from tensorflow.python import pywrap_tensorflow
from tensorflow.python.util import compat
import tensorflow as tf
writer = pywrap_tensorflow.EventsWriter(compat.as_bytes({str(tmp_path / "events")!r}))
event = event_pb2.Event(step=3)
event.summary.value.add(tag="a", simple_value=2.0)
writer.WriteEvent(event)
name = writer.FileName()
writer.Close()
first, second = map(event_pb2.Event.FromString, tf.python_io.tf_record_iterator(name))
assert first.file_version == "brain.Event:2" and second == event
print(name)
"""
    assert prints(program).startswith(f"{tmp_path / 'events'}.out.tfevents.")


def test_messages_have_their_modules():
    program = """
from tensorflow.core.framework import graph_pb2, types_pb2
from tensorflow.core.protobuf.config_pb2 import ConfigProto
import tensorflow.core.example.example_pb2 as example
assert graph_pb2.GraphDef.DESCRIPTOR.full_name == "tensorflow.GraphDef"
assert types_pb2.DT_FLOAT == 1 and ConfigProto().device_count == {}
assert graph_pb2.__spec__.name == "tensorflow.core.framework.graph_pb2"
"""
    prints(program)


MISSING = [
    ("import tensorflow.nothing", "ModuleNotFoundError: No module named 'tensorflow.nothing'"),
    (
        "import tensorflow.contrib.bigtable",
        "ModuleNotFoundError: No module named 'tensorflow.contrib.bigtable': Kiln has no "
        "tf.contrib.bigtable and is not meant to have it: it needs a service of Google's cloud",
    ),
    (
        "import tensorflow as tf; tf.nn.rnn_cell.nothing",
        "AttributeError: module 'kiln.compat.v1.nn.rnn_cell' has no attribute 'nothing': Kiln does not "
        "have it; tf.nn is meant to be there as far as programs use it",
    ),
    (
        "from tensorflow.keras.layers import nothing",
        "ImportError: cannot import name 'nothing' from 'kiln.compat.v1.keras.layers': Kiln does not "
        "have it; tf.keras is meant to be there as far as programs use it",
    ),
    (
        "from tensorflow.python.ops.math_ops import nothing",
        "ImportError: cannot import name 'nothing' from 'tensorflow.python.ops.math_ops': Kiln does"
        " not have it; tf.math is meant to be there as far as programs use it",
    ),
    (
        "from tensorflow.python.ops import nothing_ops",
        "ImportError: cannot import name 'nothing_ops' from 'tensorflow.python.ops'",
    ),
    (
        "from tensorflow.python.ops import math_ops; math_ops.nothing",
        "AttributeError: module 'tensorflow.python.ops.math_ops' has no attribute 'nothing': Kiln",
    ),
    (
        "from tensorflow.python import compiler",
        "ImportError: cannot import name 'compiler' from 'tensorflow.python': Kiln has no "
        "tf.python.compiler and is not meant to have it",
    ),
    ("import tensorflow.compat.v2", "ModuleNotFoundError: No module named 'tensorflow.compat.v2'"),
    ("import tensorflow.data_flow", "ModuleNotFoundError: No module named 'tensorflow.data_flow'"),
]


@pytest.mark.parametrize("program, words", MISSING)
def test_what_is_missing_says_whether_it_comes(program, words):
    assert error_of(program).startswith(words)


def test_asking_for_a_missing_name_is_no_error():
    program = """
from tensorflow.python.ops import math_ops
assert not hasattr(math_ops, "nothing") and getattr(math_ops, "nothing", 1) == 1
try:
    import tensorflow.contrib.bigtable
except ImportError as error:
    assert error.name == "tensorflow.contrib.bigtable"
"""
    prints(program)


def test_another_tensorflow_is_an_error(tmp_path):
    (tmp_path / "tensorflow.py").write_text("")
    program = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import tensorflow
"""
    result = run(program + INSTALL, check=False)
    assert "RuntimeError: tensorflow is imported already, from" in result.stderr
    # Where it only lies on the path, Kiln goes before.
    run(program.replace("import tensorflow", INSTALL + "import tensorflow; tensorflow.Graph"))


def test_install_leaves_other_modules_alone():
    program = """
import importlib.metadata, importlib.util
assert importlib.util.find_spec("json").name == "json"
assert importlib.util.find_spec("tensorflow") is not None
try:
    importlib.metadata.version("tensorflow")
except importlib.metadata.PackageNotFoundError:
    print("not installed")
"""
    assert prints(program) in ("not installed\n", "")


SCRIPT = """
import sys
import beside
import tensorflow as tf
from tensorflow.python.framework import ops
if __name__ == "__main__":
    print(__name__, __file__, sys.argv[1:], tf.__version__, ops.Graph is tf.Graph, sys.path[0])
    import __main__
    assert __main__.tf is tf and __main__.__dict__ is globals()
    sys.exit(3)
"""


def test_a_script_is_run_as_python_runs_it(tmp_path):
    (tmp_path / "beside.py").write_text("")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    result = run("kiln.compat", str(script), "-a", "b", options=("-m",), check=False)
    assert result.returncode == 3, result.stderr
    assert result.stdout == f"__main__ {script} ['-a', 'b'] 1.15.0 True {tmp_path}\n"


def test_a_module_is_run_as_python_runs_it(tmp_path):
    (tmp_path / "beside.py").write_text("")
    (tmp_path / "script.py").write_text(SCRIPT)
    result = subprocess.run(
        [sys.executable, "-m", "kiln.compat", "-m", "script", "-a"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert result.returncode == 3, result.stderr
    assert result.stdout.startswith(f"__main__ {tmp_path / 'script.py'} ['-a'] 1.15.0 True")


def test_what_cannot_be_run(tmp_path):
    assert run("kiln.compat", options=("-m",), check=False).returncode == 2
    result = run("kiln.compat", str(tmp_path / "missing.py"), options=("-m",), check=False)
    assert result.returncode == 2 and "can't open file" in result.stderr


def test_a_module_of_a_folder_has_all_of_its_names():
    run(
        INSTALL + "import kiln.compat._python.ops.rnn_cell_impl, tensorflow as tf\n"
        "from tensorflow.python.ops import rnn_cell_impl\n"
        "assert rnn_cell_impl.RNNCell is tf.nn.rnn_cell.RNNCell and rnn_cell_impl._concat"
    )
