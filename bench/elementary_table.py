#!/usr/bin/env python3
# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the table of largest errors, Kiln's beside those of TensorFlow, XLA and PyTorch.

    bench/elementary_table.py --kiln build/bin/kiln-elementary-ulp --venv ~/kiln-peers \\
        --python tf=/opt/tfenv/bin/python

Kiln's figures come from kiln-elementary-ulp, over every float. Each peer gets every 64th float (2^26) and all floats from
1/2 to 2 of both signs, where logarithms, arcs and tanh are worst, or 2^26 pairs; its results are compared with NumPy's
and SciPy's double functions, whose own error is 1e-8 of a unit. Denormal arguments are left out, denormal results count
as zeros. The peer runs in its own process and environment. The table goes between the marks of the file.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

PEERS = {"tf": "TensorFlow", "jax": "XLA (JAX)", "torch": "PyTorch"}
# op: what the peers call it (None: they lack it), and the reference.
UNARY = {
    "Exp": ("exp", "exp", "exp"), "Log": ("log", "log", "log"), "Sin": ("sin", "sin", "sin"),
    "Cos": ("cos", "cos", "cos"), "Atan": ("atan", "arctan", "arctan"), "Expm1": ("expm1", "expm1", "expm1"),
    "Log1p": ("log1p", "log1p", "log1p"), "Tanh": ("tanh", "tanh", "tanh"), "Tan": ("tan", "tan", "tan"),
    "Sinh": ("sinh", "sinh", "sinh"), "Cosh": ("cosh", "cosh", "cosh"), "Asin": ("asin", "arcsin", "arcsin"),
    "Acos": ("acos", "arccos", "arccos"), "Asinh": ("asinh", "arcsinh", "arcsinh"),
    "Acosh": ("acosh", "arccosh", "arccosh"), "Atanh": ("atanh", "arctanh", "arctanh"),
    "Erf": ("erf", "erf", "erf"), "Erfc": ("erfc", "erfc", "erfc"), "Sigmoid": ("sigmoid", "sigmoid", "sigmoid"),
    "Softplus": ("softplus", "softplus", "softplus"), "Rsqrt": ("rsqrt", "rsqrt", "rsqrt"),
}
BINARY = {"Pow": "power", "Atan2": "arctan2"}
# Measured by others over 2^20 floats: a cross-check.
RECORDED = {
    "Exp": (1.25, 0.99, 0.56), "Expm1": (3.9, 5.1, 1.0), "Log": (3.2, 1.14, 0.87), "Log1p": (3.9, 2.4, 0.61),
    "Sin": (2.2, 0.56, 0.60), "Cos": (2.2, 0.56, 0.60), "Tan": (0.98, 0.98, 0.94), "Tanh": (5.3, 4.5, 0.51),
    "Sinh": (1.8, 24, 1.8), "Atan": (3.6, 0.84, 0.82), "Sigmoid": (5.8, 2.5, 2.5), "Softplus": (6.9, 2.7, 1.4),
    "Erf": (6.1, 5.3, 0.71), "Rsqrt": (1.9, 1.6, 1.5),
}
BLOCK = 1 << 22
BEGIN, END = "<!-- elementary table: begin -->", "<!-- elementary table: end -->"


def peer_function(peer, op):
    """float32 arrays to a float32 array, as the peer computes it."""
    import numpy as np
    if peer == "tf":
        os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
        inputs = [tf.placeholder(tf.float32, [None]) for _ in range(2 if op in BINARY else 1)]
        raw = getattr(tf.raw_ops, op)
        names = {"Pow": ("x", "y"), "Atan2": ("y", "x"), "Softplus": ("features",)}.get(op, ("x",))
        output = raw(**dict(zip(names, inputs)))
        session = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=2))
        return lambda *xs: session.run(output, dict(zip(inputs, xs)))
    if peer == "jax":
        os.environ["JAX_PLATFORMS"] = "cpu"
        import jax
        import jax.numpy as jnp
        special = {"Erf": jax.scipy.special.erf, "Erfc": jax.scipy.special.erfc, "Sigmoid": jax.nn.sigmoid,
                   "Softplus": jax.nn.softplus, "Rsqrt": jax.lax.rsqrt}
        body = special.get(op) or getattr(jnp, BINARY[op] if op in BINARY else UNARY[op][1])
        compiled = jax.jit(body)
        return lambda *xs: np.asarray(compiled(*xs))
    import torch
    torch.set_num_threads(2)
    special = {"Softplus": torch.nn.functional.softplus, "Pow": torch.pow, "Atan2": torch.atan2}
    body = special.get(op) or getattr(torch, UNARY[op][0])
    return lambda *xs: body(*[torch.from_numpy(x) for x in xs]).numpy()


