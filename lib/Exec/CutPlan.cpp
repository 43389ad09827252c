// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds the units of a cut run, and finds the code of its parts.
#include "lib/Exec/CutPlan.h"

#include "lib/Exec/Frame.h"
#include "lib/Exec/PipelineFunctions.h"
#include "lib/Exec/SlotOps.h"
#include "lib/HostKernels/HostKernels.h"
#include "lib/HostKernels/ImmediateOp.h"
#include "lib/OpDefs/Foreign.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Plan/cut/CutKind.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {

static Status passOn(const HostCall &call) {
  call.outputs[0] = call.inputs[0];
  return okStatus();
}

static StatusOr<std::unique_ptr<BlockingOp>>
bindBlockingOp(const Node &node, const BlockingSite &site) {
  if (lookupOp(node.op())->has(passesOn) && isDataset({&node, 0}))
    return makeImmediateOp(node, site.files, passOn);
  if (const HostKernel *kernel = HostKernels::process().find(node.op()))
    return kernel->bind(node, site);
  return unimplementedError(
             strCat("op ", quote(node.op()), " is not implemented"))
      .withNode(node.name());
}

Status checkRunBytes(std::string_view what, DType dtype, const Shape &shape,
                     int64_t limit) {
  KILN_ASSIGN_OR_RETURN(int64_t count, shape.numElements());
  CheckedInt64 bytes = count;
  bytes *= static_cast<int64_t>(dtypeSize(dtype));
  int64_t size = bytes.value().value_or(std::numeric_limits<int64_t>::max());
  return size > limit ? tooManyBytesInRun(what, size, limit) : okStatus();
}

/// A splat of a few bytes must not take more than a run may.
static StatusOr<Tensor> constantOf(const Node &node, int64_t limit) {
  KILN_ASSIGN_OR_RETURN(const TensorConstant *constant,
                        node.attrRef<TensorConstant>("value"));
  KILN_RETURN_IF_ERROR(
      checkRunBytes("constants", constant->dtype, constant->shape, limit));
  return constant->materialize();
}

StatusOr<std::unique_ptr<CutPlan>>
CutPlan::make(std::shared_ptr<const CutGraph> graph, int depth,
              SessionServices &services) {
  auto plan = std::make_unique<CutPlan>(graph);
  const uint64_t id =
      services.numCutPlans.fetch_add(1, std::memory_order_relaxed);
  const PipelineFunctions functions(plan->graph.functions, services);
  plan->constants.resize(plan->graph.values.size());
  for (size_t i = 0; i < plan->constants.size(); ++i)
    if (const CutValue &value = plan->graph.values[i]; value.isConstant) {
      if (value.tensor.isConstant()) {
        plan->constants[i] = Tensor::scalar<int32_t>(value.tensor.number());
        continue;
      }
      auto constant = constantOf(*value.tensor.output().node,
                                 services.options.limits.maxRunBytes);
      if (!constant.ok())
        return constant.status().withNode(value.tensor.output().node->name());
      plan->constants[i] = *std::move(constant);
    }
  for (const CutUnit &unit : plan->graph.units) {
    plan->parts.push_back({unit.part, id, plan->parts.size(), depth});
    std::unique_ptr<BlockingOp> &op = plan->ops.emplace_back();
    Inner &inner = plan->regions.emplace_back();
    auto makeInner = [&](const CutGraph &block) {
      return make({unit.region, &block}, depth, services);
    };
    if (unit.region) {
      KILN_ASSIGN_OR_RETURN(inner.first, makeInner(unit.region->first));
      KILN_ASSIGN_OR_RETURN(inner.second, makeInner(unit.region->second));
    } else if (unit.usesSlots) {
      op = bindSlotOp(unit);
    } else if (unit.node) {
      auto bound = bindBlockingOp(*unit.node, {unit.handles, services.resources,
                                               services.files, &functions,
                                               services.options.communicator});
      if (!bound.ok())
        return bound.status().withNode(unit.name);
      op = *std::move(bound);
    }
  }
  return plan;
}

Status CutPlan::prepareParts(std::span<const FeedView> feeds,
                             SessionServices &services,
                             const WaitControl &control) const {
  for (size_t unit = 0; unit < graph.units.size(); ++unit) {
    if (graph.units[unit].part)
      if (auto known = knownFeeds(graph, graph.units[unit], feeds))
        KILN_RETURN_IF_ERROR(services.programs
                                 ->find({.source = ProgramSource::CutPart,
                                         .part = &parts[unit],
                                         .feeds = known->views,
                                         .needsNative = true},
                                        control)
                                 .status());
    for (const CutPlan *inner :
         {regions[unit].first.get(), regions[unit].second.get()})
      if (inner)
        KILN_RETURN_IF_ERROR(inner->prepareParts({}, services, control));
  }
  return okStatus();
}

/// Counts the ops of a cut block that `isCounted`.
template <class Fn>
static int64_t countOps(const CutGraph &graph, const Fn &isCounted) {
  int64_t count = 0;
  for (const CutUnit &unit : graph.units)
    if (unit.region)
      count += countOps(unit.region->first, isCounted) +
               countOps(unit.region->second, isCounted);
    else if (unit.node)
      count += isCounted(*unit.node);
  return count;
}

int64_t CutPlan::numOps() const {
  return countOps(graph, [](const Node &) { return true; });
}

int64_t CutPlan::numForeignOps() const {
  return countOps(
      graph, [](const Node &node) { return isForeign(*lookupOp(node.op())); });
}

std::optional<PartFeeds> knownFeeds(const CutGraph &graph, const CutUnit &part,
                                    std::span<const FeedView> runFeeds) {
  PartFeeds known;
  known.shapes.reserve(part.inputs.size());
  for (int input : part.inputs) {
    const CutValue &value = graph.values[static_cast<size_t>(input)];
    auto feed = static_cast<size_t>(value.feed);
    if (value.feed >= 0 && feed < runFeeds.size()) {
      known.views.push_back(runFeeds[feed]);
      continue;
    }
    if (!value.tensor.isTensor())
      return std::nullopt;
    const Output &output = value.tensor.output();
    if (output.index >= output.node->numOutputs())
      return std::nullopt;
    Shape shape = staticShape(output);
    if (!shape.hasRank() || value.isAsked)
      return std::nullopt;
    for (int d = 0; d < shape.rank(); ++d)
      if (shape.dim(d) == Shape::unknownDim)
        shape.setDim(d, anyExtentButOne);
    FeedView &view = known.views.emplace_back();
    view.dtype = output.dtype();
    view.dims = known.shapes.emplace_back(std::move(shape)).dims();
  }
  return known;
}

} // namespace kiln
