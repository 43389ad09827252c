# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow does where elements move to other places: blocks, mirrored borders, shifts, turned sequences,
largest elements, diagonals. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

raw = tf.raw_ops
wanted = sys.argv[1:]


def case(name, about, **options):
    """Whether the case is asked for: all are where none is named."""
    return [Case(name, about, rtol=0, atol=0, **options)] if not wanted or name in wanted else []


def numbers(*shape):
    return (np.arange(np.prod(shape)).reshape(shape) % 61 - 9).astype(np.float32)


def blocks():
    for each in case("layout_blocks", "SpaceToDepth, DepthToSpace, SpaceToBatch*, BatchToSpace* of static and fed extents"):
        with each as c:
            x = tf.placeholder(tf.float32, [None, None, None, 4], "x")
            flags = x > 3.0
            deep = raw.SpaceToDepth(input=x, block_size=2)
            wide = raw.DepthToSpace(input=x, block_size=2)
            batches = raw.SpaceToBatchND(input=x, block_shape=[2, 3], paddings=[[1, 1], [0, 2]])
            whole = raw.BatchToSpaceND(input=x, block_shape=[2, 3], crops=[[1, 0], [0, 2]])
            line = raw.SpaceToBatchND(input=x, block_shape=[2], paddings=[[0, 0]])
            fetches = [deep, wide, raw.SpaceToDepth(input=flags, block_size=2), raw.SpaceToDepth(input=tf.cast(x, tf.int8), block_size=2), line]
            fetches += [raw.SpaceToBatch(input=x, paddings=[[0, 0], [1, 1]], block_size=2), batches,
                        tf.gradients(tf.reduce_sum(batches * batches), x)[0]]
            c.run(fetches, {x: numbers(2, 4, 4, 4)})
            c.run(fetches, {x: numbers(1, 2, 10, 4)})
            c.run(fetches, {x: numbers(0, 2, 4, 4)})
            joined = [whole, raw.BatchToSpace(input=x, crops=[[0, 1], [1, 0]], block_size=2), tf.gradients(tf.reduce_sum(whole * whole), x)[0]]
            c.run(joined, {x: numbers(12, 3, 2, 4)})
            c.run(deep, {x: numbers(2, 3, 4, 4)})
            c.run(batches, {x: numbers(2, 3, 4, 4)})
            c.run(whole, {x: numbers(4, 3, 4, 4)})
            c.run(whole, {x: numbers(6, 0, 4, 4)})
            any_ = tf.placeholder(tf.float32, [None] * 4, "any")
            c.run(raw.DepthToSpace(input=any_, block_size=3), {any_: numbers(1, 2, 2, 4)})


def borders():
    for each in case("layout_borders", "MirrorPad and its gradient"):
        with each as c:
            x = tf.placeholder(tf.float32, [None, 4], "x")
            fetches = []
            for mode in ("REFLECT", "SYMMETRIC"):
                for paddings in ([[2, 1], [0, 3]], [[0, 0], [1, 0]], [[0, 0], [0, 0]], [[1, 2], [3, 3]]):
                    y = raw.MirrorPad(input=x, paddings=paddings, mode=mode)
                    fetches += [y, tf.gradients(tf.reduce_sum(y * y), x)[0]]
                fetches += [raw.MirrorPad(input=tf.cast(x, dtype), paddings=[[1, 1], [2, 0]], mode=mode) for dtype in (tf.int32, tf.bfloat16, tf.bool)]
            c.run(fetches, {x: numbers(5, 4)})
            c.run(fetches, {x: numbers(3, 4)})
            p = tf.placeholder(tf.int32, [2, 2], "p")
            for mode in ("REFLECT", "SYMMETRIC"):
                y = raw.MirrorPad(input=x, paddings=p, mode=mode)
                for paddings in ([[1, 1], [0, 0]], [[3, 0], [0, 0]], [[0, 4], [0, 0]], [[-1, 0], [0, 0]]):
                    c.run(y, {x: numbers(3, 4), p: paddings})


def border_limits():
    for each in case("layout_border_limits", "MirrorPadGrad of what its paddings fill, and of extents of 0"):
        with each as c:
            x = tf.placeholder(tf.float32, [None, None], "x")
            p = tf.placeholder(tf.int32, [2, 2], "p")
            for mode in ("REFLECT", "SYMMETRIC"):
                y = raw.MirrorPadGrad(input=x, paddings=p, mode=mode)
                for shape, paddings in (((5, 7), [[1, 1], [2, 1]]), ((4, 3), [[2, 2], [0, 0]]), ((4, 3), [[2, 3], [0, 0]]), ((4, 3), [[1, 2], [0, 0]]),
                                        ((0, 3), [[0, 0], [1, 1]]), ((3, 0), [[1, 1], [0, 0]])):
                    c.run(y, {x: numbers(*shape), p: paddings})


