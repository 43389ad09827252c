# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records TensorFlow's connectionist temporal classification. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
RANDOM = np.random.RandomState(7)

with Case("ctc_losses", "CTCLoss with its gradient: repeated labels, lengths, labels that do not fit", rtol=2e-5, atol=1e-5) as case:
    for kind in (tf.float32, tf.float64):
        x, i, v, n = (tf.placeholder(t, None, f"{name}_{kind.name}") for name, t in (("x", kind), ("i", tf.int64), ("v", tf.int32), ("n", tf.int32)))

        def losses(**options):
            return list(raw.CTCLoss(inputs=x, labels_indices=i, labels_values=v, sequence_length=n, **options))

        several = [part for options in ({}, dict(preprocess_collapse_repeated=True), dict(ctc_merge_repeated=False), dict(preprocess_collapse_repeated=True, ctc_merge_repeated=False))
                   for part in losses(**options)]
        lenient = losses(ignore_longer_outputs_than_inputs=True)
        usual = {x: RANDOM.randn(6, 2, 5), i: [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1]], v: [0, 1, 1, 3, 2], n: [6, 4]}
        for given in ({}, {n: [4, 2]}, {v: [0, 4, 4, 3, 2]}, {x: RANDOM.randn(6, 2, 5) * 30}, {x: RANDOM.randn(1, 1, 3), i: [[0, 0]], v: [1], n: [1]}):
            case.run(several, {**usual, **given})
        for given in ({}, {n: [2, 2]}, {n: [0, 4]}):
            case.run(lenient, {**usual, **given})
        plain = losses()
        for wrong in ({n: [2, 4]}, {n: [7, 4]}, {n: [-1, 4]}, {v: [0, 4, 1, 3, 2]}, {v: [0, -1, 1, 3, 2]}, {i: [[0, 0], [0, 1], [0, 2], [0, 3], [0, 4]]}, {n: [6]}, {n: [[6, 4]]},
                      {i: [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1]]}, {i: [[0, 1], [0, 0], [0, 2], [1, 0], [1, 1]]}, {i: [[0, 0]]}, {i: [0]}, {v: [[0]]}, {x: RANDOM.randn(6, 2)},
                      {x: np.zeros([0, 2, 5])}, {x: np.zeros([6, 0, 5]), n: []}, {i: [[0], [0], [0], [1], [1]]}):
            case.run(plain, {**usual, **wrong})

with Case("ctc_decoders", "CTCGreedyDecoder and CTCBeamSearchDecoder", rtol=2e-5, atol=1e-5) as case:
    for kind in (tf.float32, tf.float64):
        x, n = tf.placeholder(kind, None, f"x_{kind.name}"), tf.placeholder(tf.int32, None, f"n_{kind.name}")
        greedy = [part for options in ({}, dict(merge_repeated=True), dict(blank_index=0), dict(blank_index=-2, merge_repeated=True))
                  for part in raw.CTCGreedyDecoder(inputs=x, sequence_length=n, **options)]

        def beam(width, paths, **options):
            return [part for many in raw.CTCBeamSearchDecoder(inputs=x, sequence_length=n, beam_width=width, top_paths=paths, **options)
                    for part in (many if isinstance(many, list) else [many])]

        several = beam(1, 1) + beam(4, 2) + beam(4, 2, merge_repeated=False) + beam(100, 3)
        usual = {x: RANDOM.randn(7, 3, 4) * 2, n: [7, 3, 5]}
        for given in ({}, {n: [1, 2, 7]}, {x: RANDOM.randn(7, 3, 4) * 10}, {x: np.repeat(RANDOM.randn(4, 3, 4) * 5, 2, 0)}):
            case.run(greedy + several, {**usual, **given})
        case.run(greedy, {**usual, n: [0, 0, 0]})
        for wrong in ({n: [8, 1, 1]}, {n: [7]}, {n: [[7, 3, 5]]}, {x: np.zeros([7, 3])}, {x: np.zeros([0, 3, 4])}, {x: np.zeros([7, 3, 0])}):
            case.run(greedy[:4], {**usual, **wrong})
            case.run(several[:4], {**usual, **wrong})
        for options in (dict(blank_index=4), dict(blank_index=-5)):
            case.run(list(raw.CTCGreedyDecoder(inputs=x, sequence_length=n, **options)), usual)
        case.run(beam(2, 3), usual)
        case.run(beam(100, 90), {**usual, n: [1, 1, 1]})
