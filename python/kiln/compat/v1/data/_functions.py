"""Functions of pipelines: what map, filter and their kin call for each element."""

from kiln._kiln import front as _c
from kiln.compat.v1._convert import convert_to_tensor
from kiln.compat.v1.data._elements import Spec, flatten, tensors_of


class PipelineFunction:
    """A function of the graph's library that is made of a Python function of elements.

    f: its name as an attribute of a node; captured: what it uses of the graph around, which the
    node is given; spec: of what it gives, None where that is a dataset, which `dataset` is then
    (only its spec may be used).
    """

    def __init__(self, function, spec, name, state=None):
        """state: the Spec of what comes before an element, which the results begin with, too."""
        given = []
        specs = [spec] if state is None else [state, spec]

        def body(values):
            given.clear()
            values = list(values)
            parts = []
            for each in specs:
                parts.append(each.element(values[: len(each.types)]))
                del values[: len(each.types)]
            results = function(*parts) if state is not None else call(function, parts[0])
            given.append(results)
            if hasattr(results, "_variant"):
                return [results._variant]
            given[0] = tensors_of(results)
            return flatten(given[0])

        types = [dtype for each in specs for dtype in each.types]
        shapes = [shape for each in specs for shape in each.shapes]
        defined = _c.define_function(f"Dataset_{name}_{_name_of(function)}", types, [], shapes, body)
        self.f, self.captured = _c.function_name(defined), _c.function_captures(defined)
        self.dataset = given[0] if hasattr(given[0], "_variant") else None
        self.results = given[0]
        self.spec = None if self.dataset is not None else Spec.of_tensors(given[0])


def call(function, element):
    """A tuple is a function's arguments, anything else its only one."""
    return function(*element) if isinstance(element, tuple) and not hasattr(element, "_fields") else function(element)


def _name_of(function):
    name = getattr(function, "__name__", type(function).__name__)
    return "lambda" if name == "<lambda>" else name


def scalar(value, dtype, name):
    """An argument of a dataset."""
    return convert_to_tensor(value, dtype=dtype, name=name)
