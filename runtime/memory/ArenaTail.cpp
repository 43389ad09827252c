// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two stacks of chunks of the arena pool, each chunk at least as large as the
// one before.
#include "runtime/memory/ArenaTail.h"

#include "lib/Support/CheckedMath.h"

#include <algorithm>
#include <limits>
#include <new>
#include <optional>

namespace kiln {

constexpr int64_t unit = static_cast<int64_t>(abiBufferAlignment);
constexpr int64_t smallestChunk = int64_t(1) << 16;
/// Beyond it there is no memory anyway, and sums of a few do not overflow.
constexpr int64_t tooMuch = int64_t(1) << 60;

void ArenaTail::enter(Stack &stack, size_t chunk) noexcept {
  stack.chunk = chunk;
  stack.next = static_cast<char *>(stack.chunks[chunk].data());
  stack.end = stack.next + stack.chunks[chunk].size();
}

/// Goes on to the next chunk that is large enough.
bool ArenaTail::advance(Stack &stack, int64_t atLeast) noexcept {
  for (size_t i = stack.chunk + 1; i < stack.chunks.size(); ++i)
    if (static_cast<int64_t>(stack.chunks[i].size()) >= atLeast) {
      enter(stack, i);
      return true;
    }
  int64_t size = std::max({atLeast, stack.wanted, smallestChunk});
  if (!stack.chunks.empty())
    size = std::max(
        size,
        std::min(2 * static_cast<int64_t>(stack.chunks.back().size()), limit));
  StatusOr<Arena> taken = pool.take(static_cast<size_t>(size));
  // What is asked for beyond the need must not fail a run.
  if (!taken.ok() && size > atLeast)
    taken = pool.take(static_cast<size_t>(atLeast));
  if (!taken.ok())
    return false;
  try {
    stack.chunks.push_back(*std::move(taken));
  } catch (const std::bad_alloc &) {
    return false;
  }
  enter(stack, stack.chunks.size() - 1);
  return true;
}

void *ArenaTail::allocate(Stack &stack, int64_t bytes) noexcept {
  // No elements have an address, too.
  int64_t rounded = std::max(bytes + unit - 1, unit) / unit * unit;
  if (stack.end - stack.next < rounded && !advance(stack, rounded))
    return nullptr;
  void *result = stack.next;
  stack.next += rounded;
  stack.used += bytes;
  return result;
}

bool ArenaTail::isAllowed(int64_t bytes, KilnRunState *state,
                          int32_t node) const noexcept {
  int64_t used = this->bytes();
  if (bytes <= std::min(limit, tooMuch) - used)
    return true;
  recordError(state, ErrorKind::TailBeyondLimit, node, limit,
              bytes > tooMuch ? bytes : used + bytes);
  return false;
}

void *ArenaTail::allocate(int64_t bytes, KilnRunState *state,
                          int32_t node) noexcept {
  if (!isAllowed(bytes, state, node))
    return nullptr;
  void *result = allocate(iterations, bytes);
  if (!result)
    recordError(state, ErrorKind::OutOfTail, node, bytes);
  return result;
}

void *ArenaTail::adopt(Tensor tensor, KilnRunState *state,
                       int32_t node) noexcept {
  const auto bytes = static_cast<int64_t>(tensor.byteSize());
  if (!isAllowed(bytes, state, node))
    return nullptr;
  void *result = tensor.mutableRawData();
  try {
    adopted.push_back(std::move(tensor));
  } catch (const std::bad_alloc &) {
    recordError(state, ErrorKind::OutOfTail, node, bytes);
    return nullptr;
  }
  ++iterations.numAdopted;
  iterations.used += bytes;
  return result;
}

bool ArenaTail::keep(void **place, int64_t bytes, KilnRunState *state,
                     int32_t node) noexcept {
  // How much there is stands before it.
  auto capacityOf = [](void *data) -> int64_t & {
    return *reinterpret_cast<int64_t *>(static_cast<char *>(data) - unit);
  };
  int64_t had = *place ? capacityOf(*place) : 0;
  if (*place && had >= bytes)
    return true;
  if (!isAllowed(bytes, state, node))
    return false;
  int64_t room = std::min(limit, tooMuch) - this->bytes();
  int64_t wanted = std::max(bytes, std::min(had + had / 2, room - unit));
  void *data = allocate(kept, unit + wanted);
  if (!data && wanted > bytes)
    data = allocate(kept, unit + (wanted = bytes));
  if (!data) {
    recordError(state, ErrorKind::OutOfTail, node, bytes);
    return false;
  }
  *place = static_cast<char *>(data) + unit;
  capacityOf(*place) = wanted;
  return true;
}

int64_t ArenaTail::mark() noexcept {
  try {
    marks.push_back(iterations);
  } catch (const std::bad_alloc &) {
    return -1; // the iteration gives nothing back
  }
  return static_cast<int64_t>(marks.size()) - 1;
}

void ArenaTail::release(int64_t mark) noexcept {
  if (mark < 0)
    return;
  auto place = static_cast<size_t>(mark);
  Position begin = marks[place];
  marks.resize(place);
  // There was no chunk yet when the iteration began.
  if (!begin.next && !iterations.chunks.empty()) {
    enter(iterations, 0);
    iterations.used = begin.used;
    iterations.numAdopted = begin.numAdopted;
  } else {
    static_cast<Position &>(iterations) = begin;
  }
  adopted.resize(iterations.numAdopted);
}

void ArenaTail::clear(Stack &stack) noexcept {
  stack.used = 0;
  stack.numAdopted = 0;
  if (stack.chunks.size() > 1) {
    stack.wanted = 0;
    for (const Arena &chunk : stack.chunks)
      stack.wanted += static_cast<int64_t>(chunk.size());
    stack.chunks.clear();
    static_cast<Position &>(stack) = {};
  } else if (!stack.chunks.empty()) {
    enter(stack, 0);
  }
}

void ArenaTail::rewind() noexcept {
  clear(iterations);
  clear(kept);
  marks.clear();
  adopted.clear();
}

void ArenaTail::dropChunks() noexcept {
  for (Stack *stack : {&iterations, &kept}) {
    stack->chunks.clear();
    static_cast<Position &>(*stack) = {};
  }
  marks.clear();
  adopted.clear();
}

/// Nothing, with the error recorded, for what no memory has.
static std::optional<int64_t> bytesOf(KilnRunState *state, int32_t node,
                                      std::span<const int64_t> dims,
                                      int64_t elementBytes) noexcept {
  CheckedInt64 elements = 1;
  bool isEmpty = false;
  for (int64_t dim : dims) {
    if (dim < 0) {
      recordError(state, ErrorKind::NegativeDimension, node, dim);
      return std::nullopt;
    }
    elements *= dim;
    isEmpty |= dim == 0;
  }
  if (isEmpty)
    return 0;
  const CheckedInt64 bytes = elements * elementBytes;
  if (elements.overflowed())
    recordError(state, ErrorKind::SizeOverflow, node);
  else if (bytes.overflowed())
    recordError(state, ErrorKind::OutOfMemory, node,
                std::numeric_limits<int64_t>::max());
  return bytes.value();
}

static ArenaTail &tailOf(KilnRunState *state) noexcept {
  return *static_cast<RunContext *>(state->context)->tail;
}

void *allocateInTail(KilnRunState *state, int32_t node,
                     std::span<const int64_t> dims,
                     int64_t elementBytes) noexcept {
  auto bytes = bytesOf(state, node, dims, elementBytes);
  return bytes ? tailOf(state).allocate(*bytes, state, node) : nullptr;
}

void *adoptInTail(KilnRunState *state, int32_t node, Tensor tensor) noexcept {
  return tailOf(state).adopt(std::move(tensor), state, node);
}

bool keepInTail(KilnRunState *state, int32_t node, void **place,
                std::span<const int64_t> dims, int64_t elementBytes) noexcept {
  auto bytes = bytesOf(state, node, dims, elementBytes);
  return bytes && tailOf(state).keep(place, *bytes, state, node);
}

} // namespace kiln
