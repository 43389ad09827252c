// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores that leave the caches to what is read again.
#ifndef KILN_LIB_EVAL_STREAMINGCOPY_H
#define KILN_LIB_EVAL_STREAMINGCOPY_H

#include <cstdint>

namespace kiln::eval {

/// Copies to memory past the caches, which need not read the lines first: a
/// third of the traffic of a loop that reads as much as it writes. Other
/// threads see it once the caller has passed a finishStreaming().
void copyStreaming(void *target, const void *source, int64_t bytes);
void finishStreaming();

/// How often finishStreaming() was called in this process, for tests of who
/// streams. **Thread safety**: any thread.
int64_t numFinishedStreams() noexcept;

} // namespace kiln::eval

#endif // KILN_LIB_EVAL_STREAMINGCOPY_H
