# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's recurrent steps that are one op: memories and gated units, step by step and over sequences, their gradients
and errors. Run it with a Python that has TensorFlow.

Left out is what ends its process: more steps than there are, no steps, sizes of gradients that do not fit.
"""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
random = np.random.default_rng(39)
STATES = "i cs f o ci co h".split()


def normal(*dims):
    return random.normal(size=dims)


def weights(columns, cell):
    return dict(w=normal(columns + cell, cell * 4), wci=normal(cell), wcf=normal(cell), wco=normal(cell), b=normal(cell * 4))


def of_memory(t, batch, columns, cell, steps=None):
    x = normal(batch, columns) if steps is None else normal(steps, batch, columns)
    return dict(x=x, cs_prev=normal(batch, cell), h_prev=normal(batch, cell), **weights(columns, cell))


def placeholders(values, t, name):
    """Of open shapes; seq_len_max is int64."""
    return {key: tf.placeholder("int64" if key == "seq_len_max" else t, None, f"{name}_{key}") for key in values}


def feed(places, values, **others):
    values = {**values, **others}
    return {places[key]: values[key] for key in places}


SIZES = [(2, 3, 4), (1, 1, 1), (5, 8, 16), (3, 2, 0), (0, 3, 2)]
for t, unit in (("float32", 1e-5), ("float16", 2e-2)):
    with Case("block_cells_" + t, "a step of a long short-term memory and its gradient", rtol=unit, atol=unit) as c:
        for options in (dict(use_peephole=False), dict(use_peephole=True, cell_clip=0.5, forget_bias=0.25), dict(use_peephole=False, cell_clip=-1.0)):
            places = placeholders(of_memory(t, 1, 1, 1), t, "cell" + str(len(tf.get_default_graph().get_operations())))
            op = raw.LSTMBlockCell(**places, **options)
            for size in SIZES:
                c.run(list(op), feed(places, of_memory(t, *size)))
        known = of_memory(t, 2, 3, 4)
        given = {key: tf.placeholder(t, np.shape(value), "given_" + key) for key, value in known.items()}
        op = raw.LSTMBlockCell(**given, use_peephole=True)
        c.run([op.h * 2, tf.reduce_sum(op.cs)], feed(given, known))
        for peephole in (False, True):
            values = dict(of_memory(t, 2, 3, 4), **{key: np.tanh(normal(2, 4)) for key in STATES[:-1]}, cs_grad=normal(2, 4), h_grad=normal(2, 4))
            places = placeholders(values, t, f"back_{peephole}")
            op = raw.LSTMBlockCellGrad(**places, use_peephole=peephole)
            c.run(list(op)[: 5 if peephole else 2], feed(places, values))
            for key in ("x", "cs_prev", "i", "cs_grad", "w", "b"):
                c.run(op.dicfo, feed(places, values, **{key: normal(*[d + 1 for d in values[key].shape])}))

    with Case("block_sequences_" + t, "long short-term memories over sequences, and their gradients", rtol=unit * 5, atol=unit * 5) as c:
        for version in ("", "V2"):
            for options in (dict(use_peephole=False), dict(use_peephole=True, cell_clip=0.5)):
                name = f"of{version}_{options['use_peephole']}"
                sample = dict(seq_len_max=1, **of_memory(t, 1, 1, 1, 1))
                places = placeholders(sample, t, name)
                op = getattr(raw, "BlockLSTM" + version)(**places, **options)
                learned = [places[key] for key in ("x", "cs_prev", "h_prev", "w", "b")] + [places[key] for key in ("wci", "wcf", "wco") if options["use_peephole"]]
                slopes = tf.gradients(tf.reduce_sum(op.h * op.h) + tf.reduce_sum(op.cs[1:]), learned)
                for steps, size in ((3, (2, 3, 4)), (1, (1, 1, 1)), (7, (4, 5, 8)), (4, (0, 3, 2))):
                    values = of_memory(t, *size, steps)
                    c.run(list(op), feed(places, values, seq_len_max=steps))
                    c.run([op.h, op.cs], feed(places, values, seq_len_max=steps - 1))
                    c.run(op.h, feed(places, values, seq_len_max=0))
                    if size[0]:
                        c.run(slopes, feed(places, values, seq_len_max=steps))
                        c.run(slopes[3:], feed(places, values, seq_len_max=steps - 1))
        # Sizes that the graph knows.
        known = of_memory(t, 2, 3, 4, 5)
        given = {key: tf.placeholder(t, np.shape(value), "given_" + key) for key, value in known.items()}
        op = raw.BlockLSTM(seq_len_max=tf.constant(4, tf.int64), **given)
        c.run([op.h + 1] + tf.gradients(op.h, [given["x"], given["w"]]), feed(given, known))
        values = dict(seq_len_max=2, **of_memory(t, 2, 3, 4, 2))
        places = placeholders(values, t, "wrong")
        op = raw.BlockLSTM(**places)
        for key in values:
            if key != "seq_len_max":
                c.run(op.h, feed(places, values, **{key: normal(*[d + 1 for d in values[key].shape])}))
                c.run(op.h, feed(places, values, **{key: normal(*values[key].shape, 1)}))
        c.run(op.h, feed(places, values, seq_len_max=[1]))

with Case("block_units", "a step of gated units and its gradient", rtol=1e-5, atol=1e-5) as c:
    def of_units(batch, columns, cell):
        rows = columns + cell
        return dict(x=normal(batch, columns), h_prev=normal(batch, cell), w_ru=normal(rows, cell * 2), w_c=normal(rows, cell), b_ru=normal(cell * 2), b_c=normal(cell))

    def back_units(batch, columns, cell):
        return dict(of_units(batch, columns, cell), **{key: 0.5 + 0.5 * np.tanh(normal(batch, cell)) for key in "ruc"}, d_h=normal(batch, cell))

    for kind, make, sample in (("step", raw.GRUBlockCell, of_units), ("back", raw.GRUBlockCellGrad, back_units)):
        values = sample(2, 3, 4)
        places = placeholders(values, "float32", kind)
        op = make(**places)
        for size in SIZES:
            c.run(list(op), feed(places, sample(*size)))
        for key in values:
            c.run(op[0], feed(places, values, **{key: normal(*[d + 1 for d in values[key].shape])}))
            c.run(op[0], feed(places, values, **{key: normal(*values[key].shape, 1)}))
        given = {key: tf.placeholder("float32", np.shape(value), f"given_{kind}_{key}") for key, value in values.items()}
        c.run([tf.reduce_sum(out, 1) for out in make(**given)], feed(given, values))
