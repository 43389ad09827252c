// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow's words for attributes and ops, and for inputs of a new node that
// do not fit.
#include "kiln/Describe.h"

#include "lib/Support/Strings.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>

namespace kiln {
namespace {

/// Escapes as in a literal of C.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char letter : text) {
    constexpr std::string_view special = "\n\r\t\"'\\", names = "nrt\"'\\";
    const auto code = static_cast<unsigned char>(letter);
    char octal[5];
    if (size_t at = special.find(letter); at != std::string_view::npos)
      out += {'\\', names[at]};
    else if (code >= 0x20 && code < 0x7f)
      out += letter;
    else
      out.append(octal, static_cast<size_t>(std::snprintf(octal, sizeof octal,
                                                          "\\%03o", code)));
  }
  return out + '"';
}

/// In as few digits as tell the number, six at least as far as it has them.
std::string numberText(float number) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.6g", double{number});
  if (std::strtof(digits, nullptr) != number)
    std::snprintf(digits, sizeof digits, "%.9g", double{number});
  return digits;
}

std::string elementText(const Tensor &tensor, size_t i) {
  switch (tensor.dtype()) {
  case DType::Float32:
    return numberText(tensor.data<float>()[i]);
  case DType::Float64:
    return strCat(tensor.data<double>()[i]);
  case DType::Int32:
    return strCat(tensor.data<int32_t>()[i]);
  case DType::Int64:
    return strCat(tensor.data<int64_t>()[i]);
  case DType::Bool:
    return tensor.data<bool>()[i] ? "1" : "0";
  case DType::String:
    return std::string(tensor.data<String>()[i].view());
  default:
    return "?";
  }
}

/// "Tensor<type: float shape: [2] values: 1.5 2>".
std::string tensorText(const TensorConstant &constant) {
  std::string text = strCat("Tensor<type: ", dtypeTfName(constant.dtype),
                            " shape: ", constant.shape.toString());
  const Tensor &tensor = constant.value;
  if (!tensor.isValid() || constant.shape.rank() > 1 || constant.isSplat())
    return text + ">";
  constexpr int64_t most = 3;
  text += " values:";
  for (int64_t i = 0; i < tensor.numElements() && i < most; ++i)
    text += strCat(" ", elementText(tensor, static_cast<size_t>(i)));
  return text + (tensor.numElements() > most ? "...>" : ">");
}

std::string functionText(const NameAttrList &function) {
  std::string attrs;
  for (const NamedAttr &attr : function.attrs)
    attrs +=
        strCat(attrs.empty() ? "" : ", ", attr.name, "=", describe(attr.value));
  return strCat(function.name, "[", attrs, "]");
}

/// Writes a value of each kind of AttrValue::Storage.
struct Writer {
  std::string operator()(std::monostate) const {
    return "<Unknown AttrValue type>";
  }
  std::string operator()(int64_t value) const { return strCat(value); }
  std::string operator()(float value) const { return numberText(value); }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string &value) const {
    return quoted(value);
  }
  std::string operator()(DType value) const { return dtypeEnumName(value); }
  std::string operator()(const Shape &value) const { return value.toString(); }
  std::string operator()(const TensorConstant &value) const {
    return tensorText(value);
  }
  std::string operator()(const NameAttrList &value) const {
    return functionText(value);
  }
  std::string operator()(const AttrPlaceholder &value) const {
    return "$" + value.name;
  }
  std::string operator()(const EmptyList &) const { return "[]"; }

  template <class T>
  std::string operator()(const std::vector<T> &values) const {
    constexpr size_t longest = 30, shown = 5;
    std::string text;
    for (size_t i = 0; i < values.size(); ++i) {
      if (values.size() >= longest && i == shown) {
        text += ", ...";
        i = values.size() - shown;
      }
      text += strCat(text.empty() ? "" : ", ", (*this)(T(values[i])));
    }
    return strCat("[", text, "]");
  }
};

