// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs units as they become ready: parts first, then ops that cut; sleeps when
// there is nothing else to do.
#include "lib/Exec/CutFrame.h"

#include "lib/Exec/FrameLease.h"
#include "lib/Exec/RunFigures.h"
#include "lib/Exec/SlotOps.h"
#include "lib/OpDefs/Foreign.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/threads/Futex.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>

namespace kiln {
namespace {

/// For what a branch that is not taken would give: of all that takes it nothing
/// runs that looks at it.
StatusOr<Tensor> noValueOf(const CutValue &value, int64_t limit) {
  if (value.isSlot)
    return Tensor::scalar(noSlot);
  const Output &output = value.tensor.output();
  const Node &node = *output.node;
  Shape shape;
  if (output.index < node.numOutputs())
    shape = staticShape(output);
  if (!shape.hasRank())
    shape = Shape();
  for (int d = 0; d < shape.rank(); ++d)
    if (shape.dim(d) == Shape::unknownDim)
      shape.setDim(d, 1);
  Status fits = checkRunBytes("results", output.dtype(), shape, limit);
  auto none = fits.ok() ? Tensor::create(output.dtype(), shape)
                        : StatusOr<Tensor>(std::move(fits));
  return none.ok() ? std::move(none) : none.status().withNode(node.name());
}

} // namespace

CutFrame::CutFrame(const CutPlan &plan, SessionServices &services,
                   KilnRunState &state, RunContext &context)
    : plan(plan), services(services), state(state), context(context),
      values(plan.constants), attempts(plan.graph.units.size()),
      regions(plan.graph.units.size()) {}

Status CutFrame::run(std::span<const Tensor> feeds, std::span<const int> places,
                     std::span<Tensor> results, const RunControl &control) {
  begin(feeds, places, results);
  if (control.stats)
    control.stats->executor =
        services.options.mode == ExecutionMode::EvaluatorOnly
            ? Executor::Evaluator
            : Executor::Native;
  Status status = runUnits(control);
  if (status.ok())
    status = giveResults(places, results);
  clear();
  return status;
}

void CutFrame::begin(std::span<const Tensor> feeds, std::span<const int> places,
                     std::span<Tensor> results) {
  const CutGraph &graph = plan.graph;
  for (size_t i = 0; i < values.size(); ++i)
    if (graph.values[i].feed >= 0)
      values[i] = feeds[static_cast<size_t>(graph.values[i].feed)];
  // The part that makes a fetch may write the result of the last call again.
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i] < 0)
      continue;
    int value = graph.fetches[static_cast<size_t>(places[i])];
    const CutValue &info = graph.values[static_cast<size_t>(value)];
    if (info.feed < 0 && !info.isConstant && !info.isShared &&
        info.numUses == 1)
      values[static_cast<size_t>(value)] = std::move(results[i]);
  }
  beginUnits(true);
}

void CutFrame::beginBlock(std::span<Tensor> feeds) {
  const CutGraph &graph = plan.graph;
  for (size_t i = 0; i < values.size(); ++i)
    if (graph.values[i].feed >= 0)
      values[i] = std::move(feeds[static_cast<size_t>(graph.values[i].feed)]);
  beginUnits(true);
}

void CutFrame::beginSteps() { beginUnits(false); }

void CutFrame::beginUnits(bool areFeedsThere) {
  numLeft = plan.graph.units.size();
  isInSteps = !areFeedsThere;
  for (const CutUnit &unit : plan.graph.units) {
    if (unit.numBefore == 0 && (areFeedsThere || unit.feed < 0))
      ready.push_back(numBefore.size());
    numBefore.push_back(unit.numBefore);
  }
}

void CutFrame::arrive(int feed, const Tensor &value) {
  const CutGraph &graph = plan.graph;
  for (size_t unit = 0; unit < graph.units.size(); ++unit)
    if (const CutUnit &arrival = graph.units[unit]; arrival.feed == feed) {
      values[static_cast<size_t>(arrival.outputs[0])] = value;
      complete(unit);
    }
}

