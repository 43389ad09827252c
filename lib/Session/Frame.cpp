// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds shapes to a frame (symbols, guards, result shapes, arena layout), and
// what runs need seldom: the evaluator, errors, figures.
#include "lib/Session/Frame.h"

#include "lib/JIT/Compiler.h"
#include "lib/Session/CompileCache.h"
#include "lib/Session/CutFrame.h"
#include "lib/Session/EvaluatorCode.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {

Frame::Frame(const Program &program)
    : owner(program), state(makeRunState(&context)),
      sessionScope(&program.services.token, &state),
      tail(program.services.arenas,
           program.services.options.limits.maxRunBytes),
      strings(program), slots(program.services.arenas,
                              program.services.options.limits.maxRunBytes) {
  if (program.cut)
    cut = std::make_unique<CutFrame>(*program.cut, program.services, state,
                                     context);
  context.strings = &strings.made();
  context.slots = &slots;
  context.tail = &tail;
  context.streams = program.streams;
  context.variableNames = program.variableNames;
  context.maxThreads = program.services.options.threads;
  for (const ImportedTensor &feed : program.feeds) {
    feedStates.push_back({feed.dtype,
                          static_cast<uint8_t>(dtypeSize(feed.dtype)),
                          static_cast<uint16_t>(feed.dims.size()),
                          static_cast<uint32_t>(feedDims.size())});
    feedDims.resize(feedDims.size() + feed.dims.size(), -1);
  }
  results.resize(program.results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    results[i].dtype = program.results[i].dtype;
    for (Dim dim : program.results[i].dims)
      results[i].isLate |= program.symbols.isInRun(dim);
    hasLateResults |= results[i].isLate;
  }

  // The order of runtime/Abi.h.
  buffers.resize(program.feeds.size());
  // The last ones may not be used.
  size_t tableConstants =
      program.native
          ? static_cast<size_t>(program.native->layout().counts.constants)
          : 0;
  for (size_t i = 0; i < tableConstants; ++i)
    buffers.push_back(const_cast<void *>(program.constants[i].rawData()));
  for (const Program::Variable &variable : program.variables)
    buffers.push_back(variable.slot->data());
  for (const Program::Variable &variable : program.variables)
    buffers.push_back(variable.slot->initializedByte());
  firstResult = buffers.size();
  firstTemporary = firstResult + results.size();
  size_t temporaries =
      program.native ? program.native->layout().temporaries.size() : 0;
  buffers.resize(firstTemporary + temporaries);
  tenants.resize(temporaries);
  for (size_t i = 0; i < temporaries; ++i)
    if (isLate(i))
      lateTemporaries.push_back(i);
}

Frame::~Frame() = default;

Status Frame::bind(std::span<const FeedView> feeds) {
  bool isSame = isBound;
  for (size_t i = 0; isSame && i < feeds.size(); ++i)
    isSame = std::equal(feeds[i].dims.begin(), feeds[i].dims.end(),
                        feedDims.begin() + feedStates[i].firstDim);
  isBound = false;
  if (isSame) {
    KILN_RETURN_IF_ERROR(takeArena());
    isBound = true;
    return okStatus();
  }
  constexpr size_t inlineFeeds = 16;
  FeedShape fewShapes[inlineFeeds];
  std::vector<FeedShape> manyShapes(feeds.size() > inlineFeeds ? feeds.size()
                                                               : 0);
  std::span<FeedShape> shapes = manyShapes.empty()
                                    ? std::span(fewShapes, feeds.size())
                                    : std::span<FeedShape>(manyShapes);
  for (size_t i = 0; i < feeds.size(); ++i) {
    shapes[i] = feeds[i].dims;
    std::copy(feeds[i].dims.begin(), feeds[i].dims.end(),
              feedDims.begin() + feedStates[i].firstDim);
  }
  KILN_RETURN_IF_ERROR(owner.symbols.evaluate(shapes, symbols));
  KILN_RETURN_IF_ERROR(bindResults(/*isLate=*/false));
  KILN_RETURN_IF_ERROR(layOutArena());
  KILN_RETURN_IF_ERROR(takeArena());
  isBound = true;
  return okStatus();
}

