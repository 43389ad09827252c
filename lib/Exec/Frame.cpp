// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all executors' runs share: shapes, locks, cancelling, the error slot. No
// MLIR header: it is optimized in every build.
#include "lib/Exec/Frame.h"

#include "lib/Compiled/OpFigures.h"

#include "lib/Exec/ProgramExecutor.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <chrono>

namespace kiln {

static int64_t steadyNs() {
  return std::chrono::nanoseconds(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void setUpContext(RunContext &context, const SessionServices &services,
                  RunStrings &strings, SlotTable &slots) {
  context.maxThreads = services.options.threads;
  context.files = &services.files;
  context.strings = &strings;
  context.slots = &slots;
}

Frame::Frame(const Program &program)
    : owner(program), state(makeRunState(&context)),
      sessionScope(&program.services.token, &state),
      tail(program.services.arenas,
           program.services.options.limits.maxRunBytes),
      strings(program), slots(program.services.arenas,
                              program.services.options.limits.maxRunBytes) {
  setUpContext(context, program.services, strings.made(), slots);
  context.tail = &tail;
  context.state = &state;
  context.streams = program.binding.streams;
  context.bodies = program.binding.bodyPlaces;
  context.variables = program.binding.slots;
  const FunctionInterface &interface = program.interface();
  for (const ImportedTensor &feed : interface.feeds) {
    feedStates.push_back({feed.dtype,
                          static_cast<uint8_t>(dtypeSize(feed.dtype)),
                          static_cast<uint16_t>(feed.dims.size()),
                          static_cast<uint32_t>(feedDims.size())});
    feedDims.resize(feedDims.size() + feed.dims.size(), -1);
  }
  results.resize(interface.fetches.size());
  for (size_t i = 0; i < results.size(); ++i) {
    results[i].dtype = interface.fetches[i].dtype;
    for (Dim dim : interface.fetches[i].dims)
      results[i].isLate |= interface.symbols.isInRun(dim);
    hasLateResults |= results[i].isLate;
  }
}

Frame::~Frame() = default;

bool Frame::fits(std::span<const Tensor> feeds) const {
  if (!isBound)
    return false;
  for (size_t i = 0; i < feedStates.size(); ++i) {
    const FeedState &expected = feedStates[i];
    const Tensor &feed = feeds[i];
    const int64_t *bound = feedDims.data() + expected.firstDim;
    std::span<const int64_t> dims = feed.shape().dims();
    if (feed.dtype() != expected.dtype || dims.size() != expected.rank)
      return false;
    for (size_t d = 0; d < dims.size(); ++d)
      if (dims[d] != bound[d])
        return false;
  }
  for (const FedValue &fed : owner.interface().fedValues)
    if (!feeds[static_cast<size_t>(fed.feed)].hasSameBits(fed.value))
      return false;
  return owner.binding.openShapes.empty() ||
         openShapes == owner.binding.presentShapes();
}

static Status staleShapesError() {
  return abortedError("a variable without a static shape got another one");
}

Status Frame::bind(std::span<const FeedView> feeds) {
  bool isSame = isBound;
  hasStaleShapes = owner.isOutdated();
  if (!owner.binding.openShapes.empty()) {
    std::vector<Shape> shapes = owner.binding.presentShapes();
    hasStaleShapes = !owner.matches(feeds, shapes);
    isSame &= openShapes == shapes;
    openShapes = std::move(shapes);
  }
  for (size_t i = 0; isSame && i < feeds.size(); ++i)
    isSame = std::equal(feeds[i].dims.begin(), feeds[i].dims.end(),
                        feedDims.begin() + feedStates[i].firstDim);
  isBound = false;
  if (hasStaleShapes) [[unlikely]]
    return staleShapesError();
  if (isSame) {
    KILN_RETURN_IF_ERROR(bindMemory(/*isChanged=*/false));
    isBound = true;
    return okStatus();
  }
  KILN_RETURN_IF_ERROR(bindSymbols(feeds));
  KILN_RETURN_IF_ERROR(bindResults(/*isLate=*/false));
  KILN_RETURN_IF_ERROR(bindMemory(/*isChanged=*/true));
  isBound = true;
  return okStatus();
}

Status Frame::bindSymbols(std::span<const FeedView> feeds) {
  constexpr size_t inlineFeeds = 16;
  FeedShape fewShapes[inlineFeeds];
  const size_t count = feeds.size() + openShapes.size();
  std::vector<FeedShape> manyShapes(count > inlineFeeds ? count : 0);
  std::span<FeedShape> shapes = manyShapes.empty()
                                    ? std::span(fewShapes, count)
                                    : std::span<FeedShape>(manyShapes);
  for (size_t i = 0; i < feeds.size(); ++i) {
    shapes[i] = feeds[i].dims;
    std::copy(feeds[i].dims.begin(), feeds[i].dims.end(),
              feedDims.begin() + feedStates[i].firstDim);
  }
  for (size_t i = 0; i < openShapes.size(); ++i)
    if (openShapes[i].hasRank())
      shapes[feeds.size() + i] = openShapes[i].dims();
  return owner.interface().symbols.evaluate(shapes, symbols);
}

bool Frame::areShapesPresent() const {
  for (size_t i = 0; i < openShapes.size(); ++i)
    if (const auto &slot = owner.binding.openShapes[i];
        slot && !(slot->shape() == openShapes[i]))
      return false;
  return true;
}

Status Frame::bindResults(bool isLate) {
  int64_t limit = owner.services.options.limits.maxRunBytes;
  CheckedInt64 total;
  for (size_t i = 0; i < results.size(); ++i) {
    ResultState &result = results[i];
    if (result.isLate != isLate)
      continue;
    const ImportedTensor &fetch = owner.interface().fetches[i];
    const Dims &dims = fetch.dims;
    int64_t elements = 1;
    if (result.shape.rank() != static_cast<int>(dims.size()))
      result.shape = Shape::unknownDims(static_cast<int>(dims.size()));
    for (size_t d = 0; d < dims.size(); ++d) {
      int64_t extent = evaluateDim(dims[d], symbols);
      if (extent < 0)
        return invalidArgumentError(
                   strCat("expected a dimension of at least 0 in fetch ", i,
                          ", got ", extent))
            .withNode(fetch.node);
      result.shape.setDim(static_cast<int>(d), extent);
      const int64_t before = elements;
      if (__builtin_mul_overflow(before, extent, &elements))
        return invalidArgumentError(
                   strCat("Encountered overflow when multiplying ", before,
                          " with ", extent, ", result: -1"))
            .withNode(fetch.node);
    }
    const CheckedInt64 bytes =
        CheckedInt64(elements) * static_cast<int64_t>(dtypeSize(result.dtype));
    total += bytes;
    if (total.overflowed())
      return resourceExhaustedError("the results have more than 2^63 - 1 bytes")
          .withNode(fetch.node);
    if (*total.value() > limit)
      return tooManyBytesInRun("results", *total.value(), limit)
          .withNode(fetch.node);
    result.bytes = static_cast<size_t>(*bytes.value());
  }
  return okStatus();
}

Status Frame::failure() { return runStatus(state, {}); }

Status Frame::lock(VariableLocks &locks) {
  if (owner.binding.locks.entries.empty())
    return okStatus();
  context.locks = &locks;
  int64_t begin = figures ? steadyNs() : 0;
  if (!locks.acquire(&state)) {
    KILN_RETURN_IF_ERROR(locks.failure());
    return failure();
  }
  if (figures) {
    figures->lockStartNs = begin;
    figures->lockNs = steadyNs() - begin;
  }
  if (!areShapesPresent() || owner.isOutdated()) [[unlikely]] {
    hasStaleShapes = true;
    return staleShapesError();
  }
  for (const VariableSlot *slot : owner.binding.mustHaveValue)
    if (!slot->isInitialized()) [[unlikely]]
      return owner.uninitializedError();
  return okStatus();
}

Status Frame::run(std::span<const Tensor> feeds, std::span<const int> places,
                  std::span<Tensor> given, const RunControl &control) {
  figures = control.stats;
  if (figures)
    figures->runStartNs = steadyNs();
  Status status;
  {
    WaitScope scope(control, &state);
    // A close() that fell between two runs of this frame.
    if (owner.services.isClosed.load(std::memory_order_relaxed)) [[unlikely]]
      requestCancel(&state, StatusCode::Cancelled);
    if (control.streams) [[unlikely]]
      status = drawFrom(*control.streams);
    if (cancelCode(&state) != 0) [[unlikely]]
      status = failure();
    else if (status.ok())
      status = execute(feeds, places, given, control);
  }
  if (control.streams) [[unlikely]]
    context.streams = owner.binding.streams;
  context.locks = nullptr;
  strings.end();
  slots.clear();
  if (mustStop(&state)) [[unlikely]] {
    state.errorCode = 0;
    __atomic_store_n(&state.cancel, 0, __ATOMIC_RELAXED);
  }
  if (figures) {
    figures->runNs = steadyNs() - figures->runStartNs;
    fillStats(*figures);
    figures = nullptr;
  }
  return status;
}

Status Frame::drawFrom(StreamTable &table) {
  ownStreams.clear();
  for (const ImportedStream &stream : owner.interface().streams) {
    auto found = table.findOrCreate(stream.place, stream.seed, stream.seed2);
    if (!found.ok())
      return found.status().withNode(stream.node);
    ownStreams.push_back(*found);
  }
  context.streams = ownStreams;
  return okStatus();
}

Status Frame::runAfter(const RunContext &begun, std::span<const Tensor> feeds,
                       std::span<const int> places, std::span<Tensor> given,
                       const RunControl &control) {
  context.streamLog = begun.streamLog;
  Status status = run(feeds, places, given, control);
  context.streamLog = nullptr;
  return status;
}

void Frame::fillStats(RunStats &stats) const {
  stats.executor =
      owner.executor->isNative() ? Executor::Native : Executor::Evaluator;
  stats.fromDisk = owner.stats.fromDisk;
  stats.degraded = owner.degraded();
  setOpCounters(stats, owner.function.ops);
  stats.codeBytes = owner.codeBytes();
}

Status tooManyBytesInRun(std::string_view what, int64_t bytes, int64_t limit) {
  return resourceExhaustedError(strCat("expected a run of at most ", limit,
                                       " bytes, got ", bytes, " bytes of ",
                                       what));
}

} // namespace kiln