def rolls():
    for each in case("layout_rolls", "Roll and ReverseSequence"):
        with each as c:
            x = tf.placeholder(tf.float32, [None, 3, 4], "x")
            fetches = [tf.roll(x, shift, axis) for shift, axis in ((1, 0), (-7, 0), (5, -1), ([1, -2], [0, 2]), ([1, 1, 3], [1, 1, 0]), (0, 1))]
            fetches += [tf.roll(tf.as_string(x), 2, 1), tf.roll(x > 0.0, -1, 0), tf.gradients(tf.reduce_sum(tf.roll(x, 2, 0) * x), x)[0]]
            for rows in (5, 1, 0):
                c.run(fetches, {x: numbers(rows, 3, 4)})
            shift = tf.placeholder(tf.int64, [None], "shift")
            moved = raw.Roll(input=x, shift=shift, axis=[0, 1])
            c.run(moved, {x: numbers(5, 3, 4), shift: [3, -4]})
            c.run(moved, {x: numbers(5, 3, 4), shift: [3]})
            axis = tf.placeholder(tf.int32, [], "axis")
            for place in (1, -3, 3, -4):
                c.run(raw.Roll(input=x, shift=1, axis=axis), {x: numbers(5, 3, 4), axis: place})
            lengths = tf.placeholder(tf.int32, [None], "lengths")
            turned = [raw.ReverseSequence(input=x, seq_lengths=lengths, seq_dim=s, batch_dim=b) for s, b in ((1, 0), (2, 0))]
            columns = [raw.ReverseSequence(input=y, seq_lengths=tf.constant([2, 0, 1], tf.int64), seq_dim=s, batch_dim=1)
                       for s in (0, 2) for y in (x, tf.cast(x, tf.int16))]
            slope = tf.gradients(tf.reduce_sum(turned[0] * x), x)[0]
            c.run(turned + columns + [slope], {x: numbers(4, 3, 4), lengths: [3, 0, 1, 2]})
            c.run(turned, {x: numbers(0, 3, 4), lengths: []})
            for bad in ([3, 0, 4, 1], [3, 0, -1, 1], [1, 1]):
                c.run(turned[0], {x: numbers(4, 3, 4), lengths: bad})


def largest():
    for each in case("layout_largest", "TopKV2 of every dtype, ties, InvertPermutation"):
        with each as c:
            x = tf.placeholder(tf.float32, [None, 6], "x")
            k = tf.placeholder(tf.int32, [], "k")
            fetches = [part for size in (0, 1, 3, 6) for part in raw.TopKV2(input=x, k=size)]
            for dtype in (tf.float16, tf.bfloat16, tf.float64, tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16, tf.uint32, tf.uint64):
                fetches += list(raw.TopKV2(input=tf.cast(x + 9.0, dtype), k=4))
            fetches += list(raw.TopKV2(input=x, k=2, index_type=tf.int64)) + [tf.gradients(raw.TopKV2(input=x, k=2).values, x)[0]]
            fed = list(raw.TopKV2(input=x, k=k))
            for rows in (3, 1, 0):
                c.run(fetches, {x: numbers(rows, 6) % 4, k: 2})
                c.run(fed, {x: numbers(rows, 6), k: 5})
            c.run(fed, {x: numbers(2, 6), k: 7})
            c.run(fed, {x: numbers(2, 6), k: -1})
            wide = tf.placeholder(tf.float32, [None, None], "wide")
            largest = list(raw.TopKV2(input=wide, k=k))
            for size in (3, 100, 299):
                c.run(largest, {wide: np.arange(600).reshape(2, 300) * 7919 % 271, k: size})
            p = tf.placeholder(tf.int32, [None], "p")
            fetches = [tf.math.invert_permutation(p), tf.math.invert_permutation(tf.cast(p + 0, tf.int64))]
            fetches.append(tf.math.invert_permutation(raw.TopKV2(input=tf.cast(p, tf.float32), k=3).indices))
            c.run(fetches, {p: [2, 0, 1]})
            c.run(fetches[:2], {p: []})
            for bad in ([0, 1, 3], [0, -1, 1], [0, 1, 1]):
                c.run(fetches[1], {p: bad})


