"""tf.errors: constructors, codes and what str() says."""

import inspect
import pickle
import types

import pytest

import kiln
from kiln.compat.v1 import errors


def test_the_classes_are_those_of_kiln():
    assert errors.OpError is kiln.errors.OpError
    for code, cls in kiln.errors.BY_CODE.items():
        assert getattr(errors, cls.__name__) is cls and cls.__bases__ == (errors.OpError,)
        assert errors.exception_type_from_error_code(code) is cls
        assert errors.error_code_from_exception_type(cls) == code
    for name in errors.__all__:
        assert hasattr(errors, name)


def test_tensorflows_constructor():
    error = errors.NotFoundError(None, None, "it is gone")
    assert (error.node_def, error.op, error.message, error.error_code) == (
        None,
        None,
        "it is gone",
        5,
    )
    assert str(error) == "it is gone" and error.args == () and error.node is None
    error = errors.InvalidArgumentError(node_def="def", op=None, message="bad")
    assert error.node_def == "def"
    assert errors.OpError(None, None, "any", errors.ABORTED).error_code == errors.ABORTED == 10
    assert errors.UnknownError(None, None, "any", 77).error_code == 77


def test_signatures_are_tensorflows():
    def names(cls):
        return list(inspect.signature(cls.__init__).parameters)

    assert names(errors.OpError) == ["self", "node_def", "op", "message", "error_code"]
    assert names(errors.DataLossError) == ["self", "node_def", "op", "message"]
    assert inspect.signature(errors.UnknownError.__init__).parameters["error_code"].default == 2


def test_an_error_with_an_operation_says_where_it_was_made():
    inner = types.SimpleNamespace(
        name="y", traceback=[("a.py", 3, "main", "y = f()")], _original_op=None
    )
    outer = types.SimpleNamespace(
        name="grad", traceback=[("b.py", 5, "train", "g = g()")], _original_op=inner
    )
    error = errors.InternalError(None, outer, "it failed")
    assert error.op is outer and error.node == "grad"
    assert str(error) == (
        "it failed\n\nOriginal stack trace for 'grad':\n"
        '  File "b.py", line 5, in train\n    g = g()\n'
        "\n...which was originally created as op 'y', defined at:\n"
        '  File "a.py", line 3, in main\n    y = f()\n'
    )


def test_both_forms_are_pickled():
    for error in (
        errors.AbortedError(None, None, "x"),
        errors.AbortedError("x", "node"),
        errors.UnknownError(None, None, "x", 9),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert (
            type(again) is type(error)
            and again.__dict__ == error.__dict__
            and again.args == error.args
        )


def test_a_class_of_the_programs():
    class Mine(errors.OutOfRangeError):
        def __init__(self, left):
            super().__init__(None, None, f"{left} left")

    with pytest.raises(errors.OutOfRangeError, match="3 left") as caught:
        raise Mine(3)
    assert caught.value.error_code == errors.OUT_OF_RANGE


def test_what_is_no_class_of_these():
    with pytest.warns(UserWarning, match="Unknown class exception"):
        assert isinstance(errors.error_code_from_exception_type(ValueError), errors.UnknownError)
    with pytest.raises(KeyError):
        errors.exception_type_from_error_code(errors.OK)


def test_a_status_that_is_set():
    with errors.raise_exception_on_not_ok_status() as status:
        pass
    with pytest.raises(errors.NotFoundError, match="nothing"):
        with errors.raise_exception_on_not_ok_status() as status:
            status.set(errors.NOT_FOUND, "nothing")
    with pytest.raises(ValueError):
        with errors.raise_exception_on_not_ok_status():
            raise ValueError