Status CutFrame::runStep(std::span<const int> fetches,
                         const RunControl &control) {
  return runUnits(control, [&] {
    return std::all_of(fetches.begin(), fetches.end(), [&](int fetch) {
      int value = plan.graph.fetches[static_cast<size_t>(fetch)];
      return values[static_cast<size_t>(value)].isValid();
    });
  });
}

Status CutFrame::runUnits(const RunControl &control,
                          const std::function<bool()> &isEnough) {
  using Clock = std::chrono::steady_clock;
  for (;;) {
    // Read before looking: what happens in between changes it.
    uint32_t seen = context.events.load(std::memory_order_acquire);
    KILN_ASSIGN_OR_RETURN(bool hasEnded, advance(control));
    if (hasEnded || (isEnough && isEnough()))
      return okStatus();
    if (cancelCode(&state) != 0)
      return cancelled();
    Clock::time_point begin;
    if (control.stats)
      begin = Clock::now();
    futexWait(context.events, seen);
    if (control.stats)
      control.stats->waitNs +=
          std::chrono::nanoseconds(Clock::now() - begin).count();
  }
}

StatusOr<bool> CutFrame::advance(const RunControl &control) {
  bool hasMore = true;
  while (hasMore) {
    KILN_RETURN_IF_ERROR(runReady(control));
    KILN_ASSIGN_OR_RETURN(hasMore, collect(control));
  }
  // In a run in steps the units that are left wait for feeds.
  if (pending.empty() && numLeft != 0 && !isInSteps)
    return internalError(strCat("expected units in an order, got ", numLeft,
                                " that wait for each other"));
  return pending.empty();
}

Status CutFrame::runReady(const RunControl &control) {
  while (!ready.empty()) {
    // Parts never wait; the order of units decides between equals.
    auto next =
        std::min_element(ready.begin(), ready.end(), [&](size_t a, size_t b) {
          bool isOpA = unitAt(a).node, isOpB = unitAt(b).node;
          return isOpA != isOpB ? isOpB : a < b;
        });
    size_t unit = *next;
    ready.erase(next);
    KILN_RETURN_IF_ERROR(unitAt(unit).region ? beginRegion(unit, control)
                         : unitAt(unit).node ? beginOp(unit)
                                             : runPart(unit, control));
  }
  return okStatus();
}

Status CutFrame::runPart(size_t unit, const RunControl &control) {
  const CutUnit &part = unitAt(unit);
  inputs.clear();
  views.clear();
  for (int value : part.inputs)
    inputs.push_back(values[static_cast<size_t>(value)]);
  for (const Tensor &input : inputs)
    views.emplace_back(input);
  outputs.resize(part.outputs.size());
  identity.resize(outputs.size());
  std::iota(identity.begin(), identity.end(), 0);
  for (size_t i = 0; i < outputs.size(); ++i)
    outputs[i] = std::move(values[static_cast<size_t>(part.outputs[i])]);

  RunStats stats;
  RunControl partControl = control;
  partControl.stats = control.stats ? &stats : nullptr;
  FrameLease lease;
  bool isHit = false;
  Status status =
      findAndRun(lease, {views, inputs, identity, outputs, partControl},
                 [&](FrameLease &taken) -> Status {
                   KILN_ASSIGN_OR_RETURN(FoundProgram found,
                                         services.programs->find(
                                             {.source = ProgramSource::CutPart,
                                              .part = &plan.parts[unit],
                                              .feeds = views,
                                              .regions = control.regions},
                                             control));
                   isHit = found.isHit;
                   taken = FrameLease(std::move(found.program));
                   return okStatus();
                 });
  if (control.stats && lease) {
    addPartFigures(stats, *control.stats);
    control.stats->cacheHit &= isHit;
    if (!isHit)
      addCompileFigures(lease.program()->stats, *control.stats);
  }
  KILN_RETURN_IF_ERROR(status);
  for (size_t i = 0; i < outputs.size(); ++i)
    values[static_cast<size_t>(part.outputs[i])] = std::move(outputs[i]);
  complete(unit);
  return okStatus();
}

