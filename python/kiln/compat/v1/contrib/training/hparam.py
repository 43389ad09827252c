"""Hyperparameters: names with typed values, which a command line can change.

tensorflow.contrib.training.python.training.hparam.
"""

import json
import numbers
import re

from kiln.compat.v1._util.deprecation import deprecated
from kiln.compat.v1.compat import as_bytes, as_str

__all__ = ["HParams", "parse_values"]

_MODULE = "tensorflow.contrib.training.python.training.hparam"
# NAME = VALUE, NAME[INDEX] = VALUE or NAME = [VALUE, ...], and the comma behind it.
PARAM_RE = re.compile(
    r"""
    (?P<name>[a-zA-Z][\w\.]*)
    (\[\s*(?P<index>\d+)\s*\])?
    \s*=\s*
    ((?P<val>[^,\[]*) | \[(?P<vals>[^\]]*)\])
    ($|,\s*)""",
    re.VERBOSE,
)


def _unparsed(name, kind, value, values):
    return ValueError(
        f"Could not parse hparam '{name}' of type '{kind.__name__}' with value '{value}' in {values}"
    )


def _assigned_twice(name, values):
    return ValueError(f"Multiple assignments to variable '{name}' in {values}")


def _as_bool(text):
    if text in ("true", "True"):
        return True
    if text in ("false", "False"):
        return False
    return bool(int(text))


def parse_values(values, type_map, ignore_unknown=False):
    """A dict of the values in a text "NAME=VALUE,NAME=[VALUE,VALUE],NAME[INDEX]=VALUE".

    Of a list it has the list, of elements of one a dict from index to value. type_map: a dict
    from names to types; of lists, the type of the elements. ignore_unknown: whether names that
    it does not have are left out.

    Errors: ValueError for what cannot be parsed, unknown names, and two assignments to one.
    Source: tf.contrib.training.parse_values.
    """
    result = {}
    at = 0
    while at < len(values):
        clause = PARAM_RE.match(values, at)
        if not clause:
            raise ValueError(f"Malformed hyperparameter value: {values[at:]}")
        at = clause.end()
        name = clause["name"]
        if name not in type_map:
            if ignore_unknown:
                continue
            raise ValueError(f"Unknown hyperparameter type for {name}")
        _take(clause, name, type_map[name], values, result)
    return result


def _take(clause, name, kind, values, result):
    """Adds the value of one clause to the result."""
    parse = _as_bool if kind is bool else kind

    def parsed(text, of):
        try:
            return parse(text)
        except ValueError:
            raise _unparsed(name, kind, of, values) from None

    index = clause["index"]
    if clause["vals"] is not None:
        if index is not None:
            raise ValueError("Assignment of a list to a list index.")
        if name in result:
            raise _assigned_twice(name, values)
        texts = [text for text in re.split("[ ,]", clause["vals"]) if text]
        result[name] = [parsed(text, clause["vals"]) for text in texts]
        return
    value = parsed(clause["val"], clause["val"])
    if index is None:
        if name in result:
            raise _assigned_twice(name, values)
        result[name] = value
        return
    elements = result.setdefault(name, {})
    if not isinstance(elements, dict):
        raise _assigned_twice(name, values)
    if int(index) in elements:
        raise _assigned_twice(f"{name}[{int(index)}]", values)
    elements[int(index)] = value


def _cast(name, kind, value):
    """A value of a type, if it is of one that loses nothing."""
    if type(value) is kind or issubclass(kind, type(None)):
        return value
    texts = (str, bytes)
    if (
        (issubclass(kind, texts) and not isinstance(value, texts))
        or issubclass(kind, bool) != isinstance(value, bool)
        or (issubclass(kind, numbers.Integral) and not isinstance(value, numbers.Integral))
        or (issubclass(kind, numbers.Number) and not isinstance(value, numbers.Number))
    ):
        raise ValueError(f"Could not cast hparam '{name}' of type '{kind}' from value {value!r}")
    return kind(value)


