// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of Symbols.def: thin wrappers around the runtime, and their
// table, checked against the signatures.
#include "runtime/abi/Symbols.h"

#include "runtime/abi/RunState.h"
#include "runtime/memory/ArenaTail.h"
#include "runtime/resources/VariableLocks.h"
#include "runtime/slots/Slots.h"
#include "runtime/threads/ThreadPool.h"

#include <chrono>
#include <cstring>
#include <type_traits>

using namespace kiln;

namespace {

const RunContext &contextOf(const KilnRunState *state) noexcept {
  return *static_cast<const RunContext *>(state->context);
}

template <class T> constexpr char letterOf() {
  if constexpr (std::is_void_v<T>)
    return 'v';
  else if constexpr (std::is_pointer_v<T>)
    return 'p';
  else if constexpr (std::is_same_v<T, int32_t>)
    return 'i';
  else if constexpr (std::is_same_v<T, int64_t>)
    return 'l';
  else
    return '?';
}

/// True when the letters are those of the function's result and parameters.
template <class R, class... A>
constexpr bool matches(R (*)(A...) noexcept, std::string_view letters) {
  const char own[] = {letterOf<R>(), letterOf<A>()..., 0};
  return std::string_view(own) == letters;
}

#define KILN_SYMBOL(name, signature)                                           \
  static_assert(matches(kiln##name, signature),                                \
                "Symbols.def and Symbols.h disagree about kiln" #name);
#include "runtime/abi/Symbols.def"

} // namespace

void *const *kiln::runtimeSymbolTable() noexcept {
  static void *const table[] = {
#define KILN_SYMBOL(name, signature) reinterpret_cast<void *>(&kiln##name),
#include "runtime/abi/Symbols.def"
  };
  return table;
}

int32_t kilnParallelFor(KilnParallelBody body, void *context, int64_t n,
                        int64_t grain, KilnRunState *state) noexcept {
  return !ThreadPool::process().parallelFor(body, context, n, grain, state,
                                            contextOf(state).maxThreads);
}

int32_t kilnParallelForToTheEnd(KilnParallelBody body, void *context, int64_t n,
                                int64_t grain, KilnRunState *state) noexcept {
  ThreadPool::process().parallelFor(body, context, n, grain, nullptr,
                                    contextOf(state).maxThreads);
  return 0;
}

int32_t kilnPoll(KilnRunState *state) noexcept { return mustStop(state); }

void kilnReportError(KilnRunState *state, int32_t kind, int32_t node,
                     int64_t v0, int64_t v1, int64_t v2) noexcept {
  recordError(state, static_cast<ErrorKind>(kind), node, v0, v1, v2);
}

int32_t kilnBeginWrites(KilnRunState *state) noexcept {
  VariableLocks *locks = contextOf(state).locks;
  if (mustStop(state))
    return 1;
  if (!locks || locks->beginWrites(state))
    return 0;
  if (Status status = locks->failure(); !status.ok())
    recordError(state, -1, std::move(status));
  return 1;
}

int32_t kilnReserveRandom(KilnRunState *state, int32_t stream, int64_t count,
                          uint32_t *words) noexcept {
  reserveRandom(contextOf(state), stream, count, words);
  return mustStop(state);
}

int32_t kilnAllocate(KilnRunState *state, int32_t node, void **place,
                     const int64_t *dims, int64_t rank,
                     int64_t elementBytes) noexcept {
  *place = allocateInTail(state, node, {dims, static_cast<size_t>(rank)},
                          elementBytes);
  return *place == nullptr;
}

int32_t kilnKeep(KilnRunState *state, int32_t node, void **place,
                 const int64_t *dims, int64_t rank,
                 int64_t elementBytes) noexcept {
  return !keepInTail(state, node, place, {dims, static_cast<size_t>(rank)},
                     elementBytes);
}

int32_t kilnProvide(KilnRunState *state, int32_t node, void **place,
                    const int64_t *dims, int64_t rank,
                    int64_t elementBytes) noexcept {
  return *place ? 0 : kilnKeep(state, node, place, dims, rank, elementBytes);
}

int32_t kilnResizeVariable(KilnRunState *state, int32_t node, int64_t variable,
                           void **place, const int64_t *dims,
                           int64_t rank) noexcept {
  VariableSlot &slot =
      *contextOf(state).variables[static_cast<size_t>(variable)];
  StatusOr<Tensor> old = slot.view();
  Status status =
      slot.resize(Shape(std::span(dims, static_cast<size_t>(rank))));
  if (!status.ok()) {
    recordError(state, node, std::move(status));
    return 1;
  }
  // The run has what the strings were (VariableStrings), and owns it.
  if (slot.dtype() == DType::String && old.ok() &&
      old->rawData() != slot.data() && old->byteSize() != 0)
    std::memset(const_cast<void *>(old->rawData()), 0, old->byteSize());
  *place = slot.data();
  return 0;
}

int64_t kilnMarkTail(KilnRunState *state) noexcept {
  return contextOf(state).tail->mark();
}

void kilnReleaseTail(KilnRunState *state, int64_t mark) noexcept {
  contextOf(state).tail->release(mark);
}

int32_t kilnMarkRegion(KilnRunState *state, int64_t mark) noexcept {
  // Null where no figures of this run were asked for.
  if (int64_t *marks = contextOf(state).regionMarks)
    marks[mark] = std::chrono::nanoseconds(
                      std::chrono::steady_clock::now().time_since_epoch())
                      .count();
  return mustStop(state);
}

KilnSlot *kilnSlotOf(KilnRunState *state, int64_t number) noexcept {
  // The empty one is never written.
  static Slot none;
  SlotTable *slots = contextOf(state).slots;
  Slot *found = slots ? slots->at(number) : nullptr;
  return found ? found : &none;
}