Tensor CutFrame::takeOrShare(int value) {
  if (value < 0)
    return Tensor();
  const CutValue &info = plan.graph.values[static_cast<size_t>(value)];
  Tensor &tensor = values[static_cast<size_t>(value)];
  return info.isSlot && info.numUses == 1 ? std::move(tensor) : tensor;
}

StatusOr<Tensor> CutFrame::takeOrCopy(int value) {
  Tensor &tensor = values[static_cast<size_t>(value)];
  const CutValue &info = plan.graph.values[static_cast<size_t>(value)];
  if (info.isSlot)
    return takeOrShare(value);
  if (info.feed < 0 && !info.isConstant && !info.isShared && info.numUses == 1)
    return std::move(tensor);
  if (tensor.dtype() == DType::Variant) // an object that nobody changes
    return tensor;
  if (tensor.dtype() == DType::String) { // the pool's memory holds no objects
    auto copy = tensor.clone();
    if (!copy.ok())
      return copy.status().withNode(info.nodeName());
    return copy;
  }
  auto buffer = services.buffers.allocate(tensor.byteSize());
  if (!buffer.ok())
    return buffer.status().withNode(info.nodeName());
  if (tensor.byteSize() != 0)
    std::memcpy((*buffer)->data, tensor.rawData(), tensor.byteSize());
  return Tensor::fromBuffer(tensor.dtype(), tensor.shape(), *std::move(buffer));
}

Status CutFrame::beginOp(size_t unit) {
  const CutUnit &op = unitAt(unit);
  if (!attempts[unit])
    attempts[unit] = plan.ops[unit]->makeAttempt();
  auto begin = [&]() -> StatusOr<bool> {
    inputs.clear();
    for (int value : op.inputs)
      if (value >= 0) {
        KILN_ASSIGN_OR_RETURN(inputs.emplace_back(), takeOrCopy(value));
      }
    outputs.assign(op.outputs.size(), Tensor());
    return attempts[unit]->begin(inputs, outputs, context);
  };
  StatusOr<bool> hasEnded = begin();
  inputs.clear(); // what the op has not taken goes
  if (!hasEnded.ok())
    return hasEnded.status().withNode(op.name);
  if (*hasEnded)
    completeOp(unit);
  else
    pending.push_back(unit);
  return okStatus();
}

void CutFrame::completeOp(size_t unit) {
  for (size_t i = 0; i < outputs.size(); ++i)
    if (int value = unitAt(unit).outputs[i];
        value >= 0 && plan.graph.values[static_cast<size_t>(value)].numUses > 0)
      values[static_cast<size_t>(value)] = std::move(outputs[i]);
  complete(unit);
}

Status CutFrame::beginRegion(size_t unit, const RunControl &control) {
  if (!regions[unit])
    regions[unit] = std::make_unique<RegionRun>(
        unitAt(unit), plan.regions[unit], services, state, context);
  inputs.clear();
  for (int value : unitAt(unit).inputs)
    inputs.push_back(takeOrShare(value));
  KILN_RETURN_IF_ERROR(
      regions[unit]->begin(inputs).withNode(unitAt(unit).name));
  inputs.clear();
  KILN_ASSIGN_OR_RETURN(bool hasEnded, regions[unit]->advance(control));
  if (hasEnded)
    return completeRegion(unit);
  pending.push_back(unit);
  return okStatus();
}

Status CutFrame::completeRegion(size_t unit) {
  std::span<const Tensor> given = regions[unit]->results();
  const CutUnit &region = unitAt(unit);
  for (size_t i = 0; i < region.outputs.size(); ++i) {
    int value = region.outputs[i];
    if (value < 0)
      continue;
    Tensor &result = values[static_cast<size_t>(value)];
    result = given[i];
    if (!result.isValid()) {
      KILN_ASSIGN_OR_RETURN(
          result, noValueOf(plan.graph.values[static_cast<size_t>(value)],
                            services.options.limits.maxRunBytes));
    }
  }
  regions[unit]->clear();
  complete(unit);
  return okStatus();
}