class HParams:
    """Hyperparameters as attributes; each keeps the type of its first value.

    hparam_def: a HParamDef, in place of values. model_structure: kept for get_model_structure().
    Errors: ValueError for names that the class has itself, and for empty lists. Source:
    tf.contrib.training.HParams.
    """

    _HAS_DYNAMIC_ATTRIBUTES = True

    def __init__(self, hparam_def=None, model_structure=None, **kwargs):
        # From names to (type of the value or of its elements, whether it is a list).
        self._hparam_types = {}
        self._model_structure = model_structure
        if hparam_def:
            if kwargs:
                raise ValueError("hparam_def and initialization values are mutually exclusive")
            kwargs = _values_of(hparam_def)
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def add_hparam(self, name, value):
        """Adds one. Errors: ValueError."""
        if getattr(self, name, None) is not None:
            raise ValueError(f"Hyperparameter name is reserved: {name}")
        is_list = isinstance(value, (list, tuple))
        if is_list and not value:
            raise ValueError(f"Multi-valued hyperparameters cannot be empty: {name}")
        self._hparam_types[name] = (type(value[0] if is_list else value), is_list)
        setattr(self, name, value)

    def set_hparam(self, name, value):
        """Changes one. Errors: KeyError, ValueError for another type."""
        kind, is_list = self._hparam_types[name]
        if isinstance(value, list):
            if not is_list:
                raise ValueError(f"Must not pass a list for single-valued parameter: {name}")
            setattr(self, name, [_cast(name, kind, each) for each in value])
        else:
            if is_list:
                raise ValueError(f"Must pass a list for multi-valued parameter: {name}.")
            setattr(self, name, _cast(name, kind, value))

    def del_hparam(self, name):
        """Removes one, if it is there."""
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def parse(self, values):
        """Changes those in a text, as parse_values() has it; gives the object itself."""
        type_map = {name: kind for name, (kind, _) in self._hparam_types.items()}
        return self.override_from_dict(parse_values(values, type_map))

    def override_from_dict(self, values_dict):
        """Changes those in a dict; gives the object itself."""
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    @deprecated(None, "Use `override_from_dict`.", module=_MODULE)
    def set_from_map(self, values_map):
        """The older name of override_from_dict()."""
        return self.override_from_dict(values_dict=values_map)

    def set_model_structure(self, model_structure):
        self._model_structure = model_structure

    def get_model_structure(self):
        return self._model_structure

    def to_json(self, indent=None, separators=None, sort_keys=False):
        """The values as JSON."""
        return json.dumps(self.values(), indent=indent, separators=separators, sort_keys=sort_keys)

    def parse_json(self, values_json):
        """Changes those in an object of JSON; gives the object itself."""
        return self.override_from_dict(json.loads(values_json))

    def values(self):
        """A dict of names and values."""
        return {name: getattr(self, name) for name in self._hparam_types}

    def get(self, key, default=None):
        """The value, or the default where there is none. Errors: ValueError for a default of
        another type.
        """
        if key not in self._hparam_types:
            return default
        if default is not None:
            kind, is_list = self._hparam_types[key]
            shown = f"list<{kind}>" if is_list else str(kind)
            words = f"Hparam '{key}' of type '{shown}' is incompatible with default={default}"
            if is_list != isinstance(default, list):
                raise ValueError(words)
            try:
                for each in default if is_list else [default]:
                    _cast(key, kind, each)
            except ValueError as error:
                raise ValueError(f"{words}. {error}") from None
        return getattr(self, key)

    def __contains__(self, key):
        return key in self._hparam_types

    def __str__(self):
        return ",".join(f"{name}={value}" for name, value in self.values().items())

    def __repr__(self):
        return f"{type(self).__name__}({sorted(self.values().items())})"

    @staticmethod
    def _get_kind_name(param_type, is_list):
        """The field of a HParamType for values of a type. Errors: ValueError."""
        # bool first: it is an int.
        for kinds, word in ((bool, "bool"), (int, "int64"), ((str, bytes), "bytes"), (float, "float")):
            if issubclass(param_type, kinds):
                return f"{word}_{'list' if is_list else 'value'}"
        raise ValueError(f"Unsupported parameter type: {param_type}")

    def to_proto(self, export_scope=None):
        """A HParamDef. Errors: ValueError for values that it cannot hold."""
        from kiln.compat.v1 import _messages

        message = _messages.HParamDef()
        for name, (kind, is_list) in self._hparam_types.items():
            field = self._get_kind_name(kind, is_list)
            value = getattr(self, name)
            if field.startswith("bytes"):
                value = [as_bytes(each) for each in value] if is_list else as_bytes(value)
            if is_list:
                getattr(message.hparam[name], field).value.extend(value)
            else:
                setattr(message.hparam[name], field, value)
        return message

    @staticmethod
    def from_proto(hparam_def, import_scope=None):
        """Those of a HParamDef."""
        return HParams(hparam_def=hparam_def)


def _values_of(hparam_def):
    """A dict of the values of a HParamDef."""
    assert type(hparam_def).__name__ == "HParamDef"
    result = {}
    for name, value in hparam_def.hparam.items():
        field = value.WhichOneof("kind")
        found = getattr(value, field)
        found = list(found.value) if field.endswith("_list") else found
        if field.startswith("bytes"):
            found = [as_str(each) for each in found] if isinstance(found, list) else as_str(found)
        result[name] = found
    return result
