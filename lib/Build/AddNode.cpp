// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds a node with what the scopes around it say: control dependencies,
// device, colocation, attributes.
#include "lib/Build/BuildState.h"
#include "lib/Build/FunctionGraph.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <set>

namespace kiln {
namespace {

/// The texts "loc:@name" that say where a node stands; its own where it says
/// nothing. **Source**: tf.Operation.colocation_groups.
std::vector<std::string> colocationGroups(const Node &node) {
  std::vector<std::string> groups;
  if (auto classes = node.attrRef<std::vector<std::string>>("_class");
      classes.ok())
    for (const std::string &text : **classes)
      if (text.starts_with("loc:@"))
        groups.push_back(text);
  if (groups.empty())
    groups.push_back("loc:@" + node.name());
  return groups;
}

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

/// The error of a shape function with the node and its input shapes.
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

} // namespace

std::vector<const Node *>
BuildState::controlsFor(const std::vector<Output> &inputs) const {
  std::vector<const Node *> found;
  auto isInput = [&](const Node *node) {
    return std::ranges::any_of(
        inputs, [&](const Output &input) { return input.node == node; });
  };
  for (const ControlFrame &frame : controls) {
    // An input that was added in the block has waited already.
    bool hasWaited = std::ranges::any_of(inputs, [&](const Output &input) {
      return frame.added.contains(input.node);
    });
    if (hasWaited)
      continue;
    for (const Node *node : frame.inputs)
      if (!isInput(node) && std::ranges::find(found, node) == found.end())
        found.push_back(node);
  }
  return found;
}

const Node *BuildState::addNode(std::string op, std::string name,
                                std::vector<Output> inputs, AttrMap attrs,
                                std::vector<const Node *> moreControls) {
  if (failed())
    return nullptr;
  if (finalized) {
    fail(failedPreconditionError("Graph is finalized and cannot be modified.")
             .withNode(name));
    return nullptr;
  }
  if (function) {
    if (function->insteadOfNode)
      if (const Node *added = function->insteadOfNode(op, name, inputs, attrs))
        return added;
    for (Output &input : inputs)
      input = captured(*this, input);
    if (failed())
      return nullptr;
  }
  std::vector<const Node *> waitsFor = controlsFor(inputs);
  for (const Node *node : moreControls)
    if (std::ranges::find(waitsFor, node) == waitsFor.end())
      waitsFor.push_back(node);
  if (function)
    std::erase_if(waitsFor, [&](const Node *node) {
      bool isOutside = !graph->contains(node);
      auto &all = function->controls;
      if (isOutside && std::ranges::find(all, node) == all.end())
        all.push_back(node);
      return isOutside;
    });
  const std::vector<const Node *> manual = waitsFor;
  std::shared_ptr<ControlFlowContext> here = context;
  if (here) {
    NodeDraft draft{op, std::move(inputs), std::move(waitsFor)};
    here = here->ownerOf(*this, draft);
    here->prepare(*this, draft);
    inputs = std::move(draft.inputs);
    waitsFor = std::move(draft.controls);
  }
  if (failed())
    return nullptr;

  std::string device =
      devices.empty() ? std::string() : devices.back().toString();
  if (!colocations.empty()) {
    std::set<std::string> groups;
    bool isPlaced = false;
    for (auto node = colocations.rbegin(); node != colocations.rend(); ++node) {
      for (std::string &group : colocationGroups(**node))
        groups.insert(std::move(group));
      if (!isPlaced && !(*node)->device().empty()) {
        device = (*node)->device();
        isPlaced = true;
      }
    }
    attrs.set("_class", std::vector<std::string>(groups.begin(), groups.end()));
  }
  for (const NamedAttr &attr : attributes)
    if (!attrs.find(attr.name))
      attrs.set(attr.name, attr.value);
  for (const auto &[type, gradient] : gradientOverrides)
    if (type == op && !attrs.find("_gradient_op_type"))
      attrs.set("_gradient_op_type", gradient);

  NodeSpec spec;
  spec.name = std::move(name);
  spec.op = std::move(op);
  spec.attrs = std::move(attrs);
  spec.device = std::move(device);
  for (const Output &input : inputs)
    spec.inputs.push_back(input);
  for (const Node *node : waitsFor)
    spec.inputs.push_back("^" + node->name());
  auto added = graph->addNode(spec);
  if (!added.ok()) {
    fail(withShapes(added.status(), spec).withNode(spec.name));
    return nullptr;
  }
  for (const Node *node : manual)
    graph->markControlSource(*node);
  for (ControlFrame &frame : controls)
    frame.added.insert(*added);
  if (here) {
    contexts.emplace(*added, here);
    here->added(**added);
  }
  return *added;
}

Output addConst(BuildState &state, TensorConstant value,
                std::string_view name) {
  if (state.failed())
    return {};
  AttrMap attrs{{"dtype", value.dtype}, {"value", std::move(value)}};
  std::string full =
      name.ends_with('/')
          ? withoutSlash(name)
          : state.uniqueName(name.empty() ? "Const" : name, true);
  return {state.addNode("Const", std::move(full), {}, std::move(attrs)), 0};
}

Output addConst(BuildState &state, Tensor value, std::string_view name) {
  return addConst(state, TensorConstant(std::move(value)), name);
}

} // namespace kiln
