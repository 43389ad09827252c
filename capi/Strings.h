// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of string tensors as C programs see it. It is what the two
// libraries differ in, so that each links one of Strings1.cpp (offsets, then
// texts) and Strings2.cpp (an array of TF_TString).
#ifndef KILN_CAPI_STRINGS_H
#define KILN_CAPI_STRINGS_H

#include "kiln/Tensor.h"

namespace kiln::capi {

/// The release whose interface the library has: "2.21.0".
extern const char tensorflowVersion[];

/// Memory of so many bytes for strings that the caller will write, of empty
/// ones at first; null where there is none, or for too few bytes.
BufferRef allocateStrings(int64_t count, size_t bytes);
/// Whether memory of the caller may hold so many strings.
bool mayHoldStrings(int64_t count, size_t bytes);
/// Copies the strings of a tensor into memory for C programs; null where there
/// is none.
BufferRef encodeStrings(const Tensor &strings);
/// Copies strings out of memory of a C program. **Errors**: INVALID_ARGUMENT
/// for memory that holds no strings; RESOURCE_EXHAUSTED.
StatusOr<Tensor> decodeStrings(const Shape &shape, const void *memory,
                               size_t bytes);

} // namespace kiln::capi

#endif // KILN_CAPI_STRINGS_H
