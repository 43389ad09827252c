// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers, texts and nested lists of them become tensors.
#include "lib/Build/Literal.h"

#include "lib/Build/BuildState.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace kiln {
namespace {

using List = std::shared_ptr<const Input::List>;

/// What the elements are, in the order in which one takes in the other.
enum class Kind { None, Bool, Int, Float, Complex, String };

constexpr std::string_view kindNames[] = {"list",  "bool",    "int",
                                          "float", "complex", "str"};

/// The elements of nested lists, row by row.
struct Elements {
  Kind kind = Kind::None;
  std::vector<int64_t> ints; ///< of bools and ints; kept while all are
  std::vector<double> floats;
  /// Of the first elements; those of the others are 0.
  std::vector<double> imaginaries;
  std::vector<std::string> texts;
  /// Whether an integer is beyond int64, which is kept as its bits.
  bool isUnsigned = false;
  bool isDoublePrecision = false; ///< whether a complex number is complex128
  size_t count = 0;

  Status add(Kind next) {
    ++count;
    if ((next == Kind::String) != (kind == Kind::String) && kind != Kind::None)
      return invalidArgumentError(
          strCat("Can't convert Python sequence with mixed types to Tensor: ",
                 kindNames[static_cast<size_t>(kind)], " and ",
                 kindNames[static_cast<size_t>(next)]));
    kind = std::max(kind, next);
    return okStatus();
  }
  Status addInt(int64_t value, Kind next) {
    KILN_RETURN_IF_ERROR(add(next));
    ints.push_back(value);
    floats.push_back(static_cast<double>(value));
    return okStatus();
  }
  Status addUnsigned(uint64_t value) {
    if (value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
      return addInt(static_cast<int64_t>(value), Kind::Int);
    KILN_RETURN_IF_ERROR(add(Kind::Int));
    isUnsigned = true;
    ints.push_back(static_cast<int64_t>(value));
    floats.push_back(static_cast<double>(value));
    return okStatus();
  }
  Status addFloat(double value) {
    KILN_RETURN_IF_ERROR(add(Kind::Float));
    floats.push_back(value);
    return okStatus();
  }
  Status addComplex(double real, double imaginary) {
    KILN_RETURN_IF_ERROR(add(Kind::Complex));
    imaginaries.resize(floats.size());
    imaginaries.push_back(imaginary);
    floats.push_back(real);
    return okStatus();
  }
  Status addText(std::string value) {
    KILN_RETURN_IF_ERROR(add(Kind::String));
    texts.push_back(std::move(value));
    return okStatus();
  }
};

template <class Part>
Status addComplexNumbers(const Tensor &tensor, Elements &elements) {
  const auto *parts = static_cast<const Part *>(tensor.rawData());
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    KILN_RETURN_IF_ERROR(elements.addComplex(parts[2 * i], parts[2 * i + 1]));
  return okStatus();
}

/// Adds the elements of a tensor that stands in a list.
Status addTensor(const Tensor &tensor, Elements &elements) {
  DType dtype = tensor.dtype();
  if (dtype == DType::String) {
    for (const String &text : tensor.data<String>())
      KILN_RETURN_IF_ERROR(elements.addText(std::string(text.view())));
    return okStatus();
  }
  if (dtype == DType::Complex64)
    return addComplexNumbers<float>(tensor, elements);
  if (dtype == DType::Complex128) {
    elements.isDoublePrecision = true;
    return addComplexNumbers<double>(tensor, elements);
  }
  return dispatchElement(dtype, [&](auto sample) {
    using T = decltype(sample);
    Status status;
    for (const T &element : tensor.data<T>()) {
      if (!status.ok())
        break;
      if constexpr (std::is_same_v<T, bool>)
        status = elements.addInt(element, Kind::Bool);
      else if constexpr (std::is_same_v<T, uint64_t>)
        status = elements.addUnsigned(element);
      else if constexpr (std::is_integral_v<T>)
        status = elements.addInt(static_cast<int64_t>(element), Kind::Int);
      else
        status = elements.addFloat(static_cast<double>(static_cast<float>(0)) +
                                   static_cast<double>(element));
    }
    return status;
  });
}

/// Adds an input's elements, and finds or checks the shape from axis `depth`
/// on.
Status gather(const Input &input, size_t depth, std::vector<int64_t> &shape,
              bool isFirst, Elements &elements) {
  auto atLength = [&](size_t axis, int64_t length) {
    if (isFirst && axis == shape.size()) {
      shape.push_back(length);
      return okStatus();
    }
    if (axis < shape.size() && shape[axis] == length)
      return okStatus();
    // NumPy's text.
    size_t known = std::min(axis, shape.size());
    std::string dims;
    for (size_t i = 0; i < known; ++i)
      dims += strCat(shape[i], i + 1 < known ? ", " : known == 1 ? "," : "");
    return invalidArgumentError(
        strCat("setting an array element with a sequence. The requested array "
               "has an inhomogeneous shape after ",
               known, " dimensions. The detected shape was (", dims,
               ") + inhomogeneous part."));
  };
  if (depth > static_cast<size_t>(Shape::maxRank))
    return invalidArgumentError("lists are nested too deeply");
  const Input::Value &value = input.value();
  if (const List *list = std::get_if<List>(&value)) {
    KILN_RETURN_IF_ERROR(
        atLength(depth, static_cast<int64_t>((*list)->size())));
    bool first = isFirst;
    for (const Input &each : **list) {
      KILN_RETURN_IF_ERROR(gather(each, depth + 1, shape, first, elements));
      first = false;
    }
    return okStatus();
  }
  const Tensor *tensor = std::get_if<Tensor>(&value);
  if (const auto *array = std::get_if<Input::Array>(&value))
    tensor = &array->elements;
  if (tensor) {
    if (!tensor->isValid())
      return invalidArgumentError("expected a value, got a tensor without one");
    for (int i = 0; i < tensor->rank(); ++i)
      KILN_RETURN_IF_ERROR(
          atLength(depth + static_cast<size_t>(i), tensor->dim(i)));
    if (!isFirst && depth + static_cast<size_t>(tensor->rank()) != shape.size())
      return atLength(shape.size(), -1);
    return addTensor(*tensor, elements);
  }
  if (!isFirst && depth != shape.size())
    return atLength(shape.size(), -1);
  if (const bool *truth = std::get_if<bool>(&value))
    return elements.addInt(*truth, Kind::Bool);
  if (const int64_t *number = std::get_if<int64_t>(&value))
    return elements.addInt(*number, Kind::Int);
  if (const uint64_t *number = std::get_if<uint64_t>(&value))
    return elements.addUnsigned(*number);
  if (const double *number = std::get_if<double>(&value))
    return elements.addFloat(*number);
  if (const std::string *text = std::get_if<std::string>(&value))
    return elements.addText(*text);
  return invalidArgumentError(
      "Expected any non-tensor type, but got a tensor instead.");
}

DType naturalType(const Elements &elements) {
  switch (elements.kind) {
  case Kind::Bool:
    return DType::Bool;
  case Kind::Int:
    if (elements.isUnsigned)
      return DType::UInt64;
    return std::ranges::all_of(elements.ints,
                               [](int64_t value) {
                                 return value == static_cast<int32_t>(value);
                               })
               ? DType::Int32
               : DType::Int64;
  case Kind::Complex:
    return elements.isDoublePrecision ? DType::Complex128 : DType::Complex64;
  case Kind::String:
    return DType::String;
  default:
    return DType::Float32;
  }
}

Status kindError(DType dtype, const Input &input) {
  auto [text, type] = pythonText(input);
  if (const auto *plain = std::get_if<std::string>(&input.value()))
    text = *plain;
  return invalidArgumentError(strCat("Expected ", dtypeName(dtype),
                                     ", but got ", text, " of type '", type,
                                     "'."));
}

/// What Python's numbers may become.
bool fits(Kind kind, DType dtype) {
  switch (kind) {
  case Kind::None:
    return true;
  case Kind::Bool:
    return dtype == DType::Bool || isInteger(dtype) || isFloating(dtype) ||
           isComplex(dtype);
  case Kind::Int:
    return isInteger(dtype) || isFloating(dtype) || isComplex(dtype);
  case Kind::Float:
    return isFloating(dtype) || isComplex(dtype);
  case Kind::Complex:
    return isComplex(dtype);
  case Kind::String:
    return dtype == DType::String;
  }
  return false;
}

/// What a value in a list is; None for what says nothing by itself.
Kind kindOf(const Input::Value &value) {
  if (std::holds_alternative<bool>(value))
    return Kind::Bool;
  if (std::holds_alternative<int64_t>(value) ||
      std::holds_alternative<uint64_t>(value))
    return Kind::Int;
  if (std::holds_alternative<double>(value))
    return Kind::Float;
  if (std::holds_alternative<std::string>(value))
    return Kind::String;
  const Tensor *tensor = std::get_if<Tensor>(&value);
  return tensor && isComplex(tensor->dtype()) ? Kind::Complex : Kind::None;
}

/// The first value, row by row, that cannot become the dtype; null where all
/// can.
const Input *firstMisfit(const Input &input, DType dtype) {
  const List *list = std::get_if<List>(&input.value());
  if (!list)
    return fits(kindOf(input.value()), dtype) ? nullptr : &input;
  for (const Input &each : **list)
    if (const Input *found = firstMisfit(each, dtype))
      return found;
  return nullptr;
}

/// Real numbers have an imaginary part of 0.
void fillComplex(const Elements &elements, Tensor &tensor) {
  auto fillParts = [&](auto *parts) {
    using Part = std::decay_t<decltype(*parts)>;
    const std::vector<double> &imaginaries = elements.imaginaries;
    for (size_t i = 0; i < elements.floats.size(); ++i) {
      *parts++ = static_cast<Part>(elements.floats[i]);
      *parts++ =
          i < imaginaries.size() ? static_cast<Part>(imaginaries[i]) : Part(0);
    }
  };
  if (tensor.dtype() == DType::Complex64)
    fillParts(static_cast<float *>(tensor.mutableRawData()));
  else
    fillParts(static_cast<double *>(tensor.mutableRawData()));
}

StatusOr<Tensor> fill(const Elements &elements, const Shape &shape,
                      DType dtype) {
  if (dtype == DType::String)
    return Tensor::fromStrings(shape,
                               std::span<const std::string>(elements.texts));
  KILN_ASSIGN_OR_RETURN(Tensor tensor, Tensor::create(dtype, shape));
  if (isComplex(dtype)) {
    fillComplex(elements, tensor);
    return tensor;
  }
  bool areInts = elements.kind != Kind::Float;
  Status status = dispatchElement(dtype, [&](auto sample) {
    using T = decltype(sample);
    std::span<T> to = tensor.mutableData<T>();
    for (size_t i = 0; i < to.size(); ++i) {
      if constexpr (std::is_same_v<T, bool>) {
        to[i] = elements.ints[i] != 0;
      } else if constexpr (std::is_integral_v<T>) {
        // Modulo the type's size, as TensorFlow; but numbers of shapes, which
        // are int32, are no others.
        int64_t value = elements.ints[i];
        if (std::is_same_v<T, int32_t> && value != static_cast<T>(value))
          return invalidArgumentError(
              strCat("Python integer ", value, " out of bounds for int32"));
        to[i] = static_cast<T>(value);
      } else if constexpr (std::is_same_v<T, float> ||
                           std::is_same_v<T, double>) {
        to[i] = static_cast<T>(areInts && !elements.isUnsigned
                                   ? static_cast<double>(elements.ints[i])
                                   : elements.floats[i]);
      } else {
        to[i] = T(static_cast<float>(elements.floats[i]));
      }
    }
    return okStatus();
  });
  KILN_RETURN_IF_ERROR(status);
  return tensor;
}

/// NumPy's cast of an array; nothing where there is none.
StatusOr<Tensor> cast(const Tensor &tensor, DType dtype) {
  if (tensor.dtype() == dtype || dtype == DType::Invalid)
    return tensor;
  if (isComplex(dtype) || isComplex(tensor.dtype())) {
    Elements elements;
    KILN_RETURN_IF_ERROR(addTensor(tensor, elements));
    if (fits(elements.kind, dtype))
      return fill(elements, tensor.shape(), dtype);
    if (tensor.shape().rank() == 0)
      return kindError(dtype, tensor);
    return invalidArgumentError(strCat("Expected ", dtypeName(dtype),
                                       ", but got a tensor of dtype ",
                                       dtypeName(tensor.dtype()), "."));
  }
  bool isNumber = isSupported(dtype) && dtype != DType::String &&
                  tensor.dtype() != DType::String;
  if (!isNumber)
    return invalidArgumentError(strCat("Expected ", dtypeName(dtype),
                                       ", but got a tensor of dtype ",
                                       dtypeName(tensor.dtype()), "."));
  KILN_ASSIGN_OR_RETURN(Tensor result, Tensor::create(dtype, tensor.shape()));
  dispatchElement(tensor.dtype(), [&](auto from) {
    using From = decltype(from);
    dispatchElement(dtype, [&](auto to) {
      using To = decltype(to);
      std::span<const From> source = tensor.data<From>();
      std::span<To> target = result.mutableData<To>();
      for (size_t i = 0; i < target.size(); ++i) {
        if constexpr (std::is_same_v<To, bool>)
          target[i] = static_cast<float>(source[i]) != 0;
        else if constexpr (std::is_arithmetic_v<From> &&
                           std::is_arithmetic_v<To>)
          target[i] = static_cast<To>(source[i]);
        else if constexpr (std::is_arithmetic_v<To>)
          target[i] = static_cast<To>(static_cast<float>(source[i]));
        else
          target[i] = To(static_cast<float>(source[i]));
      }
      return true;
    });
    return true;
  });
  return result;
}

/// A complex number as Python shows it.
std::string complexText(double real, double imaginary) {
  std::string text = strCat(imaginary, "j");
  if (real == 0)
    return text;
  return strCat("(", real, text.starts_with('-') ? "" : "+", text, ")");
}

} // namespace

std::pair<std::string, std::string> pythonText(const Input &input) {
  const Input::Value &value = input.value();
  if (const bool *truth = std::get_if<bool>(&value))
    return {*truth ? "True" : "False", "bool"};
  if (const int64_t *number = std::get_if<int64_t>(&value))
    return {strCat(*number), "int"};
  if (const uint64_t *number = std::get_if<uint64_t>(&value))
    return {strCat(*number), "int"};
  if (const double *number = std::get_if<double>(&value)) {
    std::string text = strCat(*number);
    if (text.find_first_not_of("-0123456789") == std::string::npos)
      text += ".0";
    return {text, "float"};
  }
  if (const std::string *text = std::get_if<std::string>(&value))
    return {strCat("'", *text, "'"), "str"};
  if (const List *list = std::get_if<List>(&value)) {
    std::string text;
    for (const Input &each : **list)
      text += (text.empty() ? "" : ", ") + pythonText(each).first;
    return {strCat("[", text, "]"), "list"};
  }
  if (const auto *array = std::get_if<Input::Array>(&value))
    return {strCat("a list of ", dtypeName(array->elements.dtype())), "list"};
  if (const Tensor *tensor = std::get_if<Tensor>(&value)) {
    if (tensor->dtype() == DType::Complex128 && tensor->rank() == 0) {
      const auto *parts = static_cast<const double *>(tensor->rawData());
      return {complexText(parts[0], parts[1]), "complex"};
    }
    return {strCat("an array of ", dtypeName(tensor->dtype())), "ndarray"};
  }
  if (const Shape *shape = std::get_if<Shape>(&value))
    return {shape->toTupleString(), "TensorShape"};
  return {"a tensor", "Tensor"};
}

StatusOr<Tensor> toConstant(const Input &input, DType dtype) {
  const Input::Value &value = input.value();
  if (const Tensor *tensor = std::get_if<Tensor>(&value)) {
    if (!tensor->isValid())
      return invalidArgumentError("expected a value, got a tensor without one");
    return cast(*tensor, dtype);
  }
  if (const auto *array = std::get_if<Input::Array>(&value)) {
    if (!array->elements.isValid())
      return invalidArgumentError("expected a value, got a tensor without one");
    if (array->elements.dtype() == dtype)
      return array->elements;
  }
  if (const Shape *shape = std::get_if<Shape>(&value)) {
    if (!shape->isFullyDefined())
      return invalidArgumentError(
          strCat("Cannot convert a partially known TensorShape ",
                 shape->toTupleString(), " to a Tensor."));
    std::vector<int64_t> dims(shape->dims().begin(), shape->dims().end());
    if (dtype != DType::Invalid && !isInteger(dtype))
      return invalidArgumentError(strCat(
          "Cannot convert TensorShape ", shape->toTupleString(), " to dtype ",
          dtypeName(dtype), ". Allowed dtypes are tf.int32 and tf.int64."));
    DType kind = dtype == DType::Invalid ? DType::Int32 : dtype;
    return toConstant(Input(dims), dims.empty() ? kind : dtype);
  }
  if (dtype != DType::Invalid && std::holds_alternative<List>(value))
    if (const Input *misfit = firstMisfit(input, dtype))
      return kindError(dtype, *misfit);
  Elements elements;
  std::vector<int64_t> dims;
  KILN_RETURN_IF_ERROR(gather(input, 0, dims, true, elements));
  if (dtype == DType::Invalid)
    dtype = naturalType(elements);
  else if (!fits(elements.kind, dtype))
    return kindError(dtype, input);
  KILN_ASSIGN_OR_RETURN(Shape shape, Shape::fromDims(dims));
  return fill(elements, shape, dtype);
}

} // namespace kiln
