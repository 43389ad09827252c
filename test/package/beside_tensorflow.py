# Loads Kiln and TensorFlow into one process, in the order that is asked for, each with all of its symbols global
# (the strictest way), and lets both compile and run, by turns. Both must give what they give alone.
#   beside_tensorflow.py kiln|tensorflow PYTHON PLUGIN.so GRAPH.pb      (the first is loaded first)
# PYTHON is an interpreter that has TensorFlow.
import ctypes
import importlib.util
import os
import sys

STEPS = 20
first, python, plugin, graph = sys.argv[1:5]
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
if not importlib.util.find_spec("tensorflow"):
    if not os.path.exists(python) or "KILN_IS_CHILD" in os.environ:
        print("skipped: TensorFlow is not installed (KILN_TENSORFLOW_PYTHON names an interpreter that has it)")
        sys.exit(77)
    os.environ["KILN_IS_CHILD"] = "1"
    os.execv(python, [python] + sys.argv)


def load_kiln():
    kiln = ctypes.CDLL(plugin, mode=ctypes.RTLD_GLOBAL)

    def train():
        loss = ctypes.c_float()
        message = ctypes.create_string_buffer(4096)
        if kiln.kilnTrain(graph.encode(), STEPS, ctypes.byref(loss), message, len(message)):
            sys.exit("kiln: " + message.value.decode())
        return loss.value
    return train


def load_tensorflow():
    sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
    import numpy
    import tensorflow.compat.v1 as tf

    def train():
        with tf.Graph().as_default(), tf.Session() as session:
            with open(graph, "rb") as file:
                definition = tf.GraphDef.FromString(file.read())
            tf.import_graph_def(definition, name="")
            session.run("init")
            feeds = {"X:0": (numpy.arange(1100) * 7919 % 101 / numpy.float32(101)).astype("f").reshape(100, 11),
                     "y:0": (numpy.arange(100) % 7).astype("f").reshape(100, 1)}
            for _ in range(STEPS):
                loss, _ = session.run(["mse:0", "train_op"], feeds)
        # XLA: TensorFlow's own MLIR and LLVM compile code.
        compiled = tf.function(lambda x: tf.reduce_sum(tf.exp(x) @ x), jit_compile=True)
        x = numpy.ones([8, 8], "f")
        product = compiled(x).numpy()
        if abs(product - 512 * numpy.e) > 0.01:
            sys.exit(f"XLA: expected {512 * numpy.e}, got {product}")
        return float(loss)
    return train


loaders = {"kiln": load_kiln, "tensorflow": load_tensorflow}
second = "tensorflow" if first == "kiln" else "kiln"
losses = []
train_first = loaders[first]()
losses.append(train_first())
train_second = loaders[second]()
for train in train_second, train_first, train_second:
    losses.append(train())
print(f"{first}, then {second}: losses {losses}")
if max(losses) - min(losses) > 1e-5 * max(losses):
    sys.exit("expected equal losses")
