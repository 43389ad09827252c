"""tf.contrib.framework.arg_scope."""

import pytest

from kiln.compat.v1.contrib.framework import _arg_scope as scopes


@scopes.add_arg_scope
def first(*args, **kwargs):
    return args, kwargs


@scopes.add_arg_scope
def second(value, a=1, b=None, *, c=3):
    """A second one."""
    local = (value, a, b, c)
    return local


def test_arguments_come_from_the_scopes():
    with scopes.arg_scope([first, second], a=2):
        assert first(0) == ((0,), {"a": 2}) and second(0) == (0, 2, None, 3)
        with scopes.arg_scope([first], b=[5], a=7):
            assert first(a=4) == ((), {"a": 4, "b": [5]}) and second(0) == (0, 2, None, 3)
        assert first() == ((), {"a": 2})
    assert first() == ((), {}) and scopes.current_arg_scope() == {}


def test_a_scope_is_entered_again():
    with scopes.arg_scope([first], a=2), scopes.arg_scope([second], b=4) as kept:
        pass
    with scopes.arg_scope([first], c=8), scopes.arg_scope(kept):
        assert first() == ((), {"a": 2}) and second(1) == (1, 1, 4, 3)
    with scopes.arg_scope(kept), scopes.arg_scope([second], b=5):
        assert second(1) == (1, 1, 5, 3)
    assert kept[scopes.arg_scope_func_key(second)] == {"b": 4}


def test_a_scope_ends_with_an_error():
    with pytest.raises(KeyError), scopes.arg_scope([first], a=2):
        raise KeyError
    assert scopes.current_arg_scope() == {}


def test_what_may_have_arguments():
    assert scopes.has_arg_scope(first) and not scopes.has_arg_scope(print)
    assert scopes.arg_scoped_arguments(second) == ("a", "b")
    assert second.__name__ == "second" and second.__doc__ == "A second one."


def test_wrong_scopes():
    with pytest.raises(TypeError, match="must either be a list/tuple or reused"), scopes.arg_scope(3):
        pass
    with pytest.raises(ValueError, match="kwargs must be empty"), scopes.arg_scope({}, a=1):
        pass
    with pytest.raises(ValueError) as caught, scopes.arg_scope([test_wrong_scopes], a=1):
        pass
    assert caught.value.args[0] == "%s is not decorated with @add_arg_scope"
