// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What takes functions that were just compiled.
#ifndef KILN_LIB_COMPILE_FUNCTIONSTORE_H
#define KILN_LIB_COMPILE_FUNCTIONSTORE_H

#include "lib/Compiled/CompiledFunction.h"

#include <span>

namespace kiln {

/// Thread safety: the compiling thread's.
class FunctionStore {
public:
  virtual ~FunctionStore() = default;
  /// Takes a copy of the function with its objects; `constants` begin with
  /// those of its buffer table, whose digests the function gets.
  virtual void store(CompiledFunction &function,
                     std::span<const Tensor> constants) const = 0;
};

} // namespace kiln

#endif // KILN_LIB_COMPILE_FUNCTIONSTORE_H
