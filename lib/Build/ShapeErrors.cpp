// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow's words where the inputs of a new node do not fit.
#include "lib/Build/ShapeErrors.h"

#include "lib/OpDefs/OpDef.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <optional>

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

/// "Dimensions must be equal, but are 2 and 4".
std::string unequal(int64_t a, int64_t b) {
  return strCat("Dimensions must be equal, but are ", a, " and ", b);
}

/// What TensorFlow's shape functions say where two inputs do not fit: they show
/// extents, while runs show whole shapes. Nothing for other ops and errors.
std::optional<std::string> mergeText(const NodeSpec &spec) {
  auto shapeOf = [&](size_t i) {
    const Output *tensor =
        i < spec.inputs.size() ? std::get_if<Output>(&spec.inputs[i]) : nullptr;
    return tensor ? tensor->shape() : Shape::unknownRank();
  };
  const Shape a = shapeOf(0), b = shapeOf(1);
  const OpDef *def = lookupOp(spec.op);
  if (!def || !a.hasRank() || !b.hasRank())
    return std::nullopt;
  auto flag = [&](const char *name) {
    const AttrValue *value = spec.attrs.find(name);
    const bool *truth = value ? value->getIf<bool>() : nullptr;
    return truth && *truth;
  };
  if (spec.op == "MatMul" && a.rank() == 2 && b.rank() == 2)
    return unequal(a.dim(flag("transpose_a") ? 0 : 1),
                   b.dim(flag("transpose_b") ? 1 : 0));
  if (spec.op == "Assign") {
    if (a.rank() != b.rank())
      return strCat("Shapes must be equal rank, but are ", a.rank(), " and ",
                    b.rank());
    for (int i = 0; i < a.rank(); ++i)
      if (a.dim(i) >= 0 && b.dim(i) >= 0 && a.dim(i) != b.dim(i))
        return strCat("Dimension ", i,
                      " in both shapes must be equal, but are ", a.dim(i),
                      " and ", b.dim(i), ". Shapes are ", a.toString(), " and ",
                      b.toString(), ".");
  }
  const bool isBroadcast =
      def->inputs.size() == 2 && def->inputs[0].name == "x" &&
      def->inputs[1].name == "y" && def->outputs.size() == 1;
  if (isBroadcast) {
    int rank = std::max(a.rank(), b.rank());
    for (int i = 0; i < rank; ++i) {
      int atA = i - rank + a.rank(), atB = i - rank + b.rank();
      if (atA >= 0 && atB >= 0 && a.dim(atA) != b.dim(atB) && a.dim(atA) > 1 &&
          b.dim(atB) > 1)
        return unequal(a.dim(atA), b.dim(atB));
    }
  }
  return std::nullopt;
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
  return Status(error.code(),
                strCat(mergeText(spec).value_or(std::string(text)), " for ",
                       nodeText(spec)),
                std::string(error.node()));
}

} // namespace kiln