StatusOr<bool> CutFrame::collect(const RunControl &control) {
  bool hasEnded = false;
  for (size_t i = 0; i < pending.size();) {
    size_t unit = pending[i];
    const CutUnit &waiting = unitAt(unit);
    bool ends = false;
    if (waiting.region) {
      KILN_ASSIGN_OR_RETURN(ends, regions[unit]->advance(control));
    } else {
      ends = attempts[unit]->hasEnded();
    }
    if (!ends) {
      ++i;
      continue;
    }
    hasEnded = true;
    pending.erase(pending.begin() + static_cast<ptrdiff_t>(i));
    if (waiting.region) {
      KILN_RETURN_IF_ERROR(completeRegion(unit));
      continue;
    }
    outputs.assign(waiting.outputs.size(), Tensor());
    KILN_RETURN_IF_ERROR(attempts[unit]->end(outputs).withNode(waiting.name));
    completeOp(unit);
  }
  return hasEnded;
}

const BlockingOp *CutFrame::pendingOp(std::string &name) const {
  for (size_t unit : pending) {
    if (!unitAt(unit).region) {
      name = unitAt(unit).name;
      return plan.ops[unit].get();
    }
    if (const BlockingOp *op = regions[unit]->pendingOp(name))
      return op;
  }
  return nullptr;
}

Status CutFrame::cancelled() const {
  std::string node;
  const BlockingOp *op = pendingOp(node);
  if (cancelCode(&state) == static_cast<int32_t>(StatusCode::DeadlineExceeded))
    return errorStatus(ErrorKind::DeadlineExceeded, node);
  return Status(StatusCode::Cancelled, std::string(op->cancelledText()), node);
}

void CutFrame::complete(size_t unit) {
  --numLeft;
  for (int user : unitAt(unit).users)
    if (--numBefore[static_cast<size_t>(user)] == 0)
      ready.push_back(static_cast<size_t>(user));
}

Status CutFrame::giveResults(std::span<const int> places,
                             std::span<Tensor> results) {
  for (size_t i = 0; i < places.size(); ++i) {
    results[i] = Tensor();
    if (places[i] >= 0) {
      KILN_ASSIGN_OR_RETURN(
          results[i],
          takeOrCopy(plan.graph.fetches[static_cast<size_t>(places[i])]));
    }
  }
  return okStatus();
}

void CutFrame::clear() {
  for (const std::unique_ptr<BlockingAttempt> &attempt : attempts)
    if (attempt)
      attempt->abandon();
  for (const std::unique_ptr<RegionRun> &region : regions)
    if (region)
      region->clear();
  pending.clear();
  ready.clear();
  numBefore.clear();
  views.clear();
  inputs.clear();
  outputs.clear();
  for (size_t i = 0; i < values.size(); ++i)
    if (!plan.graph.values[i].isConstant)
      values[i] = Tensor();
}

namespace {

/// A cut run in a frame as others have.
class CutRunFrame : public Frame {
public:
  CutRunFrame(const Program &program, const CutPlan &plan)
      : Frame(program), plan(plan),
        units(plan, program.services, state, context) {}

  void fillStats(RunStats &stats) const override {
    // Its parts have told the rest.
    stats.opsRuntime += plan.numOps();
    stats.opsForeign += plan.numForeignOps();
    owner.services.programs->fillStats(stats);
  }

private:
  Status bindMemory(bool) override { return okStatus(); }
  Status execute(std::span<const Tensor> feeds, std::span<const int> places,
                 std::span<Tensor> given, const RunControl &control) override {
    return units.run(feeds, places, given, control);
  }

  const CutPlan &plan;
  CutFrame units;
};

} // namespace

std::unique_ptr<Frame> CutPlan::makeFrame(const Program &program) const {
  return std::make_unique<CutRunFrame>(program, *this);
}

int64_t CutPlan::bytes() const {
  return static_cast<int64_t>(
      graph.units.size() * (sizeof(CutUnit) + sizeof(BlockingOp)) +
      graph.values.size() * (sizeof(CutValue) + sizeof(Tensor)));
}

} // namespace kiln
