// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of Symbols.def, their numbers and the table of pointers that
// native code calls through.
#ifndef KILN_RUNTIME_ABI_SYMBOLS_H
#define KILN_RUNTIME_ABI_SYMBOLS_H

#include "runtime/abi/Abi.h"

#include <string_view>

namespace kiln {

/// The place of each function in KilnRunArgs::runtime.
enum class RuntimeSymbol : int32_t {
#define KILN_SYMBOL(name, signature) name,
#include "runtime/abi/Symbols.def"
};

/// Signatures by place, in the letters of Symbols.def; what code generation
/// declares.
inline constexpr std::string_view runtimeSymbolSignatures[] = {
#define KILN_SYMBOL(name, signature) signature,
#include "runtime/abi/Symbols.def"
};
inline constexpr std::string_view runtimeSymbolNames[] = {
#define KILN_SYMBOL(name, signature) "kiln" #name,
#include "runtime/abi/Symbols.def"
};
inline constexpr int numRuntimeSymbols =
    sizeof(runtimeSymbolNames) / sizeof(runtimeSymbolNames[0]);

/// Returns the table for KilnRunArgs::runtime. **Ownership**: static.
void *const *runtimeSymbolTable() noexcept;

} // namespace kiln

extern "C" {
int32_t kilnParallelFor(KilnParallelBody body, void *context, int64_t n,
                        int64_t grain, KilnRunState *state) noexcept;
int32_t kilnParallelForToTheEnd(KilnParallelBody body, void *context, int64_t n,
                                int64_t grain, KilnRunState *state) noexcept;
int32_t kilnPoll(KilnRunState *state) noexcept;
void kilnReportError(KilnRunState *state, int32_t kind, int32_t node,
                     int64_t v0, int64_t v1, int64_t v2) noexcept;
int32_t kilnBeginWrites(KilnRunState *state) noexcept;
int32_t kilnReserveRandom(KilnRunState *state, int32_t stream, int64_t count,
                          uint32_t *words) noexcept;
int32_t kilnAllocate(KilnRunState *state, int32_t node, void **place,
                     const int64_t *dims, int64_t rank,
                     int64_t elementBytes) noexcept;
int32_t kilnKeep(KilnRunState *state, int32_t node, void **place,
                 const int64_t *dims, int64_t rank,
                 int64_t elementBytes) noexcept;
int32_t kilnProvide(KilnRunState *state, int32_t node, void **place,
                    const int64_t *dims, int64_t rank,
                    int64_t elementBytes) noexcept;
int64_t kilnMarkTail(KilnRunState *state) noexcept;
void kilnReleaseTail(KilnRunState *state, int64_t mark) noexcept;
int32_t kilnMarkRegion(KilnRunState *state, int64_t mark) noexcept;
KilnSlot *kilnSlotOf(KilnRunState *state, int64_t number) noexcept;
int32_t kilnResizeVariable(KilnRunState *state, int32_t node, int64_t variable,
                           void **place, const int64_t *dims,
                           int64_t rank) noexcept;
}

#endif // KILN_RUNTIME_ABI_SYMBOLS_H
