"""Assertions on arrays, tensors, messages and errors."""

import contextlib
import math
import re
import unittest
from collections import abc

import numpy as np
from google.protobuf import text_format

import kiln
from kiln.compat.v1._device_spec import DeviceSpec
from kiln.compat.v1._elements import Tensor
from kiln.compat.v1._modes import is_tensor
from kiln.compat.v1.version import GRAPH_DEF_VERSION, GRAPH_DEF_VERSION_MIN_CONSUMER


def is_ragged(value):
    """Whether it is a ragged tensor or its value."""
    return hasattr(value, "ragged_rank") and hasattr(value, "row_splits")


class Assertions:
    """What tf.test.TestCase adds to unittest's assertions. Tensors are evaluated first."""

    # Values.

    def _GetNdArray(self, a):  # noqa: N802, TensorFlow's name
        """An array of a value, a tensor or a variable."""
        if is_tensor(a):
            a = self.evaluate(a)
        if isinstance(a, np.ndarray):
            return a
        try:
            return np.array(a)
        except ValueError as error:
            if "inhomogeneous shape" not in str(error):
                raise
            return np.array(a, dtype=object)

    def evaluate_if_both_tensors(self, a, b):
        """Both values by one run where both are tensors; otherwise as they are."""
        return self.evaluate((a, b)) if is_tensor(a) and is_tensor(b) else (a, b)

    def _arrays(self, a, b):
        a, b = self.evaluate_if_both_tensors(a, b)
        return self._GetNdArray(a), self._GetNdArray(b)

    def _assert_same_shape(self, a, b, msg):
        contents = f" Contents: {b!r}." if b.ndim <= 3 or b.size < 500 else ""
        self.assertEqual(a.shape, b.shape, f"Shape mismatch: expected {a.shape}, got {b.shape}.{contents} {msg or ''}")

    def assertAllEqual(self, a, b, msg=None):  # noqa: N802
        """Equal shapes and elements; NaN is equal to NaN."""
        if is_ragged(a) or is_ragged(b):
            return self._assert_ragged_equal(a, b, msg)
        a, b = self._arrays(a, b)
        self._assert_same_shape(a, b, msg)
        same = a == b
        if a.dtype.kind == "f" or str(a.dtype) == "bfloat16":
            same = np.logical_or(same, np.logical_and(np.isnan(a), np.isnan(b)))
        if not np.all(same):
            places = np.argwhere(np.logical_not(same))[:5].tolist()
            self.fail(f"{msg or ''} not equal at {places}: {a!r} and {b!r}")

    def assertNotAllEqual(self, a, b, msg=None):  # noqa: N802
        try:
            self.assertAllEqual(a, b)
        except AssertionError:
            return
        self.fail(f"The two values are equal at all elements. {msg or ''}")

    def _assert_arrays_close(self, a, b, rtol, atol, msg):
        a, b = self._arrays(a, b)
        self._assert_same_shape(a, b, msg)
        narrow = [each.astype(np.float32) if each.dtype.kind == "V" or each.dtype.name in _NARROW else each for each in (a, b)]
        if not np.allclose(*narrow, rtol=rtol, atol=atol):
            np.testing.assert_allclose(*narrow, rtol=rtol, atol=atol, err_msg=msg or "", equal_nan=True)

    def _assert_structures_close(self, a, b, rtol, atol, msg, path):
        if is_ragged(a) or is_ragged(b):
            return self._assert_ragged_close(a, b, rtol, atol, msg)
        a = a._asdict() if hasattr(a, "_asdict") else a
        b = b._asdict() if hasattr(b, "_asdict") else b
        where = f"Mismatched value: a{path} is different from b{path}. {msg or ''}"
        if isinstance(a, abc.Mapping) != isinstance(b, abc.Mapping):
            raise ValueError(f"Can't compare dict to non-dict, a{path} vs b{path}. {msg or ''}")
        if isinstance(a, abc.Mapping):
            self.assertCountEqual(a.keys(), b.keys(), f"mismatched keys: a{path} and b{path}. {msg or ''}")
            for key in a:
                self._assert_structures_close(a[key], b[key], rtol, atol, msg, f"{path}[{key}]")
        elif isinstance(a, (list, tuple)):
            try:
                self._assert_arrays_close(a, b, rtol, atol, where)
            except (ValueError, TypeError, NotImplementedError):
                if len(a) != len(b):
                    raise ValueError(
                        f"Mismatched length: a{path} has {len(a)} items, but b{path} has {len(b)} items. {msg or ''}"
                    ) from None
                for i, (left, right) in enumerate(zip(a, b)):
                    self._assert_structures_close(left, right, rtol, atol, msg, f"{path}[{i}]")
        else:
            self._assert_arrays_close(a, b, rtol, atol, where)

    def assertAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None):  # noqa: N802
        """Arrays, or structures of them, with |a - b| <= atol + rtol * |b|."""
        self._assert_structures_close(a, b, rtol, atol, msg, "")

    def assertAllCloseAccordingToType(  # noqa: N802
        self, a, b, rtol=1e-6, atol=1e-6, float_rtol=1e-6, float_atol=1e-6, half_rtol=1e-3, half_atol=1e-3,
        bfloat16_rtol=1e-2, bfloat16_atol=1e-2, msg=None,
    ):  # fmt: skip
        a, b = self._arrays(a, b)
        kinds = {str(a.dtype), str(b.dtype)}
        if kinds & {"float32", "complex64"}:
            rtol, atol = max(rtol, float_rtol), max(atol, float_atol)
        if "float16" in kinds:
            rtol, atol = max(rtol, half_rtol), max(atol, half_atol)
        if "bfloat16" in kinds:
            rtol, atol = max(rtol, bfloat16_rtol), max(atol, bfloat16_atol)
        self.assertAllClose(a, b, rtol, atol, msg)

    def assertNotAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None):  # noqa: N802
        try:
            self.assertAllClose(a, b, rtol, atol)
        except AssertionError:
            return
        self.fail(f"The two values are close at all elements. {msg or ''}")

    # Ragged values, as nested lists.

    def _nested_list(self, a):
        if isinstance(a, Tensor) or is_ragged(a) and not hasattr(a, "to_list"):
            a = self.evaluate(a)
        if hasattr(a, "to_list"):
            a = a.to_list() if not hasattr(a, "op") else self.evaluate(a).to_list()
        return a.tolist() if isinstance(a, np.ndarray) else np.array(a, dtype=object).tolist()

    def _assert_ragged_ranks(self, a, b, msg):
        if not isinstance(a, (list, tuple)) and not isinstance(b, (list, tuple)):
            self.assertEqual(getattr(a, "ragged_rank", 0), getattr(b, "ragged_rank", 0), msg)

    def _assert_ragged_equal(self, a, b, msg):
        self.assertEqual(self._nested_list(a), self._nested_list(b), msg)
        self._assert_ragged_ranks(a, b, msg)

    def _assert_ragged_close(self, a, b, rtol, atol, msg):
        self._assert_lists_close(self._nested_list(a), self._nested_list(b), rtol, atol, msg, "value")
        self._assert_ragged_ranks(a, b, msg)

    def _assert_lists_close(self, a, b, rtol, atol, msg, path):
        self.assertEqual(type(a), type(b))
        if not isinstance(a, (list, tuple)):
            return self._assert_structures_close(a, b, rtol, atol, msg, path)
        self.assertEqual(len(a), len(b), f"Length differs for {path}")
        for i, (left, right) in enumerate(zip(a, b)):
            self._assert_lists_close(left, right, rtol, atol, msg, f"{path}[{i}]")

    # Ranges.

    def _assert_all(self, holds, words):
        if not np.all(holds):
            self.fail(words)

    def assertAllGreater(self, a, comparison_target):  # noqa: N802
        self._assert_all(self._GetNdArray(a) > comparison_target, f"not all are above {comparison_target}: {a}")

    def assertAllLess(self, a, comparison_target):  # noqa: N802
        self._assert_all(self._GetNdArray(a) < comparison_target, f"not all are below {comparison_target}: {a}")

    def assertAllGreaterEqual(self, a, comparison_target):  # noqa: N802
        self._assert_all(self._GetNdArray(a) >= comparison_target, f"not all are at least {comparison_target}: {a}")

    def assertAllLessEqual(self, a, comparison_target):  # noqa: N802
        self._assert_all(self._GetNdArray(a) <= comparison_target, f"not all are at most {comparison_target}: {a}")

    def assertAllInRange(  # noqa: N802
        self, target, lower_bound, upper_bound, open_lower_bound=False, open_upper_bound=False
    ):
        """Numbers between two bounds, each of which belongs to the range unless it is open."""
        target = self._GetNdArray(target)
        if target.dtype.kind not in "fiu":
            raise AssertionError(
                f"The value of {target} does not have an ordered numeric type, instead it has type: {target.dtype}"
            )
        self._assert_all(np.logical_not(np.isnan(target)), f"some elements are NaN: {target}")
        low = target > lower_bound if open_lower_bound else target >= lower_bound
        high = target < upper_bound if open_upper_bound else target <= upper_bound
        self._assert_all(np.logical_and(low, high), f"not all lie between {lower_bound} and {upper_bound}: {target}")

    def assertAllInSet(self, target, expected_set):  # noqa: N802
        others = np.setdiff1d(self._GetNdArray(target).ravel(), list(expected_set))
        if others.size:
            raise AssertionError(f"{others.size} unique element(s) are not in the set {expected_set}: {others}")

    def assertNear(self, f1, f2, err, msg=None):  # noqa: N802
        f1, f2 = np.squeeze(f1), np.squeeze(f2)
        self.assertTrue(f1 == f2 or math.fabs(f1 - f2) <= err, f"{f1} != {f2} +/- {err} {msg or ''}")

    def assertArrayNear(self, farray1, farray2, err, msg=None):  # noqa: N802
        self.assertEqual(len(farray1), len(farray2), msg)
        for f1, f2 in zip(farray1, farray2):
            self.assertNear(float(f1), float(f2), err, msg)

    def assertNDArrayNear(self, ndarray1, ndarray2, err, msg=None):  # noqa: N802
        self.assertTrue(np.linalg.norm(np.subtract(ndarray1, ndarray2)) < err, msg)

    def assertDictEqual(self, a, b, msg=None):  # noqa: N802
        """Equal dicts, or dicts of equal arrays; floating ones need but be close."""
        try:
            super().assertDictEqual(a, b, msg)
        except Exception:  # noqa: BLE001, arrays are not compared by ==
            self.assertEqual(set(a.keys()), set(b.keys()), msg)
            for key in a:
                compare = self.assertAllClose if self._GetNdArray(a[key]).dtype.kind == "f" else self.assertAllEqual
                compare(a[key], b[key], msg=key)

    # Tensors and messages.

    def assertShapeEqual(self, input_a, input_b, msg=None):  # noqa: N802
        """Equal shapes of arrays, and of tensors as far as they are known."""
        for name, given in (("input_a", input_a), ("input_b", input_b)):
            if not isinstance(given, (np.ndarray, np.generic, Tensor)):
                raise TypeError(f"{name} must be a Numpy ndarray, Numpy scalar, or a Tensor. Instead received {type(given)}")
        shapes = [
            each.get_shape().as_list() if isinstance(each, Tensor) else list(each.shape) for each in (input_a, input_b)
        ]
        self.assertAllEqual(*shapes, msg=msg)

    def assertDTypeEqual(self, target, expected_dtype):  # noqa: N802
        self.assertEqual(self._GetNdArray(target).dtype, expected_dtype)

    def assertDeviceEqual(self, device1, device2, msg=None):  # noqa: N802
        """The same device, however its parts are ordered."""
        first, second = _canonical_device(device1), _canonical_device(device2)
        self.assertEqual(first, second, f"Devices {first} and {second} are not equal. {msg or ''}")

    def assertProtoEquals(  # noqa: N802
        self, expected_message_maybe_ascii, validate_message, msg=None, relative_tolerance=None
    ):
        """A message equal to another one or to what a text says; floats to six digits."""
        expected = expected_message_maybe_ascii
        if isinstance(expected, (str, bytes)):
            expected = text_format.Merge(expected, type(validate_message)())
        elif not isinstance(expected, type(validate_message)):
            raise AssertionError(f"Can't compare protos of type {type(expected)} and {type(validate_message)}.")
        self._AssertProtoEquals(expected, validate_message, msg, relative_tolerance)

    def _AssertProtoEquals(self, a, b, msg=None, relative_tolerance=None):  # noqa: N802
        if a == b:
            return
        texts = [_rounded_text(each) for each in (a, b)]
        if relative_tolerance is not None and _texts_are_close(*texts, relative_tolerance):
            return
        self.assertMultiLineEqual(*texts, msg)

    def assertProtoEqualsVersion(  # noqa: N802
        self, expected, actual, producer=GRAPH_DEF_VERSION, min_consumer=GRAPH_DEF_VERSION_MIN_CONSUMER, msg=None
    ):
        """assertProtoEquals() of a GraphDef whose text does not say its versions."""
        versions = f"versions {{ producer: {producer} min_consumer: {min_consumer} }};\n"
        self.assertProtoEquals(versions + expected, actual, msg)

    def assertStartsWith(self, actual, expected_start, msg=None):  # noqa: N802
        if not actual.startswith(expected_start):
            self.fail(f"{actual!r} does not start with {expected_start!r} {msg or ''}")

    assertItemsEqual = unittest.TestCase.assertCountEqual  # noqa: N815
    assertRaisesRegexp = unittest.TestCase.assertRaisesRegex  # noqa: N815, Python 3.12 has it no longer

    # Errors.

    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(self, exception_type, expected_err_re_or_predicate):  # noqa: N802
        """An exception whose text fits a pattern, or of which a function is true."""
        predicate = expected_err_re_or_predicate
        if not callable(predicate):
            pattern = expected_err_re_or_predicate

            def predicate(error):
                text = error.message if isinstance(error, kiln.errors.OpError) else str(error)
                operation = getattr(error, "op", None)
                while operation is not None:
                    text += "\nCaused by: " + operation.name
                    operation = getattr(operation, "_original_op", None)
                return re.search(pattern, text)

        try:
            yield
            self.fail(f"{exception_type.__name__} not raised")
        except Exception as error:  # noqa: BLE001, any other one is the test's failure
            if not isinstance(error, exception_type) or not predicate(error):
                raise AssertionError(f"Exception of type {type(error)}: {error}") from error

    def assertRaisesOpError(self, expected_err_re_or_predicate):  # noqa: N802
        return self.assertRaisesWithPredicateMatch(kiln.errors.OpError, expected_err_re_or_predicate)

    def assertRaisesIncompatibleShapesError(  # noqa: N802
        self, exception_type=kiln.errors.InvalidArgumentError
    ):
        words = r"Incompatible shapes|Dimensions must be equal|required broadcastable shapes"
        return self.assertRaisesWithPredicateMatch(exception_type, words)


def _canonical_device(device):
    if device is None:
        return ""
    return (DeviceSpec.from_string(device) if isinstance(device, str) else device).to_string()


_NARROW = {"bfloat16", "float8_e5m2", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz"}
_NUMBER = re.compile(r"(?<=: )-?[0-9.]+(?:e[-+]?\d+)?$", re.MULTILINE)


def _rounded_text(message):
    """The text of a message with numbers to six digits behind the point."""

    def rounded(found):
        number = found.group()
        return str(round(float(number), 6)) if re.search("[.e]", number) else number

    return _NUMBER.sub(rounded, text_format.MessageToString(message))


def _texts_are_close(a, b, relative_tolerance):
    """Whether two texts differ in numbers alone, which are close."""
    if _NUMBER.sub("", a) != _NUMBER.sub("", b):
        return False
    numbers = [[float(number) for number in _NUMBER.findall(text)] for text in (a, b)]
    return np.allclose(*numbers, rtol=relative_tolerance, atol=0)