static Status tooManyBytes(std::string_view what, int64_t bytes,
                           int64_t limit) {
  return resourceExhaustedError(strCat("expected a run of at most ", limit,
                                       " bytes, got ", bytes, " bytes of ",
                                       what));
}

Status Frame::bindResults(bool isLate) {
  int64_t limit = owner.services.options.limits.maxRunBytes;
  CheckedInt64 total;
  for (size_t i = 0; i < results.size(); ++i) {
    ResultState &result = results[i];
    if (result.isLate != isLate)
      continue;
    const Dims &dims = owner.results[i].dims;
    CheckedInt64 bytes = static_cast<int64_t>(dtypeSize(result.dtype));
    if (result.shape.rank() != static_cast<int>(dims.size()))
      result.shape = Shape::unknownDims(static_cast<int>(dims.size()));
    for (size_t d = 0; d < dims.size(); ++d) {
      int64_t extent = evaluateDim(dims[d], symbols);
      if (extent < 0)
        return invalidArgumentError(
                   strCat("expected a dimension of at least 0 in fetch ", i,
                          ", got ", extent))
            .withNode(owner.results[i].node);
      result.shape.setDim(static_cast<int>(d), extent);
      bytes *= extent;
    }
    total += bytes;
    if (total.overflowed())
      return resourceExhaustedError("the results have more than 2^63 - 1 bytes")
          .withNode(owner.results[i].node);
    if (*total.value() > limit)
      return tooManyBytes("results", *total.value(), limit)
          .withNode(owner.results[i].node);
    result.bytes = static_cast<size_t>(*bytes.value());
  }
  return okStatus();
}

/// The node to blame where the arena is too large.
std::string_view Frame::largestTemporary() const {
  auto largest = std::max_element(tenants.begin(), tenants.end(),
                                  // -1, a size that overflows, is the largest.
                                  [](const auto &a, const auto &b) {
                                    return static_cast<uint64_t>(a.bytes) <
                                           static_cast<uint64_t>(b.bytes);
                                  });
  return owner.native->layout()
      .temporaries[static_cast<size_t>(largest - tenants.begin())]
      .node;
}

bool Frame::isLate(size_t temporary) const {
  for (const Temporary::Extent &extent :
       owner.native->layout().temporaries[temporary].extents)
    if (extent.symbol >= 0 &&
        owner.symbols.defs[static_cast<size_t>(extent.symbol)].inRun)
      return true;
  return false;
}

Status Frame::layOutArena() {
  if (tenants.empty())
    return okStatus();
  const auto &temporaries = owner.native->layout().temporaries;
  for (size_t i = 0; i < tenants.size(); ++i) {
    // What the run finds out lies in the tail.
    CheckedInt64 bytes = isLate(i) ? 0 : temporaries[i].elementBytes;
    for (const Temporary::Extent &extent : temporaries[i].extents)
      bytes *= extent.symbol < 0 ? extent.value
                                 : symbols[static_cast<size_t>(extent.symbol)];
    tenants[i] = {bytes.value().value_or(-1), temporaries[i].first,
                  temporaries[i].last};
  }
  if (Status placed = layout.place(tenants); !placed.ok())
    return placed.withNode(largestTemporary());
  int64_t limit = owner.services.options.limits.maxRunBytes;
  if (static_cast<int64_t>(layout.bytes()) > limit)
    return tooManyBytes("temporary values",
                        static_cast<int64_t>(layout.bytes()), limit)
        .withNode(largestTemporary());
  isPlaced = false;
  return okStatus();
}

