// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs native code in a bound frame: feeds and results into the buffer table,
// locks, the call. No MLIR header: it is optimized in every build.
#include "lib/Exec/NativeFrame.h"

#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"
#include "runtime/abi/Symbols.h"
#include "runtime/arithmetic/FloatEnv.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace kiln {
namespace {

/// Code gets a pointer even where there is nothing to point at.
alignas(bufferAlignment) char noElements[bufferAlignment];

bool canReuse(const Tensor &result, DType dtype, const Shape &shape) {
  return result.isUnique() && result.dtype() == dtype &&
         result.shape() == shape && result.isAligned() &&
         result.bufferRef()->writable;
}

} // namespace

Status NativeFrame::alignFeed(size_t index, const Tensor &feed) {
  if (aligned.empty())
    aligned.resize(feedStates.size());
  BufferRef &copy = aligned[index];
  if (!copy || copy->bytes < feed.byteSize()) {
    copy.reset();
    auto made = owner.services.buffers.allocate(feed.byteSize());
    if (!made.ok())
      return outOfMemory(feed.dtype(), feed.shape(), feed.byteSize())
          .withNode(owner.interface().feeds[index].node);
    copy = *std::move(made);
  }
  std::memcpy(copy->data, feed.rawData(), feed.byteSize());
  buffers[index] = copy->data;
  return okStatus();
}

Status NativeFrame::bindFeedPointers(std::span<const Tensor> feeds) {
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

bool NativeFrame::isFeed(const Tensor &result) {
  auto end = buffers.begin() + static_cast<ptrdiff_t>(feedStates.size());
  if (std::find(buffers.begin(), end, result.rawData()) == end)
    return false;
  // The result's place may be the only one that holds the feed's memory.
  kept.push_back(result.bufferRef());
  return true;
}

StatusOr<Tensor> NativeFrame::allocateResult(size_t number) const {
  const ResultState &result = results[number];
  auto outOf = [&] {
    return outOfMemory(result.dtype, result.shape, result.bytes)
        .withNode(owner.interface().fetches[number].node);
  };
  // The elements of a buffer of strings are its maker's to destroy: no pool
  // does.
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

// In a call that computes next to nothing this and call() are a fifteenth.
[[gnu::always_inline]] Status NativeFrame::placeResult(size_t place,
                                                       Tensor &given) {
  const ResultState &result = results[place];
  if ((given.isValid() && isFeed(given)) ||
      !canReuse(given, result.dtype, result.shape)) {
    KILN_ASSIGN_OR_RETURN(given, allocateResult(place));
  }
  return okStatus();
}

Status NativeFrame::takeLateResults(std::span<const int> places,
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

Status NativeFrame::bindResultPointers(std::span<const int> places,
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
            owner.interface().fetches[static_cast<size_t>(places[i])].node);
      data = *bound;
    }
    buffers[firstResult + static_cast<size_t>(places[i])] =
        data ? data : noElements;
  }
  return okStatus();
}

[[gnu::always_inline]] Status NativeFrame::call(std::span<const int> places,
                                                std::span<Tensor> given) {
  VariableLocks locks(owner.binding.locks);
  KILN_RETURN_IF_ERROR(lock(locks));
  KILN_RETURN_IF_ERROR(strings.begin());
  for (size_t i : owner.binding.openVariables)
    buffers[firstVariable + i] = owner.binding.slots[i]->data();
  // No place keeps memory of an earlier run.
  for (const auto *without : {&lateTemporaries, &leftOut})
    for (size_t i : *without)
      buffers[firstTemporary + i] = nullptr;
  KilnRunArgs args{buffers.data(), symbols.data(), &state, runtimeSymbolTable(),
                   code.kernels()};
  {
    FloatEnv floatEnv;
    code.call(args);
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

Status NativeFrame::execute(std::span<const Tensor> feeds,
                            std::span<const int> places,
                            std::span<Tensor> given, const RunControl &) {
  if (figures)
    watchRegions();
  Status status = bindFeedPointers(feeds);
  if (status.ok())
    status = bindResultPointers(places, given);
  if (status.ok())
    status = call(places, given);
  if (!kept.empty()) [[unlikely]]
    kept.clear();
  if (figures && std::exchange(context.regionMarks, nullptr))
    fillRegions(*figures);
  return status;
}

} // namespace kiln