def blocks(op, stride):
    """The arguments, block by block."""
    import numpy as np
    if op in BINARY:
        random = np.random.default_rng(1)
        for _ in range(max((1 << 32) // stride // BLOCK, 1)):
            x = random.integers(0, 1 << 32, BLOCK, np.uint32).view(np.float32)
            y = random.integers(0, 1 << 32, BLOCK, np.uint32).view(np.float32)
            if op == "Pow":  # half of them with results that are numbers
                half = BLOCK // 2
                x[:half] = np.abs(x[:half])
                with np.errstate(all="ignore"):
                    y[:half] = random.uniform(-128, 128, half) / np.log2(x[:half].astype(np.float64))
            yield x, y
        return
    size = min(BLOCK, (1 << 32) // stride)
    for begin in range(0, 1 << 32, size * stride):
        yield ((np.arange(begin, begin + size * stride, stride, dtype=np.uint64).astype(np.uint32)).view(np.float32),)
    if stride > 64:
        return
    for sign in (0, 1 << 31):  # 1/2 to 2: the binades 2^-1 and 2^0
        for begin in range(126 << 23, 128 << 23, BLOCK):
            yield ((np.arange(begin, begin + BLOCK, dtype=np.uint32) | np.uint32(sign)).view(np.float32),)


def reference(op):
    import numpy as np
    import scipy.special as special
    own = {"Erf": special.erf, "Erfc": special.erfc, "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
           "Softplus": lambda x: np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x))), "Rsqrt": lambda x: 1 / np.sqrt(x)}
    return own.get(op) or getattr(np, BINARY[op] if op in BINARY else UNARY[op][2])


def ulps(got, want):
    """The error of each float in units in the last place; a denormal is zero."""
    import numpy as np
    unit = np.ldexp(1.0, np.frexp(want)[1] - 24)
    error = np.abs(got.astype(np.float64) - want) / unit
    tiny = np.abs(want) < 2.0**-126
    error[tiny] = np.where(np.abs(got[tiny]) <= 2.0**-126, 0, np.inf)
    huge = np.abs(want) >= 2.0**128
    error[huge] = np.where(np.isinf(got[huge]) & (np.sign(got[huge]) == np.sign(want[huge])), 0, np.inf)
    # An infinity for a number counts as 2^128.
    early = np.isinf(got) & ~huge & ~np.isnan(want)
    error[early] = np.abs(np.copysign(2.0**128, got[early]) - want[early]) / unit[early]
    nan = np.isnan(want) | np.isnan(got)
    error[nan] = np.where(np.isnan(want[nan]) & np.isnan(got[nan]), 0, np.inf)
    return error


def run_peer(peer, op, folder, stride):
    """In the peer's process: writes its results, a file a block."""
    import numpy as np
    function = peer_function(peer, op)
    for number, xs in enumerate(blocks(op, stride)):
        np.save(os.path.join(folder, f"{number}.npy"), function(*xs))


def judge(op, folder, stride):
    """The largest finite error and its argument; how many results are wrong altogether."""
    import numpy as np
    function, worst, at, wrong = reference(op), 0.0, None, 0
    for number, xs in enumerate(blocks(op, stride)):
        path = os.path.join(folder, f"{number}.npy")
        got = np.load(path)
        os.remove(path)
        with np.errstate(all="ignore"):
            wide = [x.astype(np.float64) for x in xs]
            error = ulps(got, function(*wide))
        for x in wide:  # whether denormals count is another question
            error[(np.abs(x) < 2.0**-126) & (x != 0)] = 0
        wrong += int(np.isinf(error).sum())
        error[np.isinf(error)] = 0
        i = int(error.argmax())
        if error[i] > worst:
            worst, at = float(error[i]), [float(x[i]) for x in xs]
    return {"ulp": worst, "at": at, "wrong": wrong}


def measure(peer, python, op, stride):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, os.path.abspath(__file__), "--run-peer", peer, "--op", op, "--folder", folder,
                        "--stride", str(stride)],
                       check=True, stderr=subprocess.DEVNULL)
        return judge(op, folder, stride)


