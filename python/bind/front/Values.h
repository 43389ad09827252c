// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python's values as what the functions of graph construction take, and what
// they give as Python's.
#ifndef KILN_PYTHON_BIND_FRONT_VALUES_H
#define KILN_PYTHON_BIND_FRONT_VALUES_H

#include "kiln/ControlFlow.h"
#include "kiln/Gradients.h"
#include "kiln/GraphScopes.h"
#include "kiln/VariableScope.h"
#include "kiln/ops/EmbeddingOps.h"
#include "python/bind/front/GraphObjects.h"

#include <array>

namespace kiln::python::front {

/// Tensors, variables, numbers, texts, arrays, shapes, lists of them, and what
/// programs have registered a conversion for. Throws TypeError or ValueError.
Input inputFrom(PyObject *value);
DType dtypeFrom(PyObject *value);
Shape shapeFrom(PyObject *value);
std::string textFrom(PyObject *value);
int64_t integerFrom(PyObject *value);
/// What a value may be that an attribute's kind ("int", "list(type)") says.
AttrValue attrFrom(PyObject *value, std::string_view kind);
/// A dict from names to (kind, value).
AttrMap attributesFrom(PyObject *dict);
nanobind::object toPython(const AttrValue &value);
ControlInput controlInputFrom(PyObject *value);
/// A tensor, IndexedSlices, or None.
Gradient gradientFrom(PyObject *value);

/// The conversion to each type that a function may take. None is left to the
/// types that have a meaning for it.
template <class T> struct From;

template <class T> T from(PyObject *value) { return From<T>::convert(value); }

#define KILN_FROM(type, function)                                              \
  template <> struct From<type> {                                              \
    static type convert(PyObject *value) { return function(value); }           \
  }
KILN_FROM(Input, inputFrom);
KILN_FROM(DType, dtypeFrom);
KILN_FROM(Shape, shapeFrom);
KILN_FROM(std::string, textFrom);
KILN_FROM(ControlInput, controlInputFrom);
KILN_FROM(Gradient, gradientFrom);
#undef KILN_FROM

template <std::integral T> struct From<T> {
  static T convert(PyObject *value) {
    return static_cast<T>(integerFrom(value));
  }
};
template <std::floating_point T> struct From<T> {
  static T convert(PyObject *value) {
    double number = PyFloat_AsDouble(value);
    if (number == -1 && PyErr_Occurred())
      throw nanobind::python_error();
    return static_cast<T>(number);
  }
};

template <> struct From<bool> {
  static bool convert(PyObject *value) {
    int truth = PyObject_IsTrue(value);
    if (truth < 0)
      throw nanobind::python_error();
    return truth;
  }
};
template <> struct From<Output> {
  static Output convert(PyObject *value) {
    Input input = inputFrom(value);
    return input.output() ? *input.output()
                          : GraphBuilder::current().convert(input);
  }
};
template <> struct From<Variable> {
  static Variable convert(PyObject *value) {
    if (VariableObject *variable = variableFrom(value))
      return variable->variable;
    throw nanobind::type_error("expected a tf.Variable");
  }
};
template <> struct From<const Node *> {
  static const Node *convert(PyObject *value) {
    return controlInputFrom(value).operation();
  }
};
template <> struct From<std::string_view> {
  static std::string_view convert(PyObject *value);
};
template <> struct From<IndexedSlices> {
  static IndexedSlices convert(PyObject *value) {
    return gradientFrom(value).slices();
  }
};
template <> struct From<nanobind::object> {
  static nanobind::object convert(PyObject *value) {
    return nanobind::borrow(value);
  }
};
template <> struct From<Reuse> {
  static Reuse convert(PyObject *value);
};
template <> struct From<AggregationMethod> {
  static AggregationMethod convert(PyObject *value) {
    return integerFrom(value) ? AggregationMethod::ExperimentalTree
                              : AggregationMethod::AddN;
  }
};
template <> struct From<ops::SparseTensor> {
  static ops::SparseTensor convert(PyObject *value);
};
template <> struct From<TensorOrSparse> {
  static TensorOrSparse convert(PyObject *value);
};

/// Any sequence or iterable; one that is no sequence is its only element.
std::vector<nanobind::object> elementsOf(PyObject *value);

template <class T> struct From<std::optional<T>> {
  static std::optional<T> convert(PyObject *value) {
    return value == Py_None ? std::nullopt : std::optional<T>(from<T>(value));
  }
};
template <class T> struct From<std::vector<T>> {
  static std::vector<T> convert(PyObject *value) {
    std::vector<T> converted;
    for (const nanobind::object &element : elementsOf(value))
      converted.push_back(from<T>(element.ptr()));
    return converted;
  }
};
template <class T, size_t n> struct From<std::array<T, n>> {
  static std::array<T, n> convert(PyObject *value) {
    std::vector<T> all = from<std::vector<T>>(value);
    if (all.size() != 1 && all.size() != n)
      throw nanobind::value_error(
          ("expected " + std::to_string(n) + " numbers").c_str());
    std::array<T, n> converted;
    for (size_t i = 0; i < n; ++i)
      converted[i] = all[all.size() == 1 ? 0 : i];
    return converted;
  }
};
template <> struct From<InputList> {
  static InputList convert(PyObject *value) {
    return from<std::vector<Input>>(value);
  }
};
template <> struct From<Outputs> {
  static Outputs convert(PyObject *value) {
    return from<std::vector<Output>>(value);
  }
};

/// What functions of graph construction give.
template <class T> nanobind::object toPython(const T &value);
/// The same for a type that the template does not know.
template <class T> struct To;

nanobind::object toPython(const Gradient &gradient);
nanobind::object toPython(const ops::SparseTensor &tensor);

} // namespace kiln::python::front

#include "python/bind/front/ToPython.h"

#endif // KILN_PYTHON_BIND_FRONT_VALUES_H
