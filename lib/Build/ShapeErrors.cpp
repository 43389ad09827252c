// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow's words where the inputs of a new node do not fit.
#include "lib/Build/ShapeErrors.h"

#include "lib/OpDefs/OpDef.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

/// DT_FLOAT: the name in TensorFlow's protobuf messages.
std::string enumName(DType dtype) {
  std::string name = strCat("DT_", dtypeTfName(dtype));
  for (char &letter : name)
    if (letter >= 'a' && letter <= 'z')
      letter = static_cast<char>(letter - 'a' + 'A');
  return name;
}

/// An attribute as TensorFlow's summaries of nodes have it; empty for those
/// that they would not print in a few words.
std::string attrText(const AttrValue &value) {
  if (const auto *number = value.getIf<int64_t>())
    return strCat(*number);
  if (const auto *number = value.getIf<float>())
    return strCat(*number);
  if (const auto *truth = value.getIf<bool>())
    return *truth ? "true" : "false";
  if (const auto *text = value.getIf<std::string>())
    return strCat("\"", *text, "\"");
  if (const auto *dtype = value.getIf<DType>())
    return enumName(*dtype);
  if (const auto *shape = value.getIf<Shape>())
    return shape->toString();
  if (const auto *numbers = value.getIf<std::vector<int64_t>>())
    return strCat("[", strJoin(*numbers, ", "), "]");
  return value.isEmptyList() ? "[]" : "";
}

/// "{{node add}} = AddV2[T=DT_FLOAT](x, y)' with input shapes: [2,3], [4,5]".
std::string nodeText(const NodeSpec &spec) {
  std::string attrs, inputs, shapes;
  AttrMap all = spec.attrs;
  if (const OpDef *def = lookupOp(spec.op))
    for (const AttrDef &attr : def->attrs)
      if (attr.defaultValue && !all.find(attr.name))
        all.set(attr.name, *attr.defaultValue);
  for (const NamedAttr &attr : all)
    if (std::string text = attrText(attr.value);
        !text.empty() && !attr.name.starts_with('_'))
      attrs += strCat(attrs.empty() ? "" : ", ", attr.name, "=", text);
  for (const NodeInput &input : spec.inputs) {
    std::string_view comma = inputs.empty() ? "" : ", ";
    if (const Output *tensor = std::get_if<Output>(&input)) {
      inputs += strCat(comma, tensor->index == 0 ? tensor->node->name()
                                                 : tensor->name());
      shapes += strCat(shapes.empty() ? "" : ", ",
                       tensor->shape().hasRank() ? tensor->shape().toString()
                                                 : "<unknown>");
    } else {
      inputs += strCat(comma, std::get<std::string>(input));
    }
  }
  return strCat("'{{node ", spec.name, "}} = ", spec.op, "[", attrs, "](",
                inputs, ")' with input shapes: ", shapes, ".");
}

} // namespace

Status withShapes(const Status &error, const NodeSpec &spec) {
  std::string_view text = error.message();
  bool isOfShapes =
      error.code() == StatusCode::InvalidArgument && !spec.inputs.empty() &&
      !text.starts_with("Input ") && !text.starts_with("NodeDef") &&
      !text.starts_with("Value for attr") && !text.starts_with("AttrValue") &&
      isValidNodeName(spec.name);
  if (!isOfShapes)
    return error;
  return Status(error.code(), strCat(text, " for ", nodeText(spec)),
                std::string(error.node()));
}

} // namespace kiln
