"""Values computed from values, without effects: a signature of type letters, and how TensorFlow computes it.

In a signature `t` is s or v, the same throughout. Floats stay small, so that no
sum or product of a long program overflows.
"""

import tensorflow.compat.v1 as tf


def bounded(value):
    return tf.clip_by_value(value, -9.0, 9.0)


def through_array(a):
    """Every element by way of a TensorArray."""
    return tf.TensorArray(tf.float32, tf.size(a)).unstack(a).stack() * 0.75


def guarded(i, compute):
    """What `compute` gives where 0 < i < 4; it fails, or has other sizes, where i is none of these."""
    return tf.cond(tf.logical_and(i > 0, i < 4), compute, lambda: tf.constant(-0.5))


def asserted(i):
    with tf.control_dependencies([tf.Assert(i > 0, [i])]):
        return tf.constant(1.5)


FORMULAS = {
    "tanh_sum": ("tt->t", lambda a, b: tf.tanh(a + b)),
    "difference": ("tt->t", lambda a, b: a * 0.5 - b * 0.25),
    "product": ("tt->t", lambda a, b: bounded(a * b * 0.5)),
    "maximum": ("tt->t", lambda a, b: tf.maximum(a, -b)),
    "select": ("tt->t", lambda a, b: tf.where(a > b, a, b * 0.5)),
    "identity": ("t->t", tf.identity),
    "sine": ("t->t", tf.sin),
    "halt_gradient": ("t->t", lambda a: tf.stop_gradient(bounded(a * 1.5))),
    "sum": ("v->s", lambda a: tf.reduce_sum(a) * 0.125),
    "broadcast": ("vs->v", lambda a, b: bounded(a * 0.5 + b)),
    "reverse": ("v->v", lambda a: tf.reverse(a, [0])),
    "cumsum": ("v->v", lambda a: tf.cumsum(a) * 0.25),
    "rotate": ("vv->v", lambda a, b: tf.concat([a[1:], b[:1]], 0)),
    "gather": ("vi->s", lambda a, i: tf.gather(a, tf.clip_by_value(i, 0, 2))),
    "shape_of": ("v->v", lambda a: tf.reshape(tf.tile(tf.reshape(a, [1, -1]), [2, 1])[1:], tf.shape(a))),
    "sum_open": ("o->s", lambda a: tf.tanh(tf.reduce_sum(a))),
    "scale_open": ("os->o", lambda a, b: bounded(a * b + 0.5)),
    "concat": ("ov->o", lambda a, b: tf.concat([a, b], 0)[:5]),
    "mask": ("o->o", lambda a: tf.boolean_mask(a, a > 0.3)),
    "mask_vector": ("v->o", lambda a: tf.boolean_mask(a, a > 0.1)),
    "unique": ("o->o", lambda a: tf.unique(tf.round(a * 0.7))[0]),
    "where": ("o->o", lambda a: tf.cast(tf.reshape(tf.where(a > 0.1), [-1]), tf.float32) * 0.5),
    "gather_where": ("o->o", lambda a: tf.gather(a, tf.where(a < 1.1)[:, 0])),
    "fill": ("is->o", lambda i, a: tf.fill([tf.clip_by_value(i, 0, 4)], a)),
    "slice": ("oi->o", lambda a, i: a[: tf.clip_by_value(i, 0, 3)]),
    "pad": ("oi->o", lambda a, i: tf.pad(a, [[tf.clip_by_value(i, 0, 2), 0]])[:6]),
    "range": ("o->o", lambda a: tf.cast(tf.range(tf.minimum(tf.size(a), 3)), tf.float32)),
    "map": ("o->o", lambda a: tf.map_fn(lambda element: bounded(element * 2.0 - 1.0), a)),
    "array": ("o->o", through_array),
    "size": ("o->i", tf.size),
    "count": ("v->i", lambda a: tf.reduce_sum(tf.cast(a > 0.1, tf.int32))),
    "next": ("i->i", lambda i: tf.floormod(i + 1, 5)),
    "add": ("ii->i", lambda i, j: tf.clip_by_value(i + j, -5, 5)),
    "greater": ("s->b", lambda a: a > 0.3),
    "any_greater": ("v->b", lambda a: tf.reduce_any(a > 1.1)),
    "any_open": ("o->b", lambda a: tf.reduce_any(a > 0.6)),
    "odd": ("i->b", lambda i: tf.equal(tf.floormod(i, 2), 1)),
    "not": ("b->b", tf.logical_not),
    "and": ("bb->b", tf.logical_and),
    "guarded_quotient": ("i->s", lambda i: guarded(i, lambda: tf.cast(tf.constant(7) // i, tf.float32))),
    "guarded_gather": ("i->s", lambda i: guarded(i, lambda: tf.gather(tf.constant([3.0, 4.0, 5.0]), i - 1))),
    "guarded_assert": ("i->s", lambda i: guarded(i, lambda: asserted(i))),
    "guarded_size": ("i->s", lambda i: guarded(i, lambda: tf.reduce_sum(tf.zeros([i - 1]) + 1.0))),
}