std::string argumentsText(const std::vector<OpArgument> &args) {
  std::string text;
  for (const OpArgument &arg : args) {
    text += strCat(text.empty() ? "" : ", ", arg.name, ":");
    if (!arg.numberAttr.empty())
      text += strCat(arg.numberAttr, "*");
    const std::string type = !arg.typeAttr.empty() ? arg.typeAttr
                             : arg.dtype != DType::Invalid
                                 ? std::string(dtypeTfName(arg.dtype))
                                 : std::string();
    text += arg.isRef ? strCat("Ref(", type, ")") : type;
  }
  return text;
}

/// "'{{node add}} = AddV2[T=DT_FLOAT](x, y)' with input shapes: [2,3], [4,5].".
std::string nodeText(const NodeSpec &spec) {
  std::string attrs, inputs, shapes;
  AttrMap all = spec.attrs;
  if (const OpSchema *op = findOpSchema(spec.op))
    for (const OpAttribute &attr : op->attrs)
      if (attr.defaultValue && !all.find(attr.name))
        all.set(attr.name, *attr.defaultValue);
  // TensorFlow's Python says what a node stands beside when it has been added.
  all.erase("_class");
  for (const NamedAttr &attr : all)
    attrs +=
        strCat(attrs.empty() ? "" : ", ", attr.name, "=", describe(attr.value));
  if (!spec.device.empty())
    attrs += strCat(attrs.empty() ? "" : ", ", "_device=", quoted(spec.device));
  for (const NodeInput &input : spec.inputs) {
    std::string_view comma = inputs.empty() ? "" : ", ";
    if (const Output *tensor = std::get_if<Output>(&input)) {
      inputs += strCat(comma, tensor->index == 0 ? tensor->node->name()
                                                 : tensor->name());
      shapes +=
          strCat(shapes.empty() ? "" : ", ",
                 tensor->shape().hasRank() ? tensor->shape().toString() : "?");
    } else {
      inputs += strCat(comma, std::get<std::string>(input));
    }
  }
  return strCat("'{{node ", spec.name, "}} = ", spec.op, "[", attrs, "](",
                inputs, ")' with input shapes: ", shapes, ".");
}

} // namespace

std::string dtypeEnumName(DType dtype) {
  std::string name = strCat("DT_", dtypeTfName(dtype));
  for (char &letter : name)
    letter =
        static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return name;
}

std::string describe(const AttrValue &value) {
  return std::visit(Writer(), value.variant());
}

std::string describe(const OpSchema &op) {
  std::string text =
      strCat("Op<name=", op.name, "; signature=", argumentsText(op.inputs),
             " -> ", argumentsText(op.outputs));
  for (const OpAttribute &attr : op.attrs) {
    text += strCat("; attr=", attr.name, ":", attr.type);
    if (attr.defaultValue)
      text += strCat(",default=", describe(*attr.defaultValue));
    if (attr.minimum)
      text += strCat(",min=", *attr.minimum);
    if (!attr.allowedTypes.empty())
      text += strCat(",allowed=", describe(AttrValue(attr.allowedTypes)));
    if (!attr.allowedStrings.empty())
      text += strCat(",allowed=", describe(AttrValue(attr.allowedStrings)));
  }
  if (op.isCommutative)
    text += "; is_commutative=true";
  if (op.isAggregate)
    text += "; is_aggregate=true";
  if (op.isStateful)
    text += "; is_stateful=true";
  if (op.allowsUninitializedInput)
    text += "; allows_uninitialized_input=true";
  return text + ">";
}

Status withShapes(const Status &error, const NodeSpec &spec) {
  std::string_view text = error.message();
  bool isOfShapes =
      error.code() == StatusCode::InvalidArgument && !spec.inputs.empty() &&
      !text.starts_with("Input ") && !text.starts_with("NodeDef") &&
      !text.starts_with("Value for attr") &&
      !text.starts_with("Length for attr") && !text.starts_with("AttrValue") &&
      isValidNodeName(spec.name);
  if (!isOfShapes)
    return error;
  return Status(error.code(), strCat(text, " for ", nodeText(spec)),
                std::string(error.node()));
}

} // namespace kiln
