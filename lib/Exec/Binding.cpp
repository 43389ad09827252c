// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds slots and streams, and compares signatures.
#include "lib/Exec/Binding.h"

#include "lib/Support/StatusMacros.h"

#include <algorithm>

namespace kiln {

ResourceKey keyOf(const ImportedVariable &variable) {
  return {variable.isResource ? ResourceKey::Kind::ResourceVariable
                              : ResourceKey::Kind::Variable,
          variable.container, variable.name};
}

std::vector<Shape> Binding::presentShapes() const {
  std::vector<Shape> shapes;
  for (const std::shared_ptr<VariableSlot> &slot : openShapes)
    shapes.push_back(slot ? slot->presentShape() : Shape());
  return shapes;
}

namespace {

Status bindVariables(const FunctionInterface &interface,
                     SessionServices &services, Binding &binding) {
  std::vector<VariableSlot *> reads, writes;
  for (const ImportedVariable &variable : interface.variables) {
    auto found = services.resources.findOrCreateVariable(
        keyOf(variable), variable.dtype, variable.shape);
    if (!found.ok())
      return Status(found.status().code(),
                    std::string(found.status().message()), variable.node);
    VariableSlot *slot = found->get();
    binding.variables.push_back(*std::move(found));
    binding.slots.push_back(slot);
    if (variable.shape.isFullyDefined()) {
      binding.fixedSlots.push_back(slot);
    } else {
      slot->open();
      binding.openVariables.push_back(binding.slots.size() - 1);
    }
    if (variable.needsValue)
      binding.mustHaveValue.push_back(slot);
    reads.push_back(slot);
    if (variable.isWritten)
      writes.push_back(slot);
    if (variable.isWritten && variable.dtype == DType::String)
      binding.writtenStrings.push_back(slot);
  }
  for (const OpenShape &open : interface.openShapes) {
    std::shared_ptr<VariableSlot> &slot = binding.openShapes.emplace_back();
    if (!open.isUsed)
      continue;
    KILN_ASSIGN_OR_RETURN(slot, services.resources.findOrCreateVariable(
                                    keyOf(open.variable), open.variable.dtype,
                                    open.variable.shape));
    reads.push_back(slot.get());
  }
  binding.locks = LockPlan::make(reads, writes);
  return okStatus();
}

Status bindStreams(const FunctionInterface &interface,
                   SessionServices &services, Binding &binding) {
  for (const ImportedStream &stream : interface.streams) {
    auto found =
        services.streams.findOrCreate(stream.place, stream.seed, stream.seed2);
    if (!found.ok())
      return found.status().withNode(stream.node);
    binding.streams.push_back(*found);
  }
  return okStatus();
}

Status bindBodies(const FunctionInterface &interface, SessionServices &services,
                  Binding &binding) {
  for (const ImportedBody &body : interface.bodies) {
    KILN_ASSIGN_OR_RETURN(
        auto bound, BoundBody::make(body, services.resources, services.files,
                                    services.options.communicator));
    binding.bodyPlaces.push_back(bound.get());
    binding.bodies.push_back(std::move(bound));
  }
  return okStatus();
}

/// Whether a variable may have such a shape where the code depends on it.
bool accepts(const OpenShape &open, const Shape &shape) {
  return !open.isUsed || (shape.hasRank() == open.rank.has_value() &&
                          (!open.rank || shape.rank() == *open.rank));
}

FeedShape dimsOf(const Shape &shape) {
  return shape.hasRank() ? shape.dims() : FeedShape();
}

} // namespace

StatusOr<Binding> bindFunction(const FunctionInterface &interface,
                               SessionServices &services) {
  Binding binding;
  KILN_RETURN_IF_ERROR(bindVariables(interface, services, binding));
  KILN_RETURN_IF_ERROR(bindStreams(interface, services, binding));
  KILN_RETURN_IF_ERROR(bindBodies(interface, services, binding));
  return binding;
}

Status alignConstants(std::vector<Tensor> &constants,
                      const std::function<std::string(uint64_t)> &nodeOf) {
  for (size_t i = 0; i < constants.size(); ++i) {
    if (constants[i].isAligned())
      continue;
    auto copy = constants[i].clone();
    if (!copy.ok())
      return copy.status().withNode(nodeOf(i));
    constants[i] = *std::move(copy);
  }
  return okStatus();
}

bool interfaceMatches(const FunctionInterface &interface,
                      std::span<const FeedView> feeds,
                      std::span<const Shape> openShapes) {
  for (size_t i = 0; i < openShapes.size(); ++i)
    if (!accepts(interface.openShapes[i], openShapes[i]))
      return false;
  auto extent = [&](int32_t feed, int32_t dim) {
    auto number = static_cast<size_t>(feed);
    FeedShape dims = number < feeds.size()
                         ? feeds[number].dims
                         : dimsOf(openShapes[number - feeds.size()]);
    return dims[static_cast<size_t>(dim)];
  };
  if (!interface.symbols.classesMatch(extent))
    return false;
  return std::ranges::all_of(interface.fedValues, [&](const FedValue &fed) {
    const Tensor *value = feeds[static_cast<size_t>(fed.feed)].value;
    return value && value->hasSameBits(fed.value);
  });
}

std::optional<std::vector<int64_t>>
symbolsOf(const FunctionInterface &interface, std::span<const FeedView> feeds,
          std::span<const Shape> openShapes) {
  std::vector<FeedShape> shapes;
  for (const FeedView &feed : feeds)
    shapes.push_back(feed.dims);
  for (size_t i = 0; i < openShapes.size(); ++i) {
    if (!accepts(interface.openShapes[i], openShapes[i]))
      return std::nullopt;
    shapes.push_back(dimsOf(openShapes[i]));
  }
  std::vector<int64_t> values;
  if (!interface.symbols.evaluate(shapes, values).ok())
    return std::nullopt;
  return values;
}

} // namespace kiln
