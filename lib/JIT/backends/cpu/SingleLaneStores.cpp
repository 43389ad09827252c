// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds masked stores with one constant lane and writes them as plain stores.
#include "lib/JIT/backends/cpu/SingleLaneStores.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>

using namespace llvm;

namespace kiln {

/// The lane of a constant mask that has exactly one.
static std::optional<unsigned> onlyLane(Value *mask) {
  auto *constant = dyn_cast<Constant>(mask);
  auto *type = dyn_cast<FixedVectorType>(mask->getType());
  std::optional<unsigned> lane;
  for (unsigned i = 0; constant && type && i < type->getNumElements(); ++i) {
    Constant *element = constant->getAggregateElement(i);
    if (!element || isa<UndefValue>(element))
      return std::nullopt;
    if (element->isNullValue())
      continue;
    if (lane)
      return std::nullopt;
    lane = i;
  }
  return lane;
}

PreservedAnalyses SingleLaneStoresPass::run(Function &function,
                                            FunctionAnalysisManager &) {
  SmallVector<std::pair<IntrinsicInst *, unsigned>> found;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == Intrinsic::masked_store)
      if (auto lane = onlyLane(call->getArgOperand(call->arg_size() - 1)))
        found.emplace_back(call, *lane);
  for (auto [call, lane] : found) {
    IRBuilder<> builder(call);
    Value *vector = call->getArgOperand(0);
    Type *element = cast<VectorType>(vector->getType())->getElementType();
    Value *place = builder.CreateConstInBoundsGEP1_64(
        element, call->getArgOperand(1), lane);
    StoreInst *store = builder.CreateAlignedStore(
        builder.CreateExtractElement(vector, lane), place, Align(1));
    store->copyMetadata(*call,
                        {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
    call->eraseFromParent();
  }
  if (found.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

} // namespace kiln
