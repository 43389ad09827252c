// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plain C structs that native code and the runtime share, with their sizes
// and offsets asserted.
#ifndef KILN_RUNTIME_ABI_H
#define KILN_RUNTIME_ABI_H

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

/// The only argument of a native entry.
///
/// buffers: feeds, constants, variables, the variables' initialized bytes,
/// results, temporaries; symbols: the values of the executable's symbol table;
/// runtime: the functions of runtime/Symbols.def in that file's order.
struct KilnRunArgs {
  void *const *buffers;
  const int64_t *symbols;
  KilnRunState *state;
  void *const *runtime;
};

/// A native entry.
using KilnEntryFn = void (*)(const KilnRunArgs *);

/// The body of a parallel loop: handles iterations [begin, end). Chunks run on
/// any thread, in any order, at once.
using KilnParallelBody = void (*)(void *context, int64_t begin, int64_t end);

/// A kernel on whole tensors: every function of the signature "ipippp" in
/// runtime/Symbols.def. `numbers` holds the element count of each input and of
/// each output, then what the call fixes (see each kernel). Nonzero: the run is
/// to stop.
using KilnKernelFn = int32_t (*)(KilnRunState *state, int32_t node,
                                 const void *const *ins, void *const *outs,
                                 const int64_t *numbers) noexcept;

} // extern "C"

namespace kiln {

/// Numbers of the errors in runtime/ErrorKinds.def.
enum class ErrorKind : int32_t {
#define KILN_ERROR_KIND(name, code, text) name,
#include "runtime/ErrorKinds.def"
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
static_assert(sizeof(KilnRunArgs) == 32);
static_assert(offsetof(KilnRunArgs, buffers) == 0);
static_assert(offsetof(KilnRunArgs, symbols) == 8);
static_assert(offsetof(KilnRunArgs, state) == 16);
static_assert(offsetof(KilnRunArgs, runtime) == 24);

} // namespace kiln

#endif // KILN_RUNTIME_ABI_H
