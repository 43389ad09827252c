#!/usr/bin/env python3
"""What a TensorFlow 1 program in Python costs around its runs, on kiln.compat.v1 and on TensorFlow, taking turns.

    PYTHONPATH=build/python bench/python_front.py --python kiln=build/venv/bin/python --python tf=PATH [--rounds 5]

Each figure is the least of the rounds; a round runs each system in fresh processes.

  import      seconds of the import, above NumPy's own
  build       seconds to build a graph of 10,000 nodes (1,000 layers of a network with shared weights) and its gradients
  first_step  seconds from the process's start to the end of the first step of an MLP, gradients and Adam included
  run         microseconds of a Session.run of one addition; callable: of Session.make_callable's result
"""
import argparse
import json
import os
import subprocess
import sys
import time

IMPORT = {
    "kiln": "import kiln.compat.v1 as tf",
    "tf": "import tensorflow.compat.v1 as tf; tf.disable_v2_behavior()",
}
BEFORE = "import time, json, numpy as np; start = time.perf_counter(); "
AFTER_IMPORT = "took = time.perf_counter() - start\n"
PROGRAMS = {
    "import": "print(json.dumps({'import': took}))",
    "build": """
def layers(count):
    x = tf.placeholder(tf.float32, [None, 32])
    w, b = tf.Variable(np.zeros((32, 32), "f4")), tf.Variable(np.zeros(32, "f4"))
    y = x
    for _ in range(count):
        h = tf.matmul(y, w)
        h = tf.nn.bias_add(h, b)
        a = tf.tanh(h)
        g = tf.sigmoid(h)
        m = tf.multiply(a, g)
        n = tf.subtract(m, y)
        s = tf.square(n)
        t = tf.exp(tf.negative(s))
        y = tf.add(t, y)
    return tf.reduce_sum(y), [w, b]
graph = tf.get_default_graph()
start = time.perf_counter()
loss, weights = layers(1000)
built = time.perf_counter()
nodes = len(graph.get_operations())
middle = time.perf_counter()
gradients = tf.gradients(loss, weights)
end = time.perf_counter()
print(json.dumps({"build": end - middle + built - start, "nodes": nodes}))
""",
    "first_step": """
x, t = tf.placeholder(tf.float32, [None, 784]), tf.placeholder(tf.int64, [None])
def dense(x, units, name):
    w = tf.get_variable(name + "/w", [x.shape[1], units])
    b = tf.get_variable(name + "/b", [units], initializer=tf.zeros_initializer())
    return tf.nn.bias_add(tf.matmul(x, w), b)
logits = dense(tf.nn.relu(dense(x, 128, "hidden")), 10, "out")
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=t, logits=logits))
step = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run([step, loss], {x: np.zeros((100, 784), "f4"), t: np.zeros(100, "i8")})
print(json.dumps({"first_step": time.time() - float(sys.argv[1])}))
""",
    "run": """
x = tf.placeholder(tf.float32, [])
y = tf.add(x, 1.0)
session, one = tf.Session(), np.float32(1)
call, feeds = session.make_callable(y, [x]), {x: one}
def least(function):
    for _ in range(100):
        function()
    means = []
    for _ in range(200):
        start = time.perf_counter()
        for _ in range(1000):
            function()
        means.append((time.perf_counter() - start) * 1e3)
    return min(means)
print(json.dumps({"run": least(lambda: session.run(y, feeds)), "callable": least(lambda: call(one))}))
""",
}
UNITS = {"run": "us", "callable": "us"}


def measure(python, system, program):
    """The figures that one fresh process prints."""
    code = "import sys; " + BEFORE + IMPORT[system] + "; " + AFTER_IMPORT + PROGRAMS[program]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "KILN_CACHE": "off"}
    # Compiled Python files are where an installation has them.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment.setdefault("PYTHONPYCACHEPREFIX", "/tmp/kiln_bench_pycache")
    started = str(time.time())
    ended = subprocess.run([python, "-c", code, started], capture_output=True, text=True, env=environment)
    if ended.returncode:
        sys.exit(f"{system}, {program}: {ended.stderr[-2000:]}")
    return json.loads(ended.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", action="append", required=True, metavar="SYSTEM=PATH", help="kiln or tf")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default=",".join(PROGRAMS))
    arguments = parser.parse_args()
    pythons = dict(each.split("=", 1) for each in arguments.python)
    least = {}
    for _ in range(arguments.rounds):
        for program in arguments.only.split(","):
            for system, python in pythons.items():
                for name, value in measure(python, system, program).items():
                    known = least.setdefault(name, {})
                    known[system] = min(known.get(system, value), value)
    for name, values in least.items():
        ratio = f"  {values['tf'] / values['kiln']:.1f} times" if {"tf", "kiln"} <= values.keys() else ""
        unit = "" if name == "nodes" else " " + UNITS.get(name, "s")
        print(f"{name:12s}" + "  ".join(f"{system} {value:.3f}{unit}" for system, value in values.items()) + ratio)


if __name__ == "__main__":
    main()
