// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds the units of a cut run, and finds the code of its parts.
#include "lib/Exec/CutPlan.h"

#include "lib/Compile/ProgramCompiler.h"
#include "lib/Exec/Frame.h"
#include "lib/Exec/SlotOps.h"
#include "lib/HostKernels/HostKernels.h"
#include "lib/OpDefs/Foreign.h"
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {

static StatusOr<std::unique_ptr<BlockingOp>>
bindBlockingOp(const Node &node, const BlockingSite &site) {
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
  plan->depth = depth;
  plan->id = services.numCutPlans.fetch_add(1, std::memory_order_relaxed);
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
      auto bound = bindBlockingOp(
          *unit.node, {unit.handles, services.resources, services.files});
      if (!bound.ok())
        return bound.status().withNode(unit.name);
      op = *std::move(bound);
    }
  }
  return plan;
}

StatusOr<CompileCache::Found>
CutPlan::findPart(size_t unit, std::span<const FeedView> feeds,
                  bool needsNative, SessionServices &services,
                  SignatureKey &key, const Patience &patience,
                  bool regions) const {
  // No request has so many feeds and fetches (makeSignatureKey).
  constexpr uint64_t mark = ~uint64_t(0);
  key.assign({mark, id << 32 | unit});
  for (const FeedView &feed : feeds)
    key.push_back(static_cast<uint64_t>(feed.dtype) << 32 | feed.dims.size());
  if (regions)
    addRegionsMark(key);
  needsNative |= regions;
  needsNative &= services.options.mode != ExecutionMode::EvaluatorOnly;
  return services.cache->findOrCompile(
      key, feeds, needsNative, patience,
      [&](bool replaces) {
        CodeChoice choice =
            chooseCode(services.options, needsNative || replaces, regions);
        return CompileTask::make(
            feeds, graph.units[unit].part->args,
            [part = graph.units[unit].part, choice, depth = depth, &services](
                std::span<const FeedView> own, const CompileControl &control) {
              return compilePart(*part, own, choice, depth, services, control);
            });
      },
      services.owner.lock());
}

Status CutPlan::prepareParts(std::span<const FeedView> feeds,
                             SessionServices &services,
                             const Patience &patience) const {
  SignatureKey key;
  for (size_t unit = 0; unit < graph.units.size(); ++unit) {
    if (graph.units[unit].part)
      if (auto known = knownFeeds(graph, graph.units[unit], feeds))
        KILN_RETURN_IF_ERROR(
            findPart(unit, known->views, true, services, key, patience)
                .status());
    for (const CutPlan *inner :
         {regions[unit].first.get(), regions[unit].second.get()})
      if (inner)
        KILN_RETURN_IF_ERROR(inner->prepareParts({}, services, patience));
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
  constexpr int64_t notOne = 2;
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
        shape.setDim(d, notOne);
    FeedView &view = known.views.emplace_back();
    view.dtype = output.dtype();
    view.dims = known.shapes.emplace_back(std::move(shape)).dims();
  }
  return known;
}

} // namespace kiln
