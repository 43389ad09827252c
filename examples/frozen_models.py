#!/usr/bin/env python3
# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs well-known networks, frozen with random weights, in Kiln, and compares answers and time.

    PYTHONPATH=build/python PYTHON examples/frozen_models.py [MODEL ...] [--bench] [--folder DIR]

PYTHON has TensorFlow with Keras, and for --bench ONNX Runtime and tf2onnx as well, where that column is wanted. The networks
are made once and kept in the folder: a GraphDef each, normalizations with statistics as a training would leave them. Without
--bench each runs in Kiln at several batch sizes, beside TensorFlow: within 1e-4 of its answers (of the largest, where that is
above 1), with one compilation. With it, a table: milliseconds an image at batch 1 and 32, seconds of the first call beyond a
later one (Kiln's evaluator answers it), seconds of compilation, resident megabytes. Systems take turns, each round in fresh
processes, and a figure is the least of all rounds.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np

LENGTH, VOCABULARY = 128, 30522
IMAGES = {"mobilenet_v1": ("MobileNet", 224, 1), "mobilenet_v2": ("MobileNetV2", 224, 1), "resnet50": ("ResNet50", 224, 1),
          "inception_v3": ("InceptionV3", 299, 1), "efficientnet_b0": ("EfficientNetB0", 224, 100)}  # maker, size, scale of pixels
MODELS = [*IMAGES, "bert"]


# ---- Making the networks -------------------------------------------------------------------------------------------------


def make_encoder(keras, layers=8, width=512, heads=8):
    """As large as BERT's medium size."""
    kl = keras.layers
    ids = keras.Input((LENGTH,), dtype="int32")
    mask = keras.Input((LENGTH,), dtype="bool")
    x = kl.Embedding(VOCABULARY, width)(ids) + kl.Embedding(LENGTH, width)(keras.ops.arange(LENGTH))
    x = kl.LayerNormalization(epsilon=1e-12)(x)
    for _ in range(layers):
        attended = kl.MultiHeadAttention(heads, width // heads)(x, x, attention_mask=mask[:, None, :])
        x = kl.LayerNormalization(epsilon=1e-12)(x + attended)
        hidden = kl.Dense(4 * width, activation="gelu")(x)
        x = kl.LayerNormalization(epsilon=1e-12)(x + kl.Dense(width)(hidden))
    return keras.Model([ids, mask], [x, kl.Dense(width, activation="tanh")(x[:, 0])])


def train_norms(keras, model, pixels, random):
    """Gives normalizations statistics: those of some images, with noise."""
    norms = [layer for layer in model.layers if isinstance(layer, keras.layers.BatchNormalization)]
    for norm in norms:
        if norm.gamma is not None:
            norm.gamma.assign(random.uniform(0.7, 1.3, norm.beta.shape))
        norm.beta.assign(0.3 * random.standard_normal(norm.beta.shape))
        norm.momentum = 0.0
    model(pixels, training=True)
    for norm in norms:
        mean, variance = np.asarray(norm.moving_mean), np.asarray(norm.moving_variance)
        norm.moving_mean.assign(mean + 0.05 * np.sqrt(variance) * random.standard_normal(mean.shape))
        norm.moving_variance.assign(variance * random.uniform(0.9, 1.2, mean.shape))


def feeds_of(name, batch, seed=1):
    random = np.random.default_rng(seed)
    if name == "bert":
        return {"ids": random.integers(0, VOCABULARY, (batch, LENGTH)).astype(np.int32),
                "mask": np.arange(LENGTH) < random.integers(20, LENGTH, (batch, 1))}
    _, size, scale = IMAGES[name]
    return {"image": (scale * random.standard_normal((batch, size, size, 3))).astype(np.float32)}


def freeze(name, folder):
    """Writes NAME.pb, and the names of its outputs as NAME.json."""
    import keras
    import tensorflow as tf
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

    keras.utils.set_random_seed(7)
    if name == "bert":
        model = make_encoder(keras)
    else:
        maker, size, _ = IMAGES[name]
        model = getattr(keras.applications, maker)(weights=None, input_shape=(size, size, 3))
        train_norms(keras, model, feeds_of(name, 8, 7)["image"], np.random.default_rng(7))
    specs = [tf.TensorSpec([None, *feed.shape[1:]], feed.dtype, key) for key, feed in feeds_of(name, 1).items()]
    call = tf.function(lambda *inputs: model(inputs if len(inputs) > 1 else inputs[0], training=False))
    frozen = convert_variables_to_constants_v2(call.get_concrete_function(*specs))
    graph = frozen.graph.as_graph_def()
    outputs = [tensor.name for tensor in frozen.outputs]
    # What the softmax sees is the sharper answer.
    outputs += [node.input[0] if ":" in node.input[0] else node.input[0] + ":0"
                for node in graph.node if node.op == "Softmax" and name != "bert"]
    (folder / f"{name}.pb").write_bytes(graph.SerializeToString())
    (folder / f"{name}.json").write_text(json.dumps(outputs))


def without_erfc(tf, graph):
    """1 - Erf for Erfc, which ONNX has not."""
    for node in [node for node in graph.node if node.op == "Erfc"]:
        graph.node.add(op="Erf", name=node.name + "/erf", input=node.input, attr=node.attr)
        one = graph.node.add(op="Const", name=node.name + "/one", attr={"dtype": node.attr["T"]})
        one.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(1.0, tf.as_dtype(node.attr["T"].type)))
        node.op, node.input[:] = "Sub", [one.name, node.name + "/erf"]
    return graph


def export(name, folder):
    """Writes NAME.onnx with the first outputs; False where that cannot be."""
    try:
        import tensorflow as tf
        import tf2onnx
    except ImportError as error:
        print(f"no ONNX model: {error}", file=sys.stderr)
        return False
    try:
        graph = without_erfc(tf, tf.compat.v1.GraphDef.FromString((folder / f"{name}.pb").read_bytes()))
        model, _ = tf2onnx.convert.from_graph_def(graph, input_names=[key + ":0" for key in feeds_of(name, 1)],
                                                  output_names=outputs_of(name, folder), opset=17)
    except Exception as error:  # whatever the converter stumbles over
        print(f"no ONNX model of {name}: {error!r}", file=sys.stderr)
        return False
    (folder / f"{name}.onnx").write_bytes(model.SerializeToString())
    return True


def outputs_of(name, folder):
    return json.loads((folder / f"{name}.json").read_text())


# ---- The systems: each gives a function from a dict of arrays to a list of arrays ------------------------------------------


def open_kiln(name, folder, **options):
    import kiln

    session = kiln.Session(kiln.Graph.load(str(folder / f"{name}.pb")), **options)
    keys = list(feeds_of(name, 1))
    call = session.make_callable(outputs_of(name, folder), [key + ":0" for key in keys])
    return lambda feeds: call(*(feeds[key] for key in keys)), session


def open_tf(name, folder):
    import tensorflow.compat.v1 as tf

    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(tf.GraphDef.FromString((folder / f"{name}.pb").read_bytes()), name="")
    keys = list(feeds_of(name, 1))
    call = tf.Session(graph=graph).make_callable(outputs_of(name, folder), [key + ":0" for key in keys])
    return lambda feeds: call(*(feeds[key] for key in keys)), None


def open_xla(name, folder):
    """A compilation for each batch size."""
    import tensorflow as tf

    definition = tf.compat.v1.GraphDef.FromString((folder / f"{name}.pb").read_bytes())
    keys = list(feeds_of(name, 1))
    wrapped = tf.compat.v1.wrap_function(lambda: tf.graph_util.import_graph_def(definition, name=""), [])
    pruned = wrapped.prune([key + ":0" for key in keys], outputs_of(name, folder))
    call = tf.function(lambda *inputs: pruned(*inputs), jit_compile=True)
    return lambda feeds: [value.numpy() for value in call(*(tf.constant(feeds[key]) for key in keys))], None


def open_onnx(name, folder):
    import onnxruntime

    session = onnxruntime.InferenceSession(str(folder / f"{name}.onnx"), providers=["CPUExecutionProvider"])
    outputs = outputs_of(name, folder)
    return lambda feeds: session.run(outputs, {key + ":0": value for key, value in feeds.items()}), None


SYSTEMS = {"kiln": open_kiln, "tf": open_tf, "tf_xla": open_xla, "onnx": open_onnx}


# ---- Checking and measuring ------------------------------------------------------------------------------------------------


def check(name, folder):
    """Whether the answers of Kiln's native code are TensorFlow's, with one compilation."""
    (kiln_call, session), (tf_call, _) = open_kiln(name, folder, tiering=False), open_tf(name, folder)
    worst = 0.0
    for batch in (1, 3, 2):
        feeds = feeds_of(name, batch, seed=batch)
        for ours, theirs in zip(kiln_call(feeds), tf_call(feeds)):
            assert ours.shape == theirs.shape and ours.dtype == theirs.dtype
            worst = max(worst, float(np.max(np.abs(ours - theirs))) / max(1.0, float(np.max(np.abs(theirs)))))
    compilations = session.stats.compilations
    good = worst < 1e-4 and compilations == session.stats.native_compilations == 1
    print(f"{name}: largest difference {worst:.1e}, {compilations} compilation(s) for 3 batch sizes: {'ok' if good else 'FAILED'}")
    return good


def compile_seconds(name, folder):
    """What native code costs Kiln: a first call is answered by the evaluator meanwhile."""
    import kiln

    stats = kiln.RunStats()
    kiln.Session(kiln.Graph.load(str(folder / f"{name}.pb")), tiering=False).run(
        outputs_of(name, folder), {key + ":0": value for key, value in feeds_of(name, 1).items()}, stats=stats)
    return stats.compile_ns / 1e9


def resident():
    status = pathlib.Path("/proc/self/status").read_text()
    return {key: int(status.split(key + ":")[1].split()[0]) / 1024 for key in ("VmRSS", "VmHWM")}


def measure(system, name, folder, seconds):
    """Figures of one system in this process."""
    __import__({"kiln": "kiln", "onnx": "onnxruntime"}.get(system, "tensorflow"))
    before = resident()["VmRSS"]
    call, _ = SYSTEMS[system](name, folder)
    figures = {}
    for batch in (1, 32):
        feeds = feeds_of(name, batch)
        began = time.perf_counter()
        call(feeds)
        first = time.perf_counter() - began
        call(feeds)
        times, until = [], time.perf_counter() + seconds
        while len(times) < 3 or time.perf_counter() < until:
            began = time.perf_counter()
            call(feeds)
            times.append(time.perf_counter() - began)
        figures[f"ms_{batch}"] = min(times) * 1e3 / batch
        figures[f"first_s_{batch}"] = first - min(times)
        figures[f"mb_{batch}"] = resident()["VmRSS"] - before
    return figures | ({"compile_s": compile_seconds(name, folder)} if system == "kiln" else {})


def bench(names, systems, folder, rounds, seconds):
    least = {}
    for turn in range(rounds):
        for name in names:
            for system in systems[turn % len(systems):] + systems[:turn % len(systems)]:
                if system == "onnx" and not (folder / f"{name}.onnx").exists():
                    continue
                run = subprocess.run([sys.executable, __file__, name, "--measure", system, "--folder", str(folder), "--seconds",
                                      str(seconds)], capture_output=True, text=True)
                if run.returncode:
                    print(f"{system} {name}: {run.stderr[-500:]}", file=sys.stderr)
                    continue
                for key, value in json.loads(run.stdout.splitlines()[-1]).items():
                    at = least.setdefault((name, system), {})
                    at[key] = min(at.get(key, value), value)
    print("| network | system | ms an image, batch 1 | batch 32 | first call, s more | compiling, s | resident MB, batch 1 | batch 32 |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    behind = []
    for name in names:
        for system in systems:
            if (name, system) not in least:
                continue
            f = least[name, system]
            # XLA compiles each size; the others' later sizes cost next to nothing.
            first, later = max(f["first_s_1"], 0), max(f["first_s_32"], 0) if system == "tf_xla" else 0
            compiling = f.get("compile_s", first + later)
            print(f"| {name} | {system} | {f['ms_1']:.2f} | {f['ms_32']:.2f} | {first:.2f} | {compiling:.2f} | {f['mb_1']:.0f} | {f['mb_32']:.0f} |")
            if system == "kiln" and compiling > 5:
                behind.append(f"{name}: compiling takes {compiling:.1f} s")
        if {(name, "kiln"), (name, "tf")} <= least.keys():
            for key in ("ms_1", "ms_32"):
                ratio = least[name, "tf"][key] / least[name, "kiln"][key]
                if ratio < 1:
                    behind.append(f"{name}, batch {key[3:]}: {ratio:.2f} of TensorFlow's speed")
    print("\n" + ("Behind: " + "; ".join(behind) if behind else "Nowhere behind TensorFlow; compiling takes less than 5 s each."))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", metavar="MODEL", help=", ".join(MODELS))
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("frozen-models"), help="where the networks are kept")
    parser.add_argument("--bench", action="store_true", help="measure, beside TensorFlow, XLA and ONNX Runtime")
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="those to measure")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3, help="that a system repeats a batch in a round")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    args = parser.parse_args()
    names = args.models or MODELS
    if unknown := set(names) - set(MODELS):
        parser.error(f"expected {', '.join(MODELS)}, got {', '.join(sorted(unknown))}")
    args.folder.mkdir(parents=True, exist_ok=True)
    if args.measure:
        print(json.dumps(measure(args.measure, names[0], args.folder, args.seconds)))
        return 0
    systems = args.systems.split(",")
    for name in names:
        if not (args.folder / f"{name}.json").exists():
            freeze(name, args.folder)
        if args.bench and "onnx" in systems and not (args.folder / f"{name}.onnx").exists():
            export(name, args.folder)
    if args.bench:
        os.environ["KILN_CACHE"] = "off"  # compiling is measured, too
        bench(names, systems, args.folder, args.rounds, args.seconds)
        return 0
    return 0 if all([check(name, args.folder) for name in names]) else 1


if __name__ == "__main__":
    sys.exit(main())
