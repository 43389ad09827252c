// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number that TensorFlow tells functions apart by.
#ifndef KILN_LIB_IO_FUNCTIONHASH_H
#define KILN_LIB_IO_FUNCTIONHASH_H

#include "kiln/Status.h"

#include <cstdint>

namespace kiln::proto {
class FunctionDef;
} // namespace kiln::proto

namespace kiln::io {

/// **Errors**: those of the serializer. **Source**: FunctionDefHash.
StatusOr<uint64_t> functionHash(const proto::FunctionDef &function);

} // namespace kiln::io

#endif // KILN_LIB_IO_FUNCTIONHASH_H
