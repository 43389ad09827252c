"""Assertions on arrays, tensors, messages and errors."""

import contextlib
import math
import re

import numpy as np

import kiln
from kiln.compat.v1._elements import Tensor
from kiln.compat.v1._variables import Variable


class Assertions:
    """What tf.test.TestCase adds to unittest's assertions. Tensors are evaluated first."""

    # Values.

    def _array(self, value):
        if isinstance(value, (Tensor, Variable)):
            value = self.evaluate(value)
        return value if isinstance(value, np.ndarray) else np.array(value)

    def assertAllEqual(self, a, b, msg=None):  # noqa: N802
        a, b = self._array(a), self._array(b)
        if b.ndim <= 3 or b.size < 500:
            self.assertEqual(a.shape, b.shape, f"Shape mismatch: expected {a.shape}, got {b.shape}. {msg or ''}")
        same = a == b
        if a.dtype.kind in "fc" or str(a.dtype) == "bfloat16":
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

    def _close(self, a, b, rtol, atol, msg):
        a, b = self._array(a), self._array(b)
        if b.size <= 10 or a.shape != b.shape:
            self.assertEqual(a.shape, b.shape, f"Shape mismatch: expected {a.shape}, got {b.shape}. {msg or ''}")
        np.testing.assert_allclose(a, b, rtol=rtol, atol=atol, err_msg=msg or "", equal_nan=True)

    def _close_structure(self, a, b, rtol, atol, msg, path):
        if hasattr(a, "_asdict"):
            a = a._asdict()
        if hasattr(b, "_asdict"):
            b = b._asdict()
        where = f"in {path}: {msg or ''}" if path else msg
        if isinstance(a, dict) or isinstance(b, dict):
            if not (isinstance(a, dict) and isinstance(b, dict)):
                raise ValueError(f"Can't compare dict to non-dict, {where}")
            self.assertCountEqual(a.keys(), b.keys(), where)
            for key in a:
                self._close_structure(a[key], b[key], rtol, atol, msg, f"{path}[{key!r}]")
        elif isinstance(a, (list, tuple)):
            try:
                self._close(a, b, rtol, atol, where)
            except (ValueError, TypeError, NotImplementedError):
                self.assertEqual(len(a), len(b), where)
                for i, (left, right) in enumerate(zip(a, b)):
                    self._close_structure(left, right, rtol, atol, msg, f"{path}[{i}]")
        else:
            self._close(a, b, rtol, atol, where)

    def assertAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None):  # noqa: N802
        """Arrays, or structures of them, with |a - b| <= atol + rtol * |b|."""
        self._close_structure(a, b, rtol, atol, msg, "")

    def assertAllCloseAccordingToType(  # noqa: N802
        self, a, b, rtol=1e-6, atol=1e-6, float_rtol=1e-6, float_atol=1e-6, half_rtol=1e-3, half_atol=1e-3,
        bfloat16_rtol=1e-2, bfloat16_atol=1e-2, msg=None,
    ):  # fmt: skip
        a, b = self._array(a), self._array(b)
        kinds = {str(a.dtype), str(b.dtype)}
        if kinds & {"float32", "complex64"}:
            rtol, atol = max(rtol, float_rtol), max(atol, float_atol)
        if "float16" in kinds:
            rtol, atol = max(rtol, half_rtol), max(atol, half_atol)
        if "bfloat16" in kinds:
            rtol, atol = max(rtol, bfloat16_rtol), max(atol, bfloat16_atol)
        self._close_structure(a, b, rtol, atol, msg, "")

    def assertNotAllClose(self, a, b, **kwargs):  # noqa: N802
        try:
            self.assertAllClose(a, b, **kwargs)
        except AssertionError:
            return
        self.fail("The two values are close at all elements.")

    def _all(self, holds, words):
        if not np.all(holds):
            self.fail(words)

    def assertAllGreater(self, a, comparison_target):  # noqa: N802
        self._all(self._array(a) > comparison_target, f"not all are above {comparison_target}: {a}")

    def assertAllLess(self, a, comparison_target):  # noqa: N802
        self._all(self._array(a) < comparison_target, f"not all are below {comparison_target}: {a}")

    def assertAllGreaterEqual(self, a, comparison_target):  # noqa: N802
        self._all(self._array(a) >= comparison_target, f"not all are at least {comparison_target}: {a}")

    def assertAllLessEqual(self, a, comparison_target):  # noqa: N802
        self._all(self._array(a) <= comparison_target, f"not all are at most {comparison_target}: {a}")

    def assertAllInRange(  # noqa: N802
        self, target, lower_bound, upper_bound, open_lower_bound=False, open_upper_bound=False
    ):
        target = self._array(target)
        low = target > lower_bound if open_lower_bound else target >= lower_bound
        high = target < upper_bound if open_upper_bound else target <= upper_bound
        self._all(np.logical_and(low, high), f"not all lie between {lower_bound} and {upper_bound}: {target}")

    def assertAllInSet(self, target, expected_set):  # noqa: N802
        self.assertLessEqual(set(np.unique(self._array(target)).tolist()), set(expected_set))

    def assertNear(self, f1, f2, err, msg=None):  # noqa: N802
        self.assertTrue(f1 == f2 or math.fabs(f1 - f2) <= err, f"{f1} != {f2} +/- {err} {msg or ''}")

    def assertArrayNear(self, farray1, farray2, err, msg=None):  # noqa: N802
        self.assertEqual(len(farray1), len(farray2), msg)
        for f1, f2 in zip(farray1, farray2):
            self.assertNear(float(f1), float(f2), err, msg)

    def assertNDArrayNear(self, ndarray1, ndarray2, err, msg=None):  # noqa: N802
        self.assertTrue(np.linalg.norm(np.subtract(ndarray1, ndarray2)) < err, msg)

    # Tensors and messages.

    def assertShapeEqual(self, np_array, tf_tensor, msg=None):  # noqa: N802
        if not isinstance(np_array, (np.ndarray, np.generic)):
            raise TypeError("np_array must be a Numpy ndarray or Numpy scalar")
        self.assertAllEqual(list(np_array.shape), tf_tensor.get_shape().as_list(), msg)

    def assertDTypeEqual(self, target, expected_dtype):  # noqa: N802
        if isinstance(target, list):
            for each in target:
                self.assertDTypeEqual(each, expected_dtype)
            return
        dtype = target.dtype if hasattr(target, "dtype") else np.array(target).dtype
        self.assertEqual(dtype, expected_dtype)

    def assertDeviceEqual(self, device1, device2, msg=None):  # noqa: N802
        device1, device2 = (device.to_string() if hasattr(device, "to_string") else device for device in (device1, device2))
        self.assertEqual(device1 or "", device2 or "", msg)

    def assertProtoEquals(self, expected_message_maybe_ascii, message, msg=None):  # noqa: N802
        """The message, or the text of one."""
        expected = expected_message_maybe_ascii
        if isinstance(expected, (str, bytes)):
            from google.protobuf import text_format

            expected = text_format.Parse(expected, type(message)())
        self.assertEqual(type(expected).__name__, type(message).__name__, msg)
        self.assertMultiLineEqual(str(expected), str(message), msg)

    _AssertProtoEquals = assertProtoEquals

    def assertProtoEqualsVersion(  # noqa: N802
        self, expected, actual, producer=None, min_consumer=0, msg=None
    ):
        from google.protobuf import text_format

        wanted, got = type(actual)(), type(actual)()
        if isinstance(expected, str):
            text_format.Parse(expected, wanted)
        else:
            wanted.CopyFrom(expected)
        got.CopyFrom(actual)
        wanted.ClearField("versions")
        got.ClearField("versions")
        self.assertProtoEquals(wanted, got, msg)

    def assertStartsWith(self, actual, expected_start, msg=None):  # noqa: N802
        if not actual.startswith(expected_start):
            self.fail(f"{actual!r} does not start with {expected_start!r} {msg or ''}")

    def assertEmpty(self, container, msg=None):  # noqa: N802
        self.assertEqual(len(container), 0, msg)

    def assertNotEmpty(self, container, msg=None):  # noqa: N802
        self.assertNotEqual(len(container), 0, msg)

    def assertLen(self, container, expected_len, msg=None):  # noqa: N802
        self.assertEqual(len(container), expected_len, msg)

    def assertItemsEqual(self, first, second, msg=None):  # noqa: N802
        self.assertCountEqual(first, second, msg)

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
                if operation is not None:
                    text += "\nCaused by op: " + operation.name
                return re.search(pattern, text)

        try:
            yield
        except exception_type as error:
            if not predicate(error):
                raise AssertionError(f"Exception of type {type(error)}: {error}") from error
        else:
            self.fail(f"{exception_type.__name__} not raised")

    def assertRaisesOpError(self, expected_err_re_or_predicate):  # noqa: N802
        return self.assertRaisesWithPredicateMatch(kiln.errors.OpError, expected_err_re_or_predicate)

    def assertRaisesIncompatibleShapesError(  # noqa: N802
        self, exception_type=kiln.errors.InvalidArgumentError
    ):
        return self.assertRaisesWithPredicateMatch(exception_type, r"Incompatible shapes|must be equal")
