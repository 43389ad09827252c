// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots: names, places and slices from the variables that they belong to.
#include "kiln/Slots.h"

#include "kiln/ControlFlow.h"
#include "kiln/VariableScope.h"
#include "kiln/ops/ArrayOps.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/VariableStore.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

struct SlotSpec {
  std::string primary; ///< the node's name
  Shape shape;
  DType dtype;
  std::optional<bool> useResource;
  const VariableSlice *slice = nullptr;
};

Variable addSlot(const SlotSpec &spec, const Initializer &initializer,
                 std::string_view name) {
  GraphBuilder graph = GraphBuilder::current();
  VariableScope scope(std::nullopt,
                      {.defaultName = strCat(spec.primary, "/", name)});
  NameScope root(graph, "");
  GetVariableOptions options{.dtype = spec.dtype,
                             .initializer = initializer,
                             .trainable = false,
                             .validateShape = spec.shape.isFullyDefined(),
                             .useResource = spec.useResource};
  if (!initializer.value())
    options.shape = spec.shape;
  std::optional<VariableSlice> slice;
  if (spec.slice && (!spec.shape.hasRank() || spec.shape.rank() > 0)) {
    std::string own = scope.name().substr(spec.primary.size() + 1);
    slice = *spec.slice;
    slice->fullName += "/" + own;
  }
  // The name ends in a slash: it is the scope's, not made unique again.
  return getSingleVariable(graph, scope.name() + "/", options, nullptr,
                           slice ? &*slice : nullptr);
}

SlotSpec specOf(const Variable &primary) {
  return {primary.op()->name(), primary.shape(), primary.dtype(),
          primary.isResource(), primary.slice()};
}

} // namespace

Variable createSlot(const Variable &primary, const Initializer &initializer,
                    std::string_view name) {
  if (!primary.op())
    return {};
  GraphScope graph(primary.graph());
  ColocationScope place(primary.op());
  return addSlot(specOf(primary), initializer, name);
}

Variable createSlot(const Variable &primary, const Initializer &initializer,
                    std::string_view name, const Shape &shape, DType dtype) {
  if (!primary.op())
    return {};
  GraphScope graph(primary.graph());
  ColocationScope place(primary.op());
  SlotSpec spec = specOf(primary);
  spec.shape = shape;
  spec.dtype = dtype;
  return addSlot(spec, initializer, name);
}

Variable createSlot(const Output &primary, const Initializer &initializer,
                    std::string_view name, bool colocate) {
  if (!primary.node)
    return {};
  GraphScope graph(GraphBuilder::of(primary));
  std::optional<ColocationScope> place;
  if (colocate)
    place.emplace(primary.node);
  return addSlot({primary.node->name(), primary.shape(), primary.dtype(), {}},
                 initializer, name);
}

Variable createZerosSlot(const Variable &primary, std::string_view name) {
  if (!primary.op())
    return {};
  if (primary.shape().isFullyDefined())
    return createSlot(primary, zerosInitializer(), name);
  GraphScope graph(primary.graph());
  Output zeros = ops::zeros(ops::shape(primary.initializedValue()),
                            {.dtype = primary.dtype()});
  return createSlot(primary, Initializer(Input(zeros)), name);
}

Variable createZerosSlot(const Output &primary, std::string_view name,
                         bool colocate) {
  if (!primary.node)
    return {};
  GraphScope graph(GraphBuilder::of(primary));
  Initializer initializer = zerosInitializer();
  if (!primary.shape().isFullyDefined())
    initializer = Initializer(
        Input(ops::zeros(ops::shape(primary), {.dtype = primary.dtype()})));
  return createSlot(primary, initializer, name, colocate);
}

} // namespace kiln
