"""kiln.tensorflow: requests that a session answers differently the second time unless it takes care."""

import collections

import numpy as np
import pytest

from tensorflow_beside import on_kiln, same_as_tensorflow, tf


def each_thrice(session, *requests):
    """What each gives: its value and whether it may be written, or its error's type and first line."""
    seen = []
    for _ in range(3):
        for fetches, feeds in requests:
            try:
                value = session.run(fetches, feeds)
                seen += [value, isinstance(value, np.ndarray) and value.flags.writeable]
            except (TypeError, ValueError) as error:
                seen.append(f"{type(error).__name__} {error}".splitlines()[0])
            except tf.errors.OpError as error:
                seen.append((type(error).__name__, error.op.name))
    return seen


def test_fetches_that_are_none():
    def program():
        one = tf.constant(1) + 1
        with tf.Session() as session:
            return each_thrice(session, (one, None), (None, None), ([one, None], None), ({"a": None}, {}))

    same_as_tensorflow(program)


@pytest.mark.parametrize("feeds", [3, 0, "abc", "", [], (), [1]])
def test_a_feed_dict_that_is_no_mapping(feeds):
    def program():
        x = tf.placeholder(tf.float32, [])
        y, constant = x + 1, tf.constant(1) + 1
        with tf.Session() as session:
            return each_thrice(session, (y, {x: 1}), (constant, None), (y, feeds), (constant, feeds), (y, [(x, 1)]))

    same_as_tensorflow(program)


def test_other_mappings_of_feeds():
    def program():
        x = tf.placeholder(tf.float32, [])
        with tf.Session() as session:
            return each_thrice(session, (x + 1, collections.OrderedDict({x: 1})), (x + 2, collections.UserDict({x: 1})))

    same_as_tensorflow(program)


def test_what_is_fed_and_fetched():
    """It comes back as the array that TensorFlow made of the value; the operation of a fed placeholder is an error."""

    def program():
        x, y = tf.placeholder(tf.float32, [], "x"), tf.placeholder(tf.float32, [None], "y")
        z = x + y
        feeds = {x: 2, y: [1, 2]}
        with tf.Session() as session:
            return each_thrice(
                session, (x, feeds), ([x, y, z], feeds), ("y:0", feeds), (z, {z: 5.0}), ([z, z], {z: [5.0]}),
                (x.op, feeds), ([z, y.op], feeds), (z, feeds),
            )

    same_as_tensorflow(program)


def test_a_tensor_that_is_fed_under_two_keys():
    """The last one counts."""

    def program():
        x = tf.placeholder(tf.float32, [], "x")
        with tf.Session() as session:
            return each_thrice(session, (x * 2, {x: 1, "x:0": 2}), (x * 3, {"x:0": 2, x: 1}))

    same_as_tensorflow(program)


def test_a_bool_that_is_fed_an_integer():
    def program():
        one, more = tf.placeholder(tf.bool, []), tf.placeholder(tf.bool, [None])
        both = tf.logical_or(one, tf.reduce_all(more))
        values = (0, 1, 3, -1, 10**30, True, np.int64(3), 2.5, np.array(3))
        with tf.Session() as session:
            seen = each_thrice(session, *[(both, {one: value, more: [0]}) for value in values])
            return seen + each_thrice(session, (both, {one: 0, more: [3]}), (both, {one: 0, more: [0, 3]}))

    same_as_tensorflow(program)


def test_a_closed_session():
    def program():
        x = tf.placeholder(tf.float32, [])
        y, constant = x + 1, tf.constant(1) + 1
        session = tf.Session()
        session.run(constant)
        with_feeds, without = session.make_callable(y, [x]), session.make_callable(constant)
        handle = session.partial_run_setup([y], [x])
        session.close()
        seen = []
        for work in (
            lambda: session.partial_run_setup([y], [x]),
            lambda: session.partial_run(handle, y, {x: 1}),
            lambda: with_feeds(1),
            without,
            lambda: session.make_callable(y, [x])(1),
            lambda: session.make_callable(constant)(),
            lambda: session.make_callable(constant, accept_options=True)(),
            lambda: session.make_callable(tf.constant(2)),
            lambda: session.run(constant),
        ):
            try:
                seen.append(work())
            except (RuntimeError, tf.errors.OpError) as error:
                seen.append((type(error).__name__, str(error)))
        return seen

    same_as_tensorflow(program)


def test_callables_without_feeds_take_no_arguments(on_kiln):
    one = tf.constant(1) + 1
    with tf.Session() as session:
        call, with_options = session.make_callable(one), session.make_callable(one, accept_options=True)
        for _ in range(2):
            for wrong in (lambda: call(1), lambda: call(options=None), lambda: with_options(1)):
                with pytest.raises(TypeError):
                    wrong()
            assert call() == with_options(options=tf.RunOptions()) == 2


def test_a_partial_run_of_what_is_not_fed_yet():
    def program():
        a, b = tf.placeholder(tf.float32, [], "a"), tf.placeholder(tf.float32, [], "b")
        first = tf.add(a, 1.0, name="first")
        second = tf.multiply(first, b, name="second")
        with tf.Session() as session:
            handle = session.partial_run_setup([first, second], [a, b])
            seen = [session.partial_run(handle, first, {a: 1})]
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                session.partial_run(handle, second)
            return seen + [caught.value.message, caught.value.op, session.partial_run(handle, second, {b: 3})]

    same_as_tensorflow(program)