def diagonals():
    for each in case("layout_diagonals", "MatrixDiag*, MatrixDiagPart*, MatrixSetDiag*, Diag, DiagPart, MatrixBandPart"):
        with each as c:
            x = tf.placeholder(tf.float32, [None, 3, 5], "x")
            fetches = [raw.MatrixDiag(diagonal=x), raw.MatrixDiagPart(input=x), raw.MatrixSetDiag(input=x, diagonal=x[:, :, 0]), raw.Diag(diagonal=x[0]),
                       raw.DiagPart(input=raw.Diag(diagonal=x[0])), raw.DiagPart(input=tf.reshape(tf.range(36), [2, 3, 2, 3]))]
            for align in ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT"):
                for k in ([-1, 1], [0, 2], [-2, 0], [-1], [2], [-2, 4]):
                    part = raw.MatrixDiagPartV3(input=x, k=k, padding_value=-77.0, align=align)
                    fetches += [part, raw.MatrixSetDiagV3(input=tf.placeholder_with_default(-x, None), diagonal=part, k=k, align=align)]
                fetches += [raw.MatrixDiagV3(diagonal=x, k=[-1, 1], num_rows=-1, num_cols=-1, padding_value=7.0, align=align),
                            raw.MatrixDiagV3(diagonal=x, k=[0, 2], num_rows=5, num_cols=-1, padding_value=7.0, align=align),
                            raw.MatrixDiagV3(diagonal=x, k=[-2, 0], num_rows=-1, num_cols=5, padding_value=7.0, align=align)]
            fetches += [raw.MatrixDiagV2(diagonal=x, k=2, num_rows=-1, num_cols=-1, padding_value=0.5),
                        raw.MatrixDiagV2(diagonal=x, k=-1, num_rows=6, num_cols=7, padding_value=0.5),
                        raw.MatrixDiagPartV2(input=x, k=[0, 3], padding_value=9.0), raw.MatrixSetDiagV2(input=x, diagonal=x[:, 0, :3], k=1)]
            fetches += [tf.linalg.diag(x > 2.0), tf.linalg.diag_part(tf.cast(x, tf.int8)), tf.gradients(tf.reduce_sum(tf.linalg.diag_part(x, k=(-1, 1)) ** 2), x)[0],
                        tf.gradients(tf.reduce_sum(tf.linalg.diag(x) * 3.0), x)[0]]
            lower, upper = tf.placeholder(tf.int64, [], "lower"), tf.placeholder(tf.int64, [], "upper")
            band = raw.MatrixBandPart(input=x, num_lower=lower, num_upper=upper)
            fetches += [raw.MatrixBandPart(input=tf.cast(x, dtype), num_lower=1, num_upper=-1) for dtype in (tf.float32, tf.int32, tf.bool, tf.float16)]
            for rows in (2, 1):
                c.run(fetches, {x: numbers(rows, 3, 5)})
            c.run(fetches[:1] + fetches[6:], {x: numbers(0, 3, 5)})
            for down, up in ((0, 0), (-1, 1), (1, -1), (3, 5), (-5, -9), (4, 0), (0, 6)):
                c.run([band], {x: numbers(2, 3, 5), lower: down, upper: up})
            open_ = tf.placeholder(tf.float32, [None, None], "open")
            k = tf.placeholder(tf.int32, [2], "k")
            part = raw.MatrixDiagPartV3(input=open_, k=k, padding_value=1.0)
            square = [part, tf.linalg.diag(open_), tf.linalg.diag(open_[0], k=1)]
            for rows, columns, bounds in ((3, 4, [-1, 1]), (4, 2, [0, 0]), (2, 2, [1, 1]), (2, 3, [-2, 0]), (2, 3, [1, 0]), (2, 3, [0, 3])):
                c.run(square, {open_: numbers(rows, columns), k: bounds})


