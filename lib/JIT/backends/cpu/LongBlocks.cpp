// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts long blocks outside of loops by barriers of one thread.
#include "lib/JIT/backends/cpu/LongBlocks.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kiln {

/// Shorter blocks stay whole.
constexpr size_t longBlock = 1024;
/// Instructions between two barriers.
constexpr size_t pieceSize = 256;

PreservedAnalyses LongBlocksPass::run(Function &function,
                                      FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  bool isChanged = false;
  for (BasicBlock &block : function) {
    if (block.size() < longBlock || loops.getLoopFor(&block))
      continue;
    isChanged = true;
    size_t count = 0;
    for (Instruction &instruction : make_early_inc_range(block))
      if (!isa<PHINode>(instruction) && ++count % pieceSize == 0)
        new FenceInst(block.getContext(),
                      AtomicOrdering::SequentiallyConsistent,
                      SyncScope::SingleThread, instruction.getIterator());
  }
  if (!isChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

} // namespace kiln
