// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python's values become inputs, types, shapes and attributes.
#include "python/bind/front/Values.h"

#include "python/bind/Arrays.h"
#include "python/bind/Errors.h"
#include "python/bind/Objects.h"
#include "python/bind/front/Raise.h"

namespace kiln::python::front {
namespace nb = nanobind;
namespace {

/// Lists of more elements than this go through one array, if they have no
/// tensors.
constexpr Py_ssize_t longList = 16;

bool isList(PyObject *value) {
  return PyList_Check(value) || PyTuple_Check(value);
}

/// Whether the value is a number or text of Python's own, of which arrays are
/// made without a look at the graph.
bool isPlain(PyObject *value) {
  return PyLong_Check(value) || PyFloat_Check(value) ||
         PyUnicode_Check(value) || PyBytes_Check(value);
}

/// Whether all that lists have is plain.
bool isAllPlain(PyObject *value, int depth = 0) {
  if (!isList(value))
    return isPlain(value);
  if (depth > Shape::maxRank)
    return false;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(value); ++i)
    if (!isAllPlain(PySequence_Fast_GET_ITEM(value, i), depth + 1))
      return false;
  return true;
}

/// A copy, since a constant must not change with the program's array.
Tensor copied(PyObject *value) {
  Tensor borrowed = tensorFromPython(value, DType::Invalid);
  return check(borrowed.clone());
}

/// Whether NumPy knows it: an array or a scalar.
bool isArray(PyObject *value) {
  auto numpyClass = [](const char *name) {
    return nb::object(nb::module_::import_("numpy").attr(name)).release().ptr();
  };
  static PyObject *const array = numpyClass("ndarray");
  static PyObject *const scalar = numpyClass("generic");
  return PyObject_TypeCheck(value, reinterpret_cast<PyTypeObject *>(array)) ||
         PyObject_TypeCheck(value, reinterpret_cast<PyTypeObject *>(scalar));
}

[[noreturn]] void failElements(PyObject *list) {
  throw nb::type_error(
      ("Failed to convert elements of " +
       nb::cast<std::string>(nb::repr(nb::handle(list))) +
       " to Tensor. Consider casting elements to a supported type. See "
       "https://www.tensorflow.org/api_docs/python/tf/dtypes for supported TF "
       "dtypes.")
          .c_str());
}

/// Whether elements, or those of lists in it, are texts beside numbers.
bool mixesTexts(const Input::List &list, bool &texts, bool &numbers) {
  for (const Input &each : list) {
    const Input::Value &value = each.value();
    if (const auto *inner =
            std::get_if<std::shared_ptr<const Input::List>>(&value))
      mixesTexts(**inner, texts, numbers);
    texts |= std::holds_alternative<std::string>(value);
    numbers |= std::holds_alternative<int64_t>(value) ||
               std::holds_alternative<double>(value) ||
               std::holds_alternative<bool>(value);
  }
  return texts && numbers;
}

Input listFrom(PyObject *value, int depth, PyObject *outermost);

Input elementFrom(PyObject *value, int depth, PyObject *outermost) {
  if (isList(value))
    return listFrom(value, depth + 1, outermost);
  if (value == Py_None)
    failElements(outermost);
  return inputFrom(value);
}

Input listFrom(PyObject *value, int depth, PyObject *outermost) {
  if (depth > Shape::maxRank)
    throw nb::value_error("lists are nested too deeply");
  if (PySequence_Fast_GET_SIZE(value) > longList && isAllPlain(value)) {
    nb::object array = owned(PyObject_CallOneArg(
        nb::module_::import_("numpy").attr("array").ptr(), value));
    if (!nb::cast<bool>(array.attr("dtype").attr("hasobject")))
      return Input::listOf(copied(array.ptr()));
  }
  Input::List list;
  // The list may change while elements are converted.
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(value); ++i)
    list.push_back(
        elementFrom(nb::borrow(PySequence_Fast_GET_ITEM(value, i)).ptr(), depth,
                    outermost));
  bool texts = false, numbers = false;
  if (depth == 0 && mixesTexts(list, texts, numbers))
    failElements(value);
  return Input(std::span<const Input>(list));
}