def formats():
    for each in case("layout_formats", "DataFormatDimMap and DataFormatVecPermute"):
        with each as c:
            x, open_ = tf.placeholder(tf.int32, [None], "x"), tf.placeholder(tf.int64, None, "open")
            fetches = [raw.DataFormatDimMap(x=of, src_format=a, dst_format=b) for of in (x, open_)
                       for a, b in (("NHWC", "NCHW"), ("NCHW", "HWNC"), ("qwer", "rewq"), ("NDHWC", "WHDCN"))]
            for shape in ([3], [2, 3], [], [0]):
                c.run(fetches, {x: [3, -4, 2, -1, 0], open_: np.arange(np.prod(shape)).reshape(shape) - 4})
            four, five = (("NHWC", "NCHW"), ("NHWC", "WHCN"), ("NCHW", "HWNC")), (("NDHWC", "NCDHW"), ("NDHWC", "HWDNC"))
            for pairs, shapes in ((four, ([4], [2], [4, 2], [2, 2], [3], [1], [4, 3], [1, 1, 1], [])), (five, ([5], [3], [5, 2], [4]))):
                permuted = [raw.DataFormatVecPermute(x=open_, src_format=a, dst_format=b) for a, b in pairs]
                for shape in shapes:
                    fits = len(shape) in (1, 2) and shape[0] in (len(pairs[0][0]), len(pairs[0][0]) - 2) and shape[1:] in ([], [2])
                    c.run(permuted if fits else permuted[0], {open_: np.arange(np.prod(shape)).reshape(shape)})
            moved = raw.DataFormatVecPermute(x=tf.shape(tf.zeros([1, 2, 3, 4])), src_format="NHWC", dst_format="NCHW")
            c.run([tf.zeros(moved), moved], {})
            for a, b in (("NHWC", "NC"), ("NHW", "NCH"), ("NHWCD", "NHWC"), ("NNHC", "NHWC"), ("NHWC", "ABCD")):
                c.run(raw.DataFormatDimMap(x=open_, src_format=a, dst_format=b), {open_: [0]})
                c.run(raw.DataFormatVecPermute(x=open_, src_format=a, dst_format=b), {open_: [0, 1, 2, 3]})


def nth():
    for each in case("layout_nth_element", "NthElement of each row, upwards and downwards"):
        with each as c:
            x, n = tf.placeholder(tf.float32, [None, None], "x"), tf.placeholder(tf.int32, None, "n")
            fetches = [raw.NthElement(input=tf.cast(x, dtype), n=n, reverse=reverse) for reverse in (False, True)
                       for dtype in (tf.float32, tf.float64, tf.float16, tf.bfloat16, tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16, tf.uint32, tf.uint64)]
            for rows, columns, place in ((3, 7, 2), (1, 5, 0), (4, 1, 0), (2, 9, 8), (0, 3, 1)):
                c.run(fetches, {x: numbers(rows, columns) * 37 % 23, n: place})
            for place in (-1, 7, [0]):
                c.run(fetches[0], {x: numbers(3, 7), n: place})
            c.run(fetches[0], {x: numbers(3, 0), n: 0})
            largest = [raw.ApproxTopK(input=tf.cast(tf.ensure_shape(x, [None, 7]), dtype), k=k) for dtype in (tf.float32, tf.float16) for k in (3, 7, 0)]
            c.run([y for pair in largest for y in pair], {x: numbers(4, 7) * 37 % 23})
            open_ = tf.placeholder(tf.float32, None, "open")
            for shape in ([6], [2, 3, 4], []):
                c.run(raw.NthElement(input=open_, n=n), {open_: numbers(*shape), n: 1})


def counted_formats():
    for each in case("layout_formats_found", "DataFormatVecPermute of as many elements as the run finds out"):
        with each as c:
            v = tf.placeholder(tf.int32, [None], "v")
            found = tf.unique(v)[0]
            for x, counts in ((found, (5, 3, 4)), (tf.reshape(found, [-1, 2]), (10, 6, 4)), (tf.reshape(found, [5, -1]), (10, 15))):
                permuted = raw.DataFormatVecPermute(x=x, src_format="NDHWC", dst_format="NCDHW")
                for count in counts:
                    c.run(permuted, {v: np.arange(count + 2) % count})


