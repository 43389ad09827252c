// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognizes pointers that were loaded from KilnRunArgs::buffers and gives each
// buffer an alias scope.
#include "lib/JIT/backends/cpu/BufferAliasing.h"

#include "passes/to-llvm/LowerKilnToLlvm.h"
#include "runtime/abi/Abi.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

#include <optional>

using namespace llvm;

namespace kiln {
namespace {

constexpr size_t maxBuffers = 48;

bool isInvariantLoad(const Value *value) {
  auto *load = dyn_cast<LoadInst>(value);
  return load && load->hasMetadata(LLVMContext::MD_invariant_load);
}

/// The place in the buffer table that the object was loaded from; a negative
/// number for one that a shared kernel was given.
std::optional<int64_t> slotOf(const Value *object, const DataLayout &layout) {
  if (auto *given = dyn_cast<Argument>(object);
      given && given->getArgNo() != 0 &&
      given->getParent()->getName().starts_with(passes::sharedKernelPrefix))
    return -static_cast<int64_t>(given->getArgNo());
  if (!isInvariantLoad(object))
    return std::nullopt;
  APInt offset(64, 0);
  const Value *table = cast<LoadInst>(object)
                           ->getPointerOperand()
                           ->stripAndAccumulateConstantOffsets(
                               layout, offset, /*AllowNonInbounds=*/true);
  // the table itself is the field `buffers` of the run's arguments, the first
  // parameter of every function
  static_assert(offsetof(KilnRunArgs, buffers) == 0);
  if (!isInvariantLoad(table))
    return std::nullopt;
  auto *args = dyn_cast<Argument>(cast<LoadInst>(table)->getPointerOperand());
  if (!args || args->getArgNo() != 0)
    return std::nullopt;
  return offset.getSExtValue() / static_cast<int64_t>(sizeof(void *));
}

const Value *accessedPointer(const Instruction &instruction) {
  if (const Value *pointer = getLoadStorePointerOperand(&instruction))
    return pointer;
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return nullptr;
  switch (call->getIntrinsicID()) {
  case Intrinsic::masked_load:
    return call->getArgOperand(0);
  case Intrinsic::masked_store:
    return call->getArgOperand(1);
  default:
    return nullptr;
  }
}

} // namespace

PreservedAnalyses BufferAliasingPass::run(Function &function,
                                          FunctionAnalysisManager &) {
  const DataLayout &layout = function.getDataLayout();
  MapVector<int64_t, SmallVector<Instruction *>> accesses;
  for (BasicBlock &block : function)
    for (Instruction &instruction : block)
      if (const Value *pointer = accessedPointer(instruction))
        if (auto slot =
                slotOf(getUnderlyingObject(pointer, /*MaxLookup=*/0), layout))
          accesses[std::min(*slot, firstTemporary)].push_back(&instruction);
  if (accesses.size() < 2 || accesses.size() > maxBuffers)
    return PreservedAnalyses::all();

  LLVMContext &context = function.getContext();
  MDBuilder builder(context);
  MDNode *domain = builder.createAnonymousAliasScopeDomain(function.getName());
  SmallVector<Metadata *> scopes;
  for (size_t i = 0; i < accesses.size(); ++i)
    scopes.push_back(builder.createAnonymousAliasScope(domain));
  for (auto [index, entry] : enumerate(accesses)) {
    SmallVector<Metadata *> others = scopes;
    others.erase(others.begin() + index);
    MDNode *own = MDNode::get(context, scopes[index]),
           *rest = MDNode::get(context, others);
    for (Instruction *instruction : entry.second) {
      instruction->setMetadata(LLVMContext::MD_alias_scope, own);
      instruction->setMetadata(LLVMContext::MD_noalias, rest);
    }
  }
  return PreservedAnalyses::all();
}

} // namespace kiln
