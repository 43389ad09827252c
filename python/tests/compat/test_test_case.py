"""tf.test.TestCase, and the decorators of TensorFlow's own tests."""

import unittest

import numpy as np
import pytest

import kiln.compat.v1 as tf
from kiln.compat.v1 import _test_util as test_util


def outcome(function, decorator=lambda test: test):
    """The result of a test case with one test."""

    class Case(tf.test.TestCase):
        testIt = decorator(function)  # noqa: N815

    result = unittest.TestResult()
    Case("testIt").run(result)
    return result


def check(function, decorator=lambda test: test):
    result = outcome(function, decorator)
    assert not result.errors and not result.failures, (result.errors or result.failures)[0][1]


def test_evaluate_takes_structures():
    def test(self):
        values = self.evaluate({"a": tf.constant(1), "b": (tf.constant(2), tf.constant([3, 4]))})
        self.assertEqual(values["a"], 1)
        self.assertAllEqual(values["b"][1], [3, 4])

    check(test)


def test_assertions_evaluate_tensors():
    def test(self):
        self.assertAllEqual(tf.constant([1.0, np.nan]), [1.0, np.nan])
        self.assertAllClose({"x": tf.constant(1.0)}, {"x": np.float32(1.0000001)})
        self.assertAllInRange(tf.constant([1, 2]), 1, 2)
        self.assertAllInSet(tf.constant([1, 2]), {1, 2, 3})
        self.assertDictEqual({"x": np.array([1, 2])}, {"x": np.array([1, 2])})
        with self.assertRaises(AssertionError):
            self.assertAllClose([1.0], [1.1])
        with self.assertRaisesRegex(ValueError, "Can't compare dict to non-dict"):
            self.assertAllClose({"x": 1.0}, 1.0)

    check(test)


def test_messages_are_compared_by_value():
    def test(self):
        event = tf.Event(wall_time=0.1, step=3)
        self.assertProtoEquals("wall_time: 0.1 step: 3", event)
        self.assertProtoEquals("wall_time: 0.10000000001 step: 3", event)
        with self.assertRaises(AssertionError):
            self.assertProtoEquals("wall_time: 0.1 step: 4", event)

    check(test)


def test_each_mode_has_a_default_session():
    def test(self):
        assert tf.get_default_session() is not None
        self.assertEqual(tf.constant(3).eval(), 3)

    check(test, test_util.run_in_graph_and_eager_modes)
    assert outcome(test).failures


def test_tests_of_version_two_are_left_out():
    assert len(outcome(lambda self: None, test_util.run_v2_only).skipped) == 1
    assert not outcome(lambda self: None, test_util.run_v1_only("a reason")).skipped


def test_a_second_test_has_control_flow_of_functions():
    seen = []

    @test_util.with_control_flow_v2
    class Case(tf.test.TestCase):
        def testOne(self):  # noqa: N802
            seen.append(tf.control_flow_v2_enabled())

        @test_util.disable_control_flow_v2("a reason")
        def testOther(self):  # noqa: N802
            seen.append("other")

    unittest.defaultTestLoader.loadTestsFromTestCase(Case).run(unittest.TestResult())
    assert sorted(seen, key=str) == [False, True, "other"]


def test_threads_must_be_joined():
    def test(self):
        self.checkedThread(lambda: None).start()

    assert "not joined" in outcome(test).failures[0][1]


@pytest.mark.parametrize("words, passes", [("negative", True), ("other", False)])
def test_errors_of_runs_have_words(words, passes):
    def test(self):
        with self.cached_session(), self.assertRaisesOpError(words):
            tf.Assert(False, ["negative"]).run()

    assert (not outcome(test).failures) == passes


class PlacedCase(tf.test.TestCase):
    def test_devices_that_are_not_there_do_not_matter(self):
        with tf.device("/cpu:7"):
            value = tf.constant(3)
        with self.session():
            assert self.evaluate(value) == 3
        assert self.evaluate(value) == 3
        with pytest.raises(tf.errors.InvalidArgumentError), self.session(config=tf.ConfigProto()):
            self.evaluate(value)
