// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the time that long straight code takes to compile in proportion to its
// length.
#ifndef KILN_LIB_JIT_BACKENDS_CPU_LONGBLOCKS_H
#define KILN_LIB_JIT_BACKENDS_CPU_LONGBLOCKS_H

#include "llvm/IR/PassManager.h"

namespace kiln {

/// Puts barriers, which make no code, into long blocks outside of loops.
///
/// LLVM's schedulers compare the memory accesses of a block pair by pair: the
/// descriptions of a kernel's 1,000 results are 20,000 stores, which took 6 s
/// of one core and take 1.3. No order between them is worth anything, as they
/// run once. Blocks of loops, where it is, are left as they are.
class LongBlocksPass : public llvm::PassInfoMixin<LongBlocksPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace kiln

#endif // KILN_LIB_JIT_BACKENDS_CPU_LONGBLOCKS_H
