// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plain C structs that native code and the runtime share, with their sizes
// and offsets asserted.
#ifndef KILN_RUNTIME_ABI_ABI_H
#define KILN_RUNTIME_ABI_ABI_H

#include <cstddef>
#include <cstdint>

extern "C" {

/// What a run may be told and what it tells: the cancel word and the error
/// slot.
///
/// Thread safety: cancel and errorCode are atomic words (a plain aligned load
/// in native code is enough); the error's other fields are written once by the
/// thread that moved errorCode away from 0 and read after the run has ended.
/// cancel and errorCode stand side by side, so that "must this run stop?" is
/// one 64-bit load from offset 0.
struct KilnRunState {
  /// 0, or the kiln::StatusCode with which the run is to end (Cancelled,
  /// DeadlineExceeded).
  int32_t cancel;
  /// 0, or the kiln::StatusCode of the first recorded error.
  int32_t errorCode;
  /// Index into the executable's table of node names; -1 when no node is known.
  int32_t errorNode;
  /// The message: a KilnErrorKind.
  int32_t errorKind;
  /// The facts that the message names.
  int64_t errorValues[4];
  /// The runtime's own: a kiln::RunContext.
  void *context;
};

/// A whole tensor, as a kernel sees it: contiguous, row-major; strings are
/// their handles (runtime/memory/RunStrings.h).
///
/// An output whose size the kernel finds out has no data before the kernel
/// allocates it; its extent -1 - j is then number j of KilnKernelCall::bound.
/// One of rank -1, which only an allocator takes, has any shape.
struct KilnTensor {
  void *data;
  int64_t *dims;
  /// A kiln::DType.
  int32_t dtype;
  int32_t rank;
};

/// One call of a kernel.
struct KilnKernelCall {
  KilnRunState *state;
  const KilnTensor *ins;
  KilnTensor *outs;
  /// What the call fixes (see each kernel).
  const int64_t *numbers;
  /// What the kernel finds out (see each kernel).
  int64_t *bound;
  /// A kiln::KernelOutputs, which allocates outputs; null: the run's tail does.
  void *allocator;
  int32_t numIns;
  int32_t numOuts;
  int32_t numNumbers;
  /// An index into the executable's node names.
  int32_t node;
};

/// A kernel of runtime/kernels/KernelRegistry.h. Nonzero: the run is to stop
/// (its error or its cancel word is set).
using KilnKernelFn = int32_t (*)(const KilnKernelCall *call) noexcept;

/// What is known of an element of a slot; 0: it has no value.
enum KilnSlotState : uint8_t {
  kilnSlotWritten = 1,
  kilnSlotRead = 2,
  kilnSlotCleared = 4,
};

/// A TensorArray, stack or list of the run, as far as native code looks at it;
/// the rest is runtime/slots/Slots.h.
///
/// Elements of one shape lie side by side at `data`. Where that is not so, or
/// an access may fail for all elements, `rank` is -1: what cannot be told from
/// the fields here is the matter of a kernel. Kernels may change all fields.
struct KilnSlot {
  char *data;
  /// A KilnSlotState for each element.
  uint8_t *states;
  /// Elements that are there.
  int64_t size;
  /// Elements that may be there without a call.
  int64_t room;
  /// The extents of an element.
  const int64_t *dims;
  int32_t rank;
  /// A kiln::DType.
  int32_t dtype;
  /// What a read adds to the element's state.
  uint8_t stateOfRead;
};

/// The only argument of a native entry.
///
/// buffers: feeds, constants, variables, the variables' initialized bytes,
/// results, temporaries; symbols: the values of the executable's symbol table;
/// in both the code puts what the run finds out;
/// runtime: the functions of runtime/abi/Symbols.def in that file's order;
/// kernels: those that the executable names, in its order.
struct KilnRunArgs {
  void **buffers;
  int64_t *symbols;
  KilnRunState *state;
  void *const *runtime;
  const KilnKernelFn *kernels;
};

/// A native entry.
using KilnEntryFn = void (*)(const KilnRunArgs *);

/// The body of a parallel loop: handles iterations [begin, end). Chunks run on
/// any thread, in any order, at once.
using KilnParallelBody = void (*)(void *context, int64_t begin, int64_t end);

} // extern "C"

namespace kiln {

/// Numbers of the errors in runtime/abi/ErrorKinds.def.
enum class ErrorKind : int32_t {
#define KILN_ERROR_KIND(name, code, text) name,
#include "runtime/abi/ErrorKinds.def"
};

/// Feeds, variables, constants, results and temporaries start at multiples of
/// this many bytes, except for feeds, which may have any alignment that their
/// element type allows.
inline constexpr std::size_t abiBufferAlignment = 64;

static_assert(sizeof(void *) == 8, "Kiln generates code for 64-bit hosts");
static_assert(sizeof(KilnRunState) == 56 && alignof(KilnRunState) == 8);
static_assert(offsetof(KilnRunState, cancel) == 0);
static_assert(offsetof(KilnRunState, errorCode) == 4);
static_assert(offsetof(KilnRunState, errorNode) == 8);
static_assert(offsetof(KilnRunState, errorKind) == 12);
static_assert(offsetof(KilnRunState, errorValues) == 16);
static_assert(offsetof(KilnRunState, context) == 48);
static_assert(sizeof(KilnTensor) == 24);
static_assert(offsetof(KilnTensor, data) == 0);
static_assert(offsetof(KilnTensor, dims) == 8);
static_assert(offsetof(KilnTensor, dtype) == 16);
static_assert(offsetof(KilnTensor, rank) == 20);
static_assert(sizeof(KilnKernelCall) == 64);
static_assert(offsetof(KilnKernelCall, state) == 0);
static_assert(offsetof(KilnKernelCall, ins) == 8);
static_assert(offsetof(KilnKernelCall, outs) == 16);
static_assert(offsetof(KilnKernelCall, numbers) == 24);
static_assert(offsetof(KilnKernelCall, bound) == 32);
static_assert(offsetof(KilnKernelCall, allocator) == 40);
static_assert(offsetof(KilnKernelCall, numIns) == 48);
static_assert(offsetof(KilnKernelCall, numOuts) == 52);
static_assert(offsetof(KilnKernelCall, numNumbers) == 56);
static_assert(offsetof(KilnKernelCall, node) == 60);
static_assert(sizeof(KilnSlot) == 56 && alignof(KilnSlot) == 8);
static_assert(offsetof(KilnSlot, data) == 0);
static_assert(offsetof(KilnSlot, states) == 8);
static_assert(offsetof(KilnSlot, size) == 16);
static_assert(offsetof(KilnSlot, room) == 24);
static_assert(offsetof(KilnSlot, dims) == 32);
static_assert(offsetof(KilnSlot, rank) == 40);
static_assert(offsetof(KilnSlot, dtype) == 44);
static_assert(offsetof(KilnSlot, stateOfRead) == 48);
static_assert(sizeof(KilnRunArgs) == 40);
static_assert(offsetof(KilnRunArgs, buffers) == 0);
static_assert(offsetof(KilnRunArgs, symbols) == 8);
static_assert(offsetof(KilnRunArgs, state) == 16);
static_assert(offsetof(KilnRunArgs, runtime) == 24);
static_assert(offsetof(KilnRunArgs, kernels) == 32);

} // namespace kiln

#endif // KILN_RUNTIME_ABI_ABI_H
