"""tf.make_template: a function whose calls share their variables."""

import functools
import traceback

from kiln.compat.v1._graph import get_default_graph
from kiln.compat.v1._keys import GraphKeys
from kiln.compat.v1._variable_scope import variable_scope

__all__ = ["make_template"]


def make_template(
    name_, func_, create_scope_now_=False, unique_name_=None, custom_getter_=None, **kwargs
):
    """Wraps a function so that its first call makes variables, which further calls use again.

    name_: of its variable scope, made unique. unique_name_: a name that is taken as it is.
    create_scope_now_: whether the scope is opened here or by the first call. kwargs: arguments of
    func_ that every call has. Errors: ValueError for a later call that makes variables that are
    trained. Source: tf.make_template.
    """
    if kwargs:
        func_ = functools.partial(func_, **kwargs)
    return Template(name_, func_, create_scope_now_, unique_name_, custom_getter_)


class Template:
    """A function whose calls share their variables. Source: tf's ops.template.Template."""

    def __init__(self, name, func, create_scope_now=False, unique_name=None, custom_getter=None):
        if name is None:
            raise ValueError("name cannot be None.")
        self._func, self._name, self._unique_name = func, name, unique_name
        self._custom_getter = custom_getter
        self._stack = traceback.extract_stack()[:-2]
        self._variable_scope, self._is_first_call, self._variables_created = None, True, False
        if create_scope_now:
            with self._opened(auxiliary_name_scope=False) as scope:
                self._variable_scope = scope

    def _opened(self, **options):
        return variable_scope(
            self._unique_name, self._name, custom_getter=self._custom_getter, **options
        )

    def __call__(self, *args, **kwargs):
        if self._variable_scope is None:
            with self._opened() as self._variable_scope:
                self._is_first_call = False
                return self._called(args, kwargs)
        with variable_scope(self._variable_scope, reuse=not self._is_first_call):
            self._is_first_call = False
            return self._called(args, kwargs)

    def _called(self, args, kwargs):
        before = _counts()
        try:
            result = self._func(*args, **kwargs)
            if self._variables_created:
                self._check_unchanged(before)
            self._variables_created = True
            return result
        except Exception as error:
            text = error.args[0] if error.args else ""
            stack = "".join(traceback.format_list(self._stack))
            error.args = (f"{text}\n\noriginally defined at:\n{stack}", *error.args[1:])
            raise

    def _check_unchanged(self, before):
        trained, all_of_them = _counts()
        made = "New variables created when calling a template after the first time, perhaps you used "
        if trained != before[0]:
            new = get_default_graph().get_collection(GraphKeys.TRAINABLE_VARIABLES)[before[0] :]
            raise ValueError(f"{made}tf.Variable when you meant tf.get_variable: {new}")
        if all_of_them != before[1]:
            from kiln.compat.v1 import logging

            new = get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES)[before[1] :]
            logging.info("%stf.Variable when you meant tf.get_variable: %s", made, new)

    name = property(lambda self: self._name)
    func = property(lambda self: self._func)

    @property
    def variable_scope(self):
        """The scope of its variables, None before the first call where that opens it."""
        return self._variable_scope

    var_scope = variable_scope

    @property
    def variable_scope_name(self):
        """The name of the scope with a slash, as variables' names begin."""
        if self._variable_scope is None:
            return None
        name = self._variable_scope.name
        return name if not name or name.endswith("/") else name + "/"

    def _collected(self, key):
        return get_default_graph().get_collection(key, scope=self.variable_scope_name)

    @property
    def global_variables(self):
        return self._collected(GraphKeys.GLOBAL_VARIABLES) if self._variables_created else []

    @property
    def local_variables(self):
        return self._collected(GraphKeys.LOCAL_VARIABLES) if self._variables_created else []

    @property
    def trainable_variables(self):
        return self._collected(GraphKeys.TRAINABLE_VARIABLES) if self._variables_created else []

    @property
    def variables(self):
        """The global variables and the local ones."""
        return self.global_variables + self.local_variables

    @property
    def non_trainable_variables(self):
        trained = {id(variable) for variable in self.trainable_variables}
        return [variable for variable in self.variables if id(variable) not in trained]

    weights = variables
    trainable_weights = trainable_variables
    non_trainable_weights = non_trainable_variables


def _counts():
    """How many trained variables there are, and how many global ones."""
    keys = (GraphKeys.TRAINABLE_VARIABLES, GraphKeys.GLOBAL_VARIABLES)
    return tuple(len(get_default_graph().get_collection(key)) for key in keys)
