// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values become tensors of the graph, as tf.convert_to_tensor makes them.
#include "lib/Build/BuildState.h"

#include "kiln/GraphScopes.h"
#include "kiln/Variable.h"
#include "lib/Build/Literal.h"
#include "lib/Graph/TensorText.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

using List = std::shared_ptr<const Input::List>;

Status foreignError(const Output &output) {
  return invalidArgumentError(strCat("Tensor ", tensorText(output),
                                     " is not an element of this graph."));
}

/// The dtype of the first tensor in the list; Invalid where there is none.
DType packedType(const Input &input) {
  if (const Output *output = input.output())
    return output->dtype();
  if (const auto *variable =
          std::get_if<std::shared_ptr<const VariableData>>(&input.value()))
    return variableType(**variable);
  if (const List *list = std::get_if<List>(&input.value()))
    for (const Input &each : **list)
      if (DType found = packedType(each); found != DType::Invalid)
        return found;
  return DType::Invalid;
}

/// Packs a list with tensors in it; what has none becomes one Const each.
Output pack(BuildState &state, const Input::List &list, DType dtype,
            std::string_view name, int depth) {
  if (depth > Shape::maxRank) {
    state.fail(invalidArgumentError("lists are nested too deeply"));
    return {};
  }
  NameScope scope(state.builder(), name);
  std::vector<Output> parts;
  for (size_t i = 0; i < list.size(); ++i) {
    const Input &each = list[i];
    std::string index = std::to_string(i);
    const List *inner = std::get_if<List>(&each.value());
    bool isList = inner || std::holds_alternative<Input::Array>(each.value());
    Output part;
    if (inner && holdsOutputs(each)) {
      part = pack(state, **inner, dtype, index, depth + 1);
    } else {
      if (isList) // TensorFlow looks for tensors in it, in a scope of its name
        NameScope looked(state.builder(), index);
      part = convertInput(state, each, {.dtype = dtype, .name = index});
    }
    if (!part.node)
      return {};
    parts.push_back(part);
  }
  int64_t count = static_cast<int64_t>(parts.size());
  return {state.addNode("Pack", withoutSlash(scope.name()), std::move(parts),
                        {{"N", count}, {"T", dtype}, {"axis", int64_t{0}}}),
          0};
}

} // namespace

bool holdsOutputs(const Input &input) {
  return packedType(input) != DType::Invalid;
}

Output convertInput(BuildState &state, const Input &input,
                    const ConversionOptions &options, bool asRef) {
  if (state.failed())
    return {};
  Output found;
  if (const Output *output = input.output()) {
    found = *output;
    if (!found.node) {
      state.fail(invalidArgumentError(
          "an input is no tensor: what was to make it was not added"));
      return {};
    }
    if (!state.function && !state.graph->contains(found.node)) {
      state.fail(foreignError(found));
      return {};
    }
  } else if (const auto *variable =
                 std::get_if<std::shared_ptr<const VariableData>>(
                     &input.value())) {
    found = variableAsTensor(state, **variable, asRef);
    if (!found.node)
      return {};
  } else if (holdsOutputs(input)) {
    DType dtype =
        options.dtype != DType::Invalid ? options.dtype : packedType(input);
    return pack(state, **std::get_if<List>(&input.value()), dtype,
                options.name.empty() ? "packed" : options.name, 0);
  } else {
    DType dtype = options.dtype;
    if (dtype == DType::Invalid && options.dtypeHint != DType::Invalid) {
      auto hinted = toConstant(input, options.dtypeHint);
      if (hinted.ok())
        return addConst(state, *std::move(hinted), options.name);
    }
    auto value = toConstant(input, dtype);
    if (!value.ok()) {
      state.fail(value.status());
      return {};
    }
    std::string name = options.name;
    if (name.empty() && std::holds_alternative<Shape>(input.value()))
      name = "shape_as_tensor";
    return addConst(state, *std::move(value), name);
  }
  if (options.dtype != DType::Invalid && found.dtype() != DType::Invalid &&
      found.dtype() != options.dtype) {
    state.fail(invalidArgumentError(
        strCat(options.name, options.name.empty() ? "" : ": ",
               "Tensor conversion requested dtype ", dtypeName(options.dtype),
               " for Tensor with dtype ", dtypeName(found.dtype()), ": ",
               tensorRepr(found))));
    return {};
  }
  return found;
}

} // namespace kiln