def patches():
    for each in case("layout_patches", "ExtractImagePatches and ExtractVolumePatches"):
        with each as c:
            x = tf.placeholder(tf.float32, [None, None, 6, 2], "x")
            volume = tf.placeholder(tf.float32, [None, None, 5, 6, 2], "volume")

            def images(of, size, step, rate, padding):
                return raw.ExtractImagePatches(images=of, ksizes=[1, *size, 1], strides=[1, *step, 1], rates=[1, *rate, 1], padding=padding)

            def volumes(of, size, step, padding):
                return raw.ExtractVolumePatches(input=of, ksizes=[1, *size, 1], strides=[1, *step, 1], padding=padding)

            fetches = []
            for padding in ("VALID", "SAME"):
                fetches += [images(x, *each, padding) for each in (([2, 2], [1, 1], [1, 1]), ([3, 1], [2, 3], [1, 1]), ([2, 3], [2, 1], [2, 2]), ([1, 1], [4, 4], [1, 1]))]
                fetches += [images(tf.cast(x, dtype), [2, 2], [1, 2], [1, 1], padding) for dtype in (tf.int8, tf.bfloat16, tf.uint64, tf.float64)]
            three = [volumes(volume, *each, padding) for padding in ("VALID", "SAME")
                     for each in (([1, 1, 1], [1, 1, 1]), ([2, 3, 2], [1, 2, 3]), ([3, 2, 4], [2, 1, 1]))] + [volumes(tf.cast(volume, tf.int64), [2, 2, 2], [2, 2, 2], "SAME")]
            for rows, height in ((2, 5), (1, 3), (0, 4)):
                c.run(fetches, {x: numbers(rows, height, 6, 2)})
                c.run(three, {volume: numbers(rows, height, 5, 6, 2)})
            c.run(fetches[0], {x: numbers(2, 0, 6, 2)})
            c.run(images(x, [2, 2], [1, 1], [1, 1], "SAME"), {x: numbers(2, 0, 6, 2)})
            c.run(fetches[1], {x: numbers(2, 1, 6, 2)})
            c.run(three[1], {volume: numbers(2, 0, 5, 6, 2)})
            open_ = tf.placeholder(tf.float32, None, "open")
            c.run(images(open_, [2, 2], [1, 1], [1, 1], "VALID"), {open_: numbers(5, 6, 2)})
            for lists in (([2, 2, 2, 1], [1] * 4, [1] * 4), ([1, 2, 2, 1], [1, 1, 1, 2], [1] * 4), ([1, 2, 2, 1], [1] * 4, [2, 1, 1, 1]),
                          ([1, 0, 2, 1], [1] * 4, [1] * 4), ([1, 2, 2, 1], [1, 0, 1, 1], [1] * 4), ([1, 2, 2, 1], [1] * 4, [1, 1, 0, 1])):
                c.run(raw.ExtractImagePatches(images=open_, ksizes=lists[0], strides=lists[1], rates=lists[2], padding="SAME"), {open_: numbers(2, 5, 6, 2)})


def dense():
    for each in case("layout_sparse_to_dense", "SparseToDense, its order and its errors"):
        with each as c:
            i = tf.placeholder(tf.int32, [None, 2], "i")
            v = tf.placeholder(tf.float32, [None], "v")
            strict, loose = (raw.SparseToDense(sparse_indices=i, output_shape=[3, 4], sparse_values=v, default_value=-1.0, validate_indices=flag)
                             for flag in (True, False))
            single = [raw.SparseToDense(sparse_indices=2, output_shape=[4], sparse_values=True, default_value=False),
                      raw.SparseToDense(sparse_indices=tf.constant([0, 3], tf.int64), output_shape=tf.constant([5], tf.int64), sparse_values="x", default_value="y"),
                      raw.SparseToDense(sparse_indices=i, output_shape=[3, 4], sparse_values=7, default_value=0)]
            c.run([strict, loose] + single, {i: [[0, 1], [0, 2], [2, 0]], v: [1, 2, 3]})
            c.run([strict, loose], {i: np.zeros([0, 2]), v: []})
            c.run(loose, {i: [[2, 1], [0, 2], [2, 1]], v: [1, 2, 3]})
            for bad in ([[0, 1], [0, 4], [2, 0]], [[0, 1], [0, 0], [2, 0]], [[0, 1], [0, 1], [2, 0]], [[0, 1], [-1, 1], [2, 0]], [[0, 1], [3, 1], [2, 0]]):
                c.run(strict, {i: bad, v: [1, 2, 3]})
            c.run(loose, {i: [[0, 1], [3, 1], [2, 0]], v: [1, 2, 3]})
            c.run(strict, {i: [[0, 1], [0, 2]], v: [1, 2, 3]})


def overflows():
    for each in case("layout_overflows", "results of more elements than 63 bits count"):
        with each as c:
            x, k = tf.placeholder(tf.float32, None, "x"), tf.placeholder(tf.int32, None, "k")
            c.run(raw.MatrixDiagV3(diagonal=x, k=k, num_rows=-1, num_cols=-1, padding_value=0.0), {x: np.ones([2, 2, 2, 2]), k: 2000000000})
            c.run(raw.ImageProjectiveTransformV2(images=x, transforms=np.ones([1, 8], np.float32), output_shape=k, interpolation="BILINEAR", fill_mode="REFLECT"),
                  {x: np.ones([2, 5, 8, 3]), k: [1879048192, 1879048192]})


blocks()
borders()
border_limits()
rolls()
largest()
diagonals()
formats()
counted_formats()
patches()
nth()
dense()
overflows()
