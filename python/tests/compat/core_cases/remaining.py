"""Functions of which each is its module's only one: fingerprints, scripts of characters, roots of matrices, critical sections."""

import numpy as np


def fingerprints(tf):
    x = tf.constant([[1, 2], [3, 4]])
    return [tf.fingerprint(x), tf.fingerprint(["a", "b"], name="of_texts"), tf.strings.unicode_script([65, 0x4E00, -1]), tf.strings.unicode_script(66, name="of_one")]


def square_roots(tf):
    x = tf.constant([[[4.0, 1.0], [1.0, 3.0]]])
    return [tf.linalg.sqrtm(x), tf.linalg.sqrtm(x[0], name="root")]


def gradient_of_square_roots(tf):
    x = tf.constant([[[4.0, 1.0], [1.0, 3.0]]])
    return tf.gradients(tf.linalg.sqrtm(x), x)


gradient_of_square_roots.values_only = True


def pools(tf):
    x = tf.constant(np.arange(2 * 7 * 6, dtype=np.float32).reshape(1, 7, 6, 2))
    return [
        *tf.nn.fractional_max_pool(x, [1.0, 1.5, 1.4, 1.0], deterministic=True, seed=3, seed2=4),
        *tf.nn.fractional_avg_pool(x, [1.0, 1.5, 1.4, 1.0], pseudo_random=True, overlapping=True, deterministic=True, seed=3, name="means"),
    ]


def gradients_of_pools(tf):
    x = tf.constant(np.arange(2 * 7 * 6, dtype=np.float32).reshape(1, 7, 6, 2))
    made = [pool(x, [1.0, 1.5, 1.4, 1.0], deterministic=True, seed=3)[0] for pool in (tf.nn.fractional_max_pool, tf.nn.fractional_avg_pool)]
    return [tf.gradients(each, x)[0] for each in made]


gradients_of_pools.values_only = True


def critical_sections(tf):
    section = tf.CriticalSection(name="section")
    counter = tf.get_variable("counter", [], initializer=tf.zeros_initializer(), use_resource=True)
    other = tf.CriticalSection(shared_name="section_of_two")
    with tf.control_dependencies([counter.initializer]):
        first = section.execute(lambda: counter.assign_add(2.0, read_value=True))
    with tf.control_dependencies([first]):
        pair = section.execute(lambda: (tf.identity(first) * 2, {"a": tf.constant(5)}), name="again")
    return [first, pair[0], pair[1]["a"], other.execute(lambda: tf.constant(3))]


critical_sections.values_only = True


def critical_section_in_itself(tf):
    section = tf.CriticalSection()
    section.execute(lambda: section.execute(lambda: tf.constant(1)))


def critical_sections_of_one_resource(tf):
    counter = tf.get_variable("counter", [], use_resource=True)
    tf.CriticalSection(name="a").execute(lambda: counter.read_value())
    tf.CriticalSection(name="b").execute(lambda: counter.read_value())


def times(tf):
    return [tf.cast(tf.timestamp() > 1.5e9, tf.int32)]
