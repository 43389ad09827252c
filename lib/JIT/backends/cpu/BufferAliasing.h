// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells LLVM that the buffers of the table do not overlap, so that it moves
// loads across stores to other buffers.
#ifndef KILN_LIB_JIT_BACKENDS_CPU_BUFFERALIASING_H
#define KILN_LIB_JIT_BACKENDS_CPU_BUFFERALIASING_H

#include "llvm/IR/PassManager.h"

namespace kiln {

/// Marks loads and stores of table buffers with alias scopes, one a buffer.
///
/// Legal because feeds, constants, variables, flags and results never overlap
/// where one of them is written. Temporaries share the arena with others of
/// another lifetime: they have one scope together, but what one shared kernel
/// (kiln-share-kernels) is given is alive at one time. Functions with many
/// buffers are left alone, since the lists grow with the square.
class BufferAliasingPass : public llvm::PassInfoMixin<BufferAliasingPass> {
public:
  /// `firstTemporary`: where the temporaries begin in the buffer table.
  explicit BufferAliasingPass(int64_t firstTemporary)
      : firstTemporary(firstTemporary) {}
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return false; }

private:
  int64_t firstTemporary;
};

} // namespace kiln

#endif // KILN_LIB_JIT_BACKENDS_CPU_BUFFERALIASING_H