Input numberFrom(PyObject *value) {
  int overflow = 0;
  int64_t number = PyLong_AsLongLongAndOverflow(value, &overflow);
  if (!overflow)
    return number;
  uint64_t large = PyLong_AsUnsignedLongLong(value);
  if (PyErr_Occurred()) {
    PyErr_Clear();
    failElements(value);
  }
  return large;
}

nb::object attributeOf(PyObject *value, const char *name) {
  return owned(PyObject_GetAttrString(value, name));
}

} // namespace

Input inputFrom(PyObject *value) {
  if (TensorObject *tensor = tensorFrom(value)) {
    if (tensor->operation)
      Call::touch(graphFrom(operationFrom(tensor->operation)->graph)->builder);
    return tensor->output;
  }
  if (VariableObject *variable = variableFrom(value)) {
    Call::touch(graphFrom(variable->graph)->builder);
    return variable->variable;
  }
  if (PyBool_Check(value))
    return value == Py_True;
  if (PyLong_CheckExact(value))
    return numberFrom(value);
  if (PyFloat_CheckExact(value))
    return PyFloat_AS_DOUBLE(value);
  if (PyUnicode_CheckExact(value))
    return std::string(utf8(value));
  if (PyBytes_CheckExact(value))
    return std::string(PyBytes_AS_STRING(value),
                       static_cast<size_t>(PyBytes_GET_SIZE(value)));
  if (isArray(value))
    return copied(value);
  if (value == Py_None)
    throw nb::value_error("None values not supported.");
  nb::handle shape = classes().shapeClass;
  if (PyObject_TypeCheck(value, reinterpret_cast<PyTypeObject *>(shape.ptr())))
    return shapeFrom(value);
  // What programs have a conversion for may be a list or a number, too.
  nb::object converted = classes().convert(nb::handle(value));
  if (converted.ptr() != value)
    return inputFrom(converted.ptr());
  if (isList(value))
    return listFrom(value, 0, value);
  if (PyLong_Check(value))
    return numberFrom(value);
  if (PyFloat_Check(value))
    return PyFloat_AsDouble(value);
  if (PyUnicode_Check(value))
    return std::string(utf8(value));
  if (PyComplex_Check(value))
    return copied(
        nb::module_::import_("numpy").attr("array")(nb::handle(value)).ptr());
  throw nb::type_error(("Failed to convert object of type " +
                        nb::cast<std::string>(nb::str(nb::handle(
                            reinterpret_cast<PyObject *>(Py_TYPE(value))))) +
                        " to Tensor. Contents: " +
                        nb::cast<std::string>(nb::str(nb::handle(value))) +
                        ". Consider casting elements to a supported type.")
                           .c_str());
}

DType dtypeFrom(PyObject *value) {
  if (value == Py_None)
    return DType::Invalid;
  const DTypeObject *dtype;
  if (nb::try_cast(nb::handle(value), dtype) && dtype)
    return dtype->dtype;
  nb::object found = classes().asDType(nb::handle(value));
  return nb::cast<const DTypeObject &>(found).dtype;
}

Shape shapeFrom(PyObject *value) {
  nb::object dims = classes().asShape(nb::handle(value));
  if (dims.is_none())
    return Shape::unknownRank();
  std::vector<int64_t> extents;
  for (nb::handle dim : dims)
    extents.push_back(dim.is_none() ? Shape::unknownDim
                                    : nb::cast<int64_t>(dim));
  auto shape = Shape::fromDims(extents);
  if (!shape.ok())
    throw nb::value_error(std::string(shape.status().message()).c_str());
  return *std::move(shape);
}

