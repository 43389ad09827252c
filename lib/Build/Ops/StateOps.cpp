// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assignments as TensorFlow's Python functions add them.
#include "kiln/ops/StateOps.h"

#include "kiln/Assignments.h"
#include "kiln/GraphScopes.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Build/VariableData.h"
#include "lib/Support/Strings.h"

namespace kiln::ops {

Assignment assign(const Variable &variable, const Input &value,
                  const AssignOptions &options) {
  AssignOptions own = options;
  if (!own.useLocking && !variable.isResource())
    own.useLocking = true;
  return variable.assign(value, own);
}

Assignment assignAdd(const Variable &variable, const Input &delta,
                     const AssignOptions &options) {
  return variable.assignAdd(delta, options);
}

Assignment assignSub(const Variable &variable, const Input &delta,
                     const AssignOptions &options) {
  return variable.assignSub(delta, options);
}

namespace {

/// Adds an op that changes a part of a variable: one for references, one for
/// resources, whose last input is a value of the variable's type.
Assignment change(const Variable &variable, std::string_view op,
                  std::string_view resourceOp, std::vector<Input> inputs,
                  AttrMap attrs, const std::string &name) {
  if (!variable.op())
    return {};
  GraphScope scope(builderOf(variable.handle()));
  std::optional<ControlScope> after;
  if (assignmentOf(variable))
    after.emplace({ControlInput(variable)});
  if (!variable.isResource())
    inputs.insert(inputs.begin(), Input(variable));
  else {
    inputs.back() = Input(convert(inputs.back(), "", variable.dtype()));
    inputs.insert(inputs.begin(), Input(variable.handle()));
  }
  OpSpec spec{.op = std::string(variable.isResource() ? resourceOp : op),
              .name = name,
              .attrs = std::move(attrs)};
  for (Input &input : inputs)
    spec.inputs.emplace_back(std::move(input));
  const Node *node = GraphBuilder::current().addOp(spec);
  if (!node)
    return {};
  return variable.isResource() ? variable.after(node)
                               : Assignment({node, 0}, nullptr, node);
}

} // namespace

Assignment scatter(Scatter kind, const Variable &variable, const Input &indices,
                   const Input &updates, const ScatterOptions &options) {
  static constexpr std::string_view names[] = {
      "Update", "Add", "Sub",      "Mul",   "Div",
      "Min",    "Max", "NdUpdate", "NdAdd", "NdSub"};
  std::string op = strCat("Scatter", names[static_cast<size_t>(kind)]);
  AttrMap attrs;
  if (!variable.isResource())
    attrs.set("use_locking",
              options.useLocking.value_or(kind == Scatter::Update ||
                                          kind == Scatter::NdUpdate));
  return change(variable, op, strCat("Resource", op), {indices, updates},
                std::move(attrs), options.name);
}

Assignment assignSlice(const Variable &variable, const Input &begin,
                       const Input &end, const Input &strides,
                       const Input &value, const StridedSliceOptions &options) {
  return change(variable, "StridedSliceAssign", "ResourceStridedSliceAssign",
                {begin, end, strides, value},
                {{"begin_mask", options.beginMask},
                 {"end_mask", options.endMask},
                 {"ellipsis_mask", options.ellipsisMask},
                 {"new_axis_mask", options.newAxisMask},
                 {"shrink_axis_mask", options.shrinkAxisMask}},
                options.name);
}

} // namespace kiln::ops
