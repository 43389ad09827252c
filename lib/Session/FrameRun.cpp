// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a bound frame: feeds and results into the buffer table, locks, the call,
// the error slot. No MLIR header: it is optimized in every build.
#include "lib/Session/CutFrame.h"
#include "lib/Session/Frame.h"

#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/FloatEnv.h"
#include "runtime/Symbols.h"

#include <algorithm>
#include <cstring>

namespace kiln {
namespace {

/// Code gets a pointer even where there is nothing to point at.
alignas(bufferAlignment) char noElements[bufferAlignment];

int64_t steadyNs() {
  return std::chrono::nanoseconds(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

bool canReuse(const Tensor &result, DType dtype, const Shape &shape) {
  return result.isUnique() && result.dtype() == dtype &&
         result.shape() == shape && result.isAligned() &&
         result.bufferRef()->writable;
}

} // namespace

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
  for (const FedValue &fed : owner.fedValues)
    if (!feeds[static_cast<size_t>(fed.feed)].hasSameBits(fed.value))
      return false;
  return true;
}

Status Frame::alignFeed(size_t index, const Tensor &feed) {
  if (aligned.empty())
    aligned.resize(feedStates.size());
  BufferRef &copy = aligned[index];
  if (!copy || copy->bytes < feed.byteSize()) {
    copy.reset();
    auto made = owner.services.buffers.allocate(feed.byteSize());
    if (!made.ok())
      return outOfMemory(feed.dtype(), feed.shape(), feed.byteSize())
          .withNode(owner.feeds[index].node);
    copy = *std::move(made);
  }
  std::memcpy(copy->data, feed.rawData(), feed.byteSize());
  buffers[index] = copy->data;
  return okStatus();
}

Status Frame::bindFeedPointers(std::span<const Tensor> feeds) {
  for (size_t i = 0; i < feedStates.size(); ++i) {
    auto *data = const_cast<void *>(feeds[i].rawData());
    auto misaligned =
        reinterpret_cast<uintptr_t>(data) & (feedStates[i].elementBytes - 1u);
    if (misaligned != 0) [[unlikely]] {
      KILN_RETURN_IF_ERROR(alignFeed(i, feeds[i]));
    } else {
      buffers[i] = data ? data : noElements;
    }
  }
  return okStatus();
}

bool Frame::isFeed(const Tensor &result) {
  auto end = buffers.begin() + static_cast<ptrdiff_t>(feedStates.size());
  if (std::find(buffers.begin(), end, result.rawData()) == end)
    return false;
  // The result's place may be the only one that holds the feed's memory.
  kept.push_back(result.bufferRef());
  return true;
}

StatusOr<Tensor> Frame::allocateResult(size_t number) const {
  const ResultState &result = results[number];
  auto outOf = [&] {
    return outOfMemory(result.dtype, result.shape, result.bytes)
        .withNode(owner.results[number].node);
  };
  // Of a buffer of strings its maker destroys the elements: no pool does.
  if (result.dtype == DType::String) {
    auto made = Tensor::create(result.dtype, result.shape);
    if (!made.ok()) [[unlikely]]
      return outOf();
    return made;
  }
  auto buffer = owner.services.buffers.allocate(result.bytes);
  if (!buffer.ok()) [[unlikely]]
    return outOf();
  return Tensor::fromBuffer(result.dtype, result.shape, *std::move(buffer));
}

Status Frame::placeResult(size_t place, Tensor &given) {
  const ResultState &result = results[place];
  if ((given.isValid() && isFeed(given)) ||
      !canReuse(given, result.dtype, result.shape)) {
    KILN_ASSIGN_OR_RETURN(given, allocateResult(place));
  }
  return okStatus();
}

Status Frame::takeLateResults(std::span<const int> places,
                              std::span<Tensor> given) {
  KILN_RETURN_IF_ERROR(bindResults(/*isLate=*/true));
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i] < 0 || !results[static_cast<size_t>(places[i])].isLate)
      continue;
    auto place = static_cast<size_t>(places[i]);
    KILN_RETURN_IF_ERROR(placeResult(place, given[i]));
    const void *made = buffers[firstResult + place];
    if (results[place].dtype == DType::String)
      FrameStrings::assign(given[i], static_cast<const StringHandle *>(made));
    else if (results[place].bytes != 0)
      std::memcpy(given[i].mutableRawData(), made, results[place].bytes);
  }
  return okStatus();
}