def number(value):
    return f"{value:.2f}" if value < 100 else f"{value:.2g}"


def cell(entry, recorded):
    if entry is None:
        return "-"
    text = number(entry["ulp"]) if entry["ulp"] else "0"
    if entry["wrong"]:
        text += f", {entry['wrong']} wrong"
    return text + (f" ({recorded:g})" if recorded else "")


def table(kiln, peers):
    columns = list(peers)
    lines = ["| op | bound | Kiln f32 | Kiln f64 | " + " | ".join(PEERS[p] for p in columns) + " |",
             "| --- | ---: | ---: | ---: |" + " ---: |" * len(columns)]
    for op in list(UNARY) + list(BINARY):
        single, double = kiln.get((op, "f32")), kiln.get((op, "f64"))
        if not single or not double:
            continue
        recorded = RECORDED.get(op, (None, None, None))
        cells = [op, f"{single['bound']:g}", number(single["ulp"]), number(double["ulp"])]
        cells += [cell(peers[p].get(op), recorded[list(PEERS).index(p)]) for p in columns]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def summary(kiln):
    arguments = sum(line["arguments"] for line in kiln.values() if line["type"] == "f32")
    differs = sum(line["evaluator_differs"] for line in kiln.values())
    monotone = [op for (op, kind), line in kiln.items() if line["monotone"] and line["falls"] == 0]
    broken = [op for (op, kind), line in kiln.items() if line["falls"] or line["strays"]]
    bad = [f"{op} {kind}" for (op, kind), line in kiln.items() if not line["good"]]
    return (f"{arguments:,} results of f32 in native code; the evaluator has other bits for {differs}. "
            f"Monotone over all floats: {', '.join(monotone)}. Out of order or range: {', '.join(broken) or 'none'}. "
            f"Beyond a bound: {', '.join(bad) or 'none'}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", metavar="PROGRAM", help="kiln-elementary-ulp, run over everything")
    parser.add_argument("--kiln-lines", metavar="FILE", help="what it printed earlier, instead")
    parser.add_argument("--peers", default="tf,jax,torch")
    parser.add_argument("--venv", metavar="DIR", help="where DIR/PEER/bin/python is, as bench/compare makes it")
    parser.add_argument("--python", action="append", default=[], metavar="PEER=PATH")
    parser.add_argument("--peer-lines", metavar="FILE", help="keeps what was measured; what is in it is not measured again")
    parser.add_argument("--file", default=os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                                       "../runtime/elementary/README.md"))
    parser.add_argument("--stride", type=int, default=64, help="the peers get every so manieth float")
    parser.add_argument("--run-peer", help=argparse.SUPPRESS)
    parser.add_argument("--op", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run_peer:
        return run_peer(options.run_peer, options.op, options.folder, options.stride)
    if options.kiln_lines:
        text = open(options.kiln_lines).read()
    elif options.kiln:
        text = subprocess.run([options.kiln], stdout=subprocess.PIPE, text=True).stdout
    else:
        sys.exit("elementary_table: expected --kiln or --kiln-lines")
    kiln = {(line["op"], line["type"]): line for line in map(json.loads, text.splitlines())}
    pythons = dict(entry.split("=", 1) for entry in options.python)
    known = {}
    if options.peer_lines and os.path.exists(options.peer_lines):
        for line in map(json.loads, open(options.peer_lines)):
            known[line["peer"], line["op"]] = line
    peers = {}
    for peer in filter(None, options.peers.split(",")):
        python = pythons.get(peer) or os.path.join(options.venv or "", peer, "bin/python")
        for op in list(UNARY) + list(BINARY):
            if (peer, op) not in known and os.path.exists(python):
                known[peer, op] = {"peer": peer, "op": op, **measure(peer, python, op, options.stride)}
                if options.peer_lines:
                    with open(options.peer_lines, "a") as lines:
                        lines.write(json.dumps(known[peer, op]) + "\n")
            peers.setdefault(peer, {})[op] = known.get((peer, op))
    page = open(options.file).read()
    head, rest = page.split(BEGIN)
    tail = rest.split(END)[1]
    body = f"{BEGIN}\n{table(kiln, peers)}\n\n{summary(kiln)}\n{END}"
    open(options.file, "w").write(head + body + tail)


if __name__ == "__main__":
    main()
