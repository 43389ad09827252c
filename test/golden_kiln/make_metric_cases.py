# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what TensorFlow's metrics add to a graph and what they come to over several batches; test/unit/Train/MetricsTest.cpp builds
the same graphs. Run it with a Python that has TensorFlow."""
import os
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ.setdefault("GOLDEN_OUT", os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import numpy as np
import tensorflow.compat.v1 as tf
from recorder import Case

m = tf.metrics


def waves(*shape):
    return (np.sin(np.arange(np.prod(shape)) * 1.7).reshape(shape) + 1) / 2


def bits(*shape):
    return (np.arange(np.prod(shape)).reshape(shape) * 7 % 5 % 2).astype(bool)


def batches(case, metrics, feed, more):
    """Two batches, and the values before, between and after them."""
    case.run([tf.local_variables_initializer()])
    values, updates = [value for value, _ in metrics], [update for _, update in metrics]
    case.run(values)
    for each in (feed, more):
        case.run(updates, each)
        case.run(values)


def means(kind):
    with Case("metric_means_" + kind, "means and errors over batches, with weights and without: " + kind, rtol=1e-5) as case:
        if kind == "handles":
            tf.enable_resource_variables()
        x, y = tf.placeholder(tf.float32, [None, 3], "x"), tf.placeholder(tf.float32, [None, 3], "y")
        w, wide = tf.placeholder(tf.float32, [None, 1], "w"), tf.placeholder(tf.float32, [4, 3], "wide")
        labels, found = tf.placeholder(tf.int64, [None], "labels"), tf.placeholder(tf.int64, [None, 1], "found")
        number, row = tf.placeholder(tf.float64, [], "number"), tf.placeholder(tf.float32, [None], "row")
        all = [m.mean(x), m.mean(x, w), m.mean(x, 0.5, name="half"), m.mean(number), m.mean(wide, wide, ["values"], ["updates"])]
        all += [m.mean_tensor(wide), m.mean_tensor(wide, [[1.0], [2.0], [0.0], [1.0]])]
        all += [m.accuracy(labels, found), m.accuracy(labels, found, row), m.accuracy(tf.constant([1, 2, 3]), tf.constant([1.0, 5.0, 3.0]), name="own")]
        all += [m.mean_absolute_error(x, y), m.mean_squared_error(x, y, w), m.root_mean_squared_error(x, y), m.root_mean_squared_error(x, y, w, ["values"], ["updates"], "rmse")]
        all += [m.mean_relative_error(x, y, y), m.mean_cosine_distance(x, y, 1), m.mean_cosine_distance(x, y, 1, w), m.percentage_below(x, 0.5), m.percentage_below(x, 0.25, w, name="quarter")]
        feed = {x: waves(4, 3), y: waves(4, 3) * 0.5, w: waves(4, 1), wide: waves(4, 3), labels: [1, 2, 0, 1], found: [[1], [1], [0], [2]], number: 2.0, row: [1, 0, 2, 1]}
        more = {x: waves(2, 3) * 2, y: np.ones((2, 3)), w: np.ones((2, 1)), wide: -waves(4, 3), labels: [3], found: [[3]], number: 4.0, row: [0.5]}
        batches(case, all, feed, more)
        tf.disable_resource_variables()


def counts():
    with Case("metric_counts", "right and wrong predictions, precision and recall, also at thresholds", rtol=1e-5) as case:
        labels, found = tf.placeholder(tf.bool, [None], "labels"), tf.placeholder(tf.bool, [None], "found")
        whole, score = tf.placeholder(tf.int32, [None, 1], "whole"), tf.placeholder(tf.float32, [None], "score")
        w = tf.placeholder(tf.float32, [None], "w")
        counts = (m.true_positives, m.true_negatives, m.false_positives, m.false_negatives)
        all = [count(labels, found) for count in counts] + [count(whole, found, w) for count in counts]
        all += [m.precision(labels, found), m.recall(labels, found), m.precision(whole, found, w, ["values"], ["updates"], "own"), m.recall(whole, found, w)]
        at = (m.true_positives_at_thresholds, m.true_negatives_at_thresholds, m.false_positives_at_thresholds, m.false_negatives_at_thresholds)
        all += [each(labels, score, [0.25, 0.5]) for each in at] + [m.precision_at_thresholds(labels, score, [0.5, 0.75]), m.recall_at_thresholds(whole, score, [0.5], w)]
        feed = {labels: bits(6), found: ~bits(6) | (np.arange(6) < 3), whole: bits(6, 1), score: waves(6), w: waves(6) + 0.5}
        more = {labels: [True, False], found: [True, True], whole: [[1], [0]], score: [0.5, 0.3], w: [1, 3]}
        batches(case, all, feed, more)


def curves():
    with Case("metric_curves", "areas under curves by each method, and one rate where another is given", rtol=1e-5) as case:
        labels, score = tf.placeholder(tf.bool, [None], "labels"), tf.placeholder(tf.float32, [None], "score")
        w, known = tf.placeholder(tf.float32, [None], "w"), tf.placeholder(tf.float32, [4, 2], "known")
        all = [m.auc(labels, score), m.auc(labels, score, w, num_thresholds=5, name="few"), m.auc(bits(4, 2), known, num_thresholds=4, metrics_collections=["values"], updates_collections=["updates"])]
        all += [m.auc(labels, score, num_thresholds=6, curve="PR", summation_method=how) for how in ("careful_interpolation", "minoring", "majoring", "trapezoidal")]
        all += [m.auc(labels, score, num_thresholds=6, summation_method=how) for how in ("careful_interpolation", "minoring", "majoring")]
        all += [m.auc(labels, score, thresholds=[0.7, 0.2, 0.4])]
        all += [m.sensitivity_at_specificity(labels, score, 0.6, num_thresholds=8), m.specificity_at_sensitivity(labels, score, 0.4, w, 8)]
        feed = {labels: bits(8), score: waves(8), w: waves(8) + 0.25, known: waves(4, 2)}
        more = {labels: [True, True, False], score: [0.9, 0.45, 0.6], w: [1, 2, 1], known: 1 - waves(4, 2)}
        batches(case, all, feed, more)


def classes():
    with Case("metric_classes", "intersections by unions, and accuracies of classes", rtol=1e-5) as case:
        labels, found = tf.placeholder(tf.int32, [None, 2], "labels"), tf.placeholder(tf.int32, [None, 2], "found")
        w = tf.placeholder(tf.float32, [None, 2], "w")
        all = [m.mean_iou(labels, found, 3), m.mean_iou(labels, found, 4, w, ["values"], ["updates"], "own"), m.mean_per_class_accuracy(labels, found, 3), m.mean_per_class_accuracy(labels, found, 4, w)]
        feed = {labels: [[0, 1], [2, 2], [1, 0]], found: [[0, 2], [2, 1], [1, 0]], w: waves(3, 2)}
        more = {labels: [[1, 1]], found: [[1, 0]], w: [[1, 2]]}
        batches(case, all, feed, more)


def ranks():
    with Case("metric_ranks", "labels among the k best predictions, dense and sparse, of all classes and of one", rtol=1e-5) as case:
        scores, label, labels = tf.placeholder(tf.float32, [None, 5], "scores"), tf.placeholder(tf.int64, [None], "label"), tf.placeholder(tf.int64, [None, 2], "labels")
        w = tf.placeholder(tf.float32, [None], "w")
        sparse = tf.SparseTensor(tf.placeholder(tf.int64, [None, 2], "indices"), tf.placeholder(tf.int64, [None], "values"), tf.placeholder(tf.int64, [2], "dense_shape"))
        best = tf.placeholder(tf.int64, [None, 3], "best")
        all = [m.recall_at_k(label, scores, 2), m.recall_at_k(labels, scores, 3, weights=w), m.recall_at_k(labels, scores, 3, class_id=1), m.recall_at_k(sparse, scores, 2)]
        all += [m.recall_at_top_k(labels, best), m.recall_at_top_k(sparse, best, k=3, class_id=2, name="own")]
        all += [m.precision_at_k(label, scores, 2, metrics_collections=["values"], updates_collections=["updates"]), m.precision_at_k(sparse, scores, 2, class_id=2, weights=w), m.precision_at_top_k(labels, best)]
        all += [m.average_precision_at_k(labels, scores, 3), m.average_precision_at_k(labels, scores, 1, w), m.average_precision_at_k(sparse, scores, 2)]
        feed = {scores: waves(3, 5), label: [1, 4, 0], labels: [[1, 2], [4, 0], [0, 7]], w: [1, 0.5, 2], best: [[1, 0, 3], [4, 2, 1], [3, 0, 2]]}
        feed.update({sparse.indices: [[0, 0], [0, 1], [2, 0]], sparse.values: [1, 2, 4], sparse.dense_shape: [3, 2]})
        more = {scores: waves(1, 5)[:, ::-1], label: [2], labels: [[2, 3]], w: [1], best: [[2, 3, 4]], sparse.indices: [[0, 0]], sparse.values: [2], sparse.dense_shape: [1, 2]}
        batches(case, all, feed, more)


if __name__ == "__main__":
    means("references")
    means("handles")
    counts()
    curves()
    classes()
    ranks()