Status Frame::bindResultPointers(std::span<const int> places,
                                 std::span<Tensor> given) {
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i] < 0) {
      if (given[i].isValid()) {
        (void)isFeed(given[i]);
        given[i] = Tensor();
      }
      continue;
    }
    if (results[static_cast<size_t>(places[i])].isLate)
      continue;
    KILN_RETURN_IF_ERROR(placeResult(static_cast<size_t>(places[i]), given[i]));
    const ResultState &result = results[static_cast<size_t>(places[i])];
    void *data = given[i].mutableRawData();
    if (result.dtype == DType::String) {
      auto bound = strings.bindResult(static_cast<size_t>(places[i]),
                                      given[i].numElements());
      if (!bound.ok()) [[unlikely]]
        return bound.status().withNode(
            owner.results[static_cast<size_t>(places[i])].node);
      data = *bound;
    }
    buffers[firstResult + static_cast<size_t>(places[i])] =
        data ? data : noElements;
  }
  return okStatus();
}

Status Frame::lock(VariableLocks &locks) {
  if (owner.locks.entries.empty())
    return okStatus();
  context.locks = &locks;
  int64_t begin = figures ? steadyNs() : 0;
  if (!locks.acquire(&state))
    return failure();
  if (figures) {
    figures->lockStartNs = begin;
    figures->lockNs = steadyNs() - begin;
  }
  for (const VariableSlot *slot : owner.mustHaveValue)
    if (!slot->isInitialized()) [[unlikely]]
      return owner.uninitializedError();
  return okStatus();
}

Status Frame::execute(std::span<const int> places, std::span<Tensor> given) {
  VariableLocks locks(owner.locks);
  KILN_RETURN_IF_ERROR(lock(locks));
  KILN_RETURN_IF_ERROR(strings.begin());
  // No place keeps memory of an earlier run.
  for (size_t i : lateTemporaries)
    buffers[firstTemporary + i] = nullptr;
  KilnRunArgs args{buffers.data(), symbols.data(), &state, runtimeSymbolTable(),
                   owner.kernels()};
  {
    FloatEnv floatEnv;
    owner.callNative(args);
  }
  Status status;
  if (mustStop(&state)) [[unlikely]]
    status = failure();
  else
    strings.settleResults(places, given);
  if (hasLateResults && status.ok())
    status = takeLateResults(places, given);
  strings.settleVariables();
  tail.clear();
  return status;
}

Status Frame::run(std::span<const Tensor> feeds, std::span<const int> places,
                  std::span<Tensor> given, const RunControl &control) {
  figures = control.stats;
  if (figures) {
    figures->runStartNs = steadyNs();
    watchRegions();
  }
  Status status;
  {
    PatienceScope scope(control, &state);
    // A close() that fell between two runs of this frame.
    if (owner.services.isClosed.load(std::memory_order_relaxed)) [[unlikely]]
      requestCancel(&state, StatusCode::Cancelled);
    if (cancelCode(&state) != 0) [[unlikely]]
      status = failure();
    else if (!owner.native)
      status = cut ? cut->run(feeds, places, given, control)
                   : evaluate(feeds, places, given);
    else if (status = bindFeedPointers(feeds); status.ok())
      if (status = bindResultPointers(places, given); status.ok())
        status = execute(places, given);
  }
  context.locks = nullptr;
  strings.end();
  slots.clear();
  if (!kept.empty()) [[unlikely]]
    kept.clear();
  if (mustStop(&state)) [[unlikely]] {
    state.errorCode = 0;
    __atomic_store_n(&state.cancel, 0, __ATOMIC_RELAXED);
  }
  if (figures) {
    figures->runNs = steadyNs() - figures->runStartNs;
    fillStats(*figures);
    if (std::exchange(context.regionMarks, nullptr))
      fillRegions(*figures);
    figures = nullptr;
  }
  return status;
}

} // namespace kiln
