// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Works around a fault of LLVM's x86 code generator in masked stores of one
// lane.
#ifndef KILN_LIB_JIT_BACKENDS_CPU_SINGLELANESTORES_H
#define KILN_LIB_JIT_BACKENDS_CPU_SINGLELANESTORES_H

#include "llvm/IR/PassManager.h"

namespace kiln {

/// Makes masked stores whose constant mask has one lane stores of that element.
///
/// LLVM 22 does the same for AVX-512, but where it has first joined a
/// truncation with the store it writes the wide element: of a vector of 65
/// bytes the last one overwrote three bytes behind it.
class SingleLaneStoresPass : public llvm::PassInfoMixin<SingleLaneStoresPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace kiln

#endif // KILN_LIB_JIT_BACKENDS_CPU_SINGLELANESTORES_H