std::string textFrom(PyObject *value) {
  if (PyUnicode_Check(value))
    return std::string(utf8(value));
  if (PyBytes_Check(value))
    return std::string(PyBytes_AS_STRING(value),
                       static_cast<size_t>(PyBytes_GET_SIZE(value)));
  throw nb::type_error(("expected a str, got " + typeName(value)).c_str());
}

std::string_view From<std::string_view>::convert(PyObject *value) {
  if (!PyUnicode_Check(value))
    throw nb::type_error(("expected a str, got " + typeName(value)).c_str());
  return utf8(value);
}

int64_t integerFrom(PyObject *value) {
  nb::object index = owned(PyNumber_Index(value));
  int64_t number = PyLong_AsLongLong(index.ptr());
  if (number == -1 && PyErr_Occurred())
    throw nb::python_error();
  return number;
}

ControlInput controlInputFrom(PyObject *value) {
  if (OperationObject *operation = operationFrom(value))
    return operation->node;
  if (TensorObject *tensor = tensorFrom(value))
    return tensor->output;
  if (VariableObject *variable = variableFrom(value))
    return variable->variable;
  nb::object op = attributeOf(value, "op");
  if (OperationObject *operation = operationFrom(op.ptr()))
    return operation->node;
  throw nb::type_error(
      ("expected an operation or a tensor, got " + typeName(value)).c_str());
}

Gradient gradientFrom(PyObject *value) {
  if (value == Py_None)
    return {};
  int isSlices = PyObject_IsInstance(value, classes().indexedSlices.ptr());
  if (isSlices < 0)
    throw nb::python_error();
  if (!isSlices)
    return from<Output>(value);
  nb::object shape = attributeOf(value, "dense_shape");
  return IndexedSlices{from<Output>(attributeOf(value, "values").ptr()),
                       from<Output>(attributeOf(value, "indices").ptr()),
                       shape.is_none() ? Output() : from<Output>(shape.ptr())};
}

nb::object toPython(const Gradient &gradient) {
  if (gradient.isNone())
    return nb::none();
  if (!gradient.isSparse())
    return objectOf(gradient.tensor());
  const IndexedSlices &slices = gradient.slices();
  return classes().indexedSlices(objectOf(slices.values),
                                 objectOf(slices.indices),
                                 objectOf(slices.denseShape));
}

ops::SparseTensor From<ops::SparseTensor>::convert(PyObject *value) {
  // Lists of a SparseTensorValue are int64 where they are places and extents.
  auto integers = [value](const char *name) {
    nb::object given = attributeOf(value, name);
    Input input = inputFrom(given.ptr());
    if (input.output())
      return *input.output();
    return GraphBuilder::current().convert(
        input, {.dtype = DType::Int64, .name = name});
  };
  return {integers("indices"), from<Output>(attributeOf(value, "values").ptr()),
          integers("dense_shape")};
}

TensorOrSparse From<TensorOrSparse>::convert(PyObject *value) {
  if (nb::hasattr(value, "dense_shape"))
    return from<SparseTensor>(value);
  return inputFrom(value);
}

nb::object toPython(const ops::SparseTensor &tensor) {
  return classes().sparseTensor(objectOf(tensor.indices),
                                objectOf(tensor.values),
                                objectOf(tensor.denseShape));
}

Reuse From<Reuse>::convert(PyObject *value) {
  if (value == Py_None)
    return false;
  if (PyBool_Check(value))
    return value == Py_True;
  return autoReuse; // the enum's one member
}

std::vector<nb::object> elementsOf(PyObject *value) {
  std::vector<nb::object> elements;
  if (isList(value)) {
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(value); ++i)
      elements.push_back(nb::borrow(PySequence_Fast_GET_ITEM(value, i)));
    return elements;
  }
  bool isOne = isPlain(value) || tensorFrom(value) || variableFrom(value) ||
               !PyObject_HasAttrString(value, "__iter__");
  if (isOne) {
    elements.push_back(nb::borrow(value));
    return elements;
  }
  for (nb::handle element : nb::handle(value))
    elements.push_back(nb::borrow(element));
  return elements;
}

} // namespace kiln::python::front