Status Frame::takeArena() {
  if (arena.size() < layout.bytes()) {
    arena = Arena(); // first given back: the pool may be able to enlarge it
    auto taken = owner.services.arenas.take(layout.bytes());
    if (!taken.ok())
      return taken.status().withNode(largestTemporary());
    arena = *std::move(taken);
  }
  if (isPlaced && arena.data() == arenaStart)
    return okStatus();
  isPlaced = true;
  arenaStart = arena.data();
  for (size_t i = 0; i < tenants.size(); ++i)
    buffers[firstTemporary + i] =
        static_cast<char *>(arenaStart) + layout.offsets()[i];
  return okStatus();
}

Status Frame::failure() {
  if (state.errorCode == 0 || !owner.native)
    return runStatus(state, {}, owner.variableNames);
  std::string_view variable;
  int64_t number = state.errorValues[0];
  if (static_cast<ErrorKind>(state.errorKind) == ErrorKind::GuardFailed &&
      number >= 0 &&
      static_cast<uint64_t>(number) < owner.symbols.guards.size())
    return guardError(owner.symbols.guards[static_cast<size_t>(number)],
                      symbols);
  if (number >= 0 && static_cast<uint64_t>(number) < owner.variableNames.size())
    variable = owner.variableNames[static_cast<size_t>(number)];
  return recordedError(state, owner.native->node(state.errorNode), variable);
}

Status Frame::evaluate(std::span<const Tensor> feeds,
                       std::span<const int> places, std::span<Tensor> given) {
  auto turn = owner.evaluator->enter(&state);
  if (!turn)
    return failure();
  VariableLocks locks(owner.locks);
  KILN_RETURN_IF_ERROR(lock(locks));
  // The evaluator's typed loops need elements at multiples of their size.
  std::vector<Tensor> values(feeds.begin(), feeds.end());
  for (size_t i = 0; i < values.size(); ++i)
    if (reinterpret_cast<uintptr_t>(values[i].rawData()) %
            feedStates[i].elementBytes !=
        0) {
      auto copy = values[i].clone();
      if (!copy.ok())
        return copy.status().withNode(owner.feeds[i].node);
      values[i] = *std::move(copy);
    }
  KILN_ASSIGN_OR_RETURN(
      std::vector<Tensor> made,
      owner.evaluator->run(owner, values, symbols, locks, &state));
  for (size_t i = 0; i < places.size(); ++i)
    given[i] = places[i] < 0 ? Tensor()
                             : std::move(made[static_cast<size_t>(places[i])]);
  return okStatus();
}

void Frame::fillStats(RunStats &stats) const {
  if (cut) {
    // Its parts have told the rest.
    for (const CutUnit &unit : owner.cut->graph.units)
      stats.opsRuntime += unit.node != nullptr;
    stats.cacheBytes = owner.services.cache->bytes();
    stats.compilations = owner.services.cache->compilations();
    return;
  }
  stats.executor = owner.native ? Executor::Native : Executor::Evaluator;
  stats.fromDisk = owner.stats.fromDisk;
  stats.degraded = owner.degraded();
  stats.opsNative = owner.stats.opsNative;
  stats.opsQuick = owner.stats.opsQuick;
  stats.opsRuntime = owner.stats.opsRuntime;
  stats.opsEvaluator = owner.stats.opsEvaluator;
  stats.opsFolded = owner.stats.opsFolded;
  stats.arenaBytes = static_cast<int64_t>(layout.bytes());
  stats.codeBytes = owner.codeBytes();
}

void Frame::watchRegions() {
  if (!owner.native || owner.native->layout().regions.empty())
    return;
  regionMarks.assign(2 * owner.native->layout().regions.size(), 0);
  context.regionMarks = regionMarks.data();
}

void Frame::fillRegions(RunStats &stats) const {
  for (size_t i = 0; 2 * i < regionMarks.size(); ++i) {
    const CodeRegion &region = owner.native->layout().regions[i];
    int64_t begin = regionMarks[2 * i], end = regionMarks[2 * i + 1];
    if (end != 0) // reached
      stats.regions.push_back({region.name, region.nodes, begin, end - begin,
                               region.flops.evaluate(symbols),
                               region.bytesRead.evaluate(symbols),
                               region.bytesWritten.evaluate(symbols)});
  }
}

} // namespace kiln
