// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What layers have in common, as TensorFlow's Python adds it.
#include "lib/Train/LayerScope.h"

#include "lib/Build/BuildState.h"
#include "lib/Build/VariableStore.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/Strings.h"

#include <limits>

namespace kiln::layers {

LayerScope::LayerScope(const Input &given, const std::string &name,
                       std::string kind, Reuse reuse)
    : graph(graphOf(given).value_or(GraphBuilder::current())), layer(kind),
      scope(!name.empty()           ? std::optional<std::string_view>(name)
            : reuse != Reuse(false) ? std::optional<std::string_view>(layer)
                                    : std::nullopt,
            {.defaultName = kind, .reuse = reuse}),
      inputs(GraphBuilder::current().convert(given)) {}

Output LayerScope::refuse(std::string text) const {
  GraphBuilder::current().fail(
      invalidArgumentError(std::move(text)).withNode(scope.name()));
  return {};
}
bool LayerScope::checkRank(int rank, bool isLeast) const {
  if (!inputs.node)
    return false;
  const Shape &shape = inputs.shape();
  if (!shape.hasRank() ||
      (isLeast ? shape.rank() < rank : shape.rank() != rank)) {
    refuse(strCat(
        "Input 0 of layer ", scope.name(), " is incompatible with the layer: ",
        !shape.hasRank()
            ? std::string("its rank is undefined, but the layer "
                          "requires a defined rank.")
            : strCat("expected ", isLeast ? "min_ndim=" : "ndim=", rank,
                     ", found ndim=", shape.rank(),
                     ". Full shape received: ", shape.toTupleString())));
    return false;
  }
  return true;
}
bool LayerScope::check(int rank, bool isLeast, int axis) const {
  if (!checkRank(rank, isLeast))
    return false;
  const Shape &shape = inputs.shape();
  if (shape.dim(axis < 0 ? shape.rank() + axis : axis) < 0) {
    refuse(strCat("The ",
                  layer == "dense" ? "last dimension of the inputs to `Dense`"
                                   : "channel dimension of the inputs",
                  " should be defined. Found `None`."));
    return false;
  }
  return true;
}

GetVariableOptions LayerScope::optionsOf(WeightOptions options) const {
  return {.shape = std::move(options.shape),
          .dtype =
              options.dtype == DType::Invalid ? inputs.dtype() : options.dtype,
          .initializer = std::move(options.initializer),
          .constraint = options.constraint
                            ? std::optional(std::move(options.constraint))
                            : std::nullopt,
          .trainable = options.trainable};
}

Variable LayerScope::variable(const std::string &name,
                              WeightOptions options) const {
  VariableScope whole(currentVariableScope(), {.partitioner = Partitioner(),
                                               .auxiliaryNameScope = false});
  return getVariable(name, optionsOf(std::move(options)));
}

Weight LayerScope::weight(const std::string &name,
                          WeightOptions options) const {
  GraphBuilder graph = GraphBuilder::current();
  Regularizer regularizer = std::move(options.regularizer);
  auto count = [&] {
    return graph.collectionRef(keys::globalVariables).size();
  };
  size_t before = count();
  GetVariableOptions made = optionsOf(std::move(options));
  Weight result;
  std::vector<Variable> variables;
  if (VariableStore::of(graph).current->partitioner && made.shape.rank() > 0) {
    PartitionedVariable parts = getPartitionedVariable(name, made);
    variables = parts.parts();
    result = parts;
  } else {
    variables.push_back(getVariable(name, made));
    result = variables[0];
  }
  if (!regularizer || count() == before)
    return result;
  for (const Variable &each : variables) {
    if (!each.op())
      continue;
    NameScope scope(name + "/Regularizer");
    if (Output loss = regularizer(each); loss.node)
      graph.addToCollection(keys::regularizationLosses, loss);
  }
  return result;
}

std::string upper(std::string text) {
  for (char &each : text)
    each = static_cast<char>(each >= 'a' && each <= 'z' ? each - 32 : each);
  return text;
}

std::optional<bool> channelsAreLast(const LayerScope &layer,
                                    const std::string &format) {
  if (format == "channels_last" || format == "channels_first")
    return format == "channels_last";
  layer.refuse(strCat("The `data_format` argument must be one of "
                      "\"channels_first\", \"channels_last\". Received: ",
                      format));
  return std::nullopt;
}

std::optional<int32_t> extentOf(std::span<const int64_t> extents) {
  CheckedInt64 product = 1;
  for (int64_t extent : extents) {
    if (extent < 0)
      return std::nullopt;
    product *= extent;
  }
  std::optional<int64_t> number = product.value();
  if (!number || *number > std::numeric_limits<int32_t>::max())
    return std::nullopt;
  return static_cast<int32_t>(*number);
}

} // namespace kiln::layers
