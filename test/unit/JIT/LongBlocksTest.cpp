// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long blocks are cut by barriers, but those of loops.
#include "lib/JIT/backends/cpu/LongBlocks.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"

#include "gtest/gtest.h"

namespace kiln {
namespace {

/// The barriers that a function of so many stores gets, in straight code or in
/// a loop.
size_t barriersOf(int stores, bool inLoop) {
  llvm::LLVMContext context;
  llvm::Module module("test", context);
  llvm::IRBuilder<> builder(context);
  auto *pointer = builder.getPtrTy();
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), {pointer}, false),
      llvm::Function::ExternalLinkage, "f", module);
  auto *entry = llvm::BasicBlock::Create(context, "entry", function),
       *body = llvm::BasicBlock::Create(context, "body", function),
       *end = llvm::BasicBlock::Create(context, "end", function);
  builder.SetInsertPoint(entry);
  builder.CreateBr(body);
  builder.SetInsertPoint(body);
  llvm::Value *last = builder.getInt32(0);
  for (int i = 0; i < stores; ++i)
    builder.CreateStore(builder.getInt32(static_cast<uint32_t>(i)),
                        function->getArg(0));
  if (inLoop)
    last = builder.CreateLoad(builder.getInt32Ty(), function->getArg(0));
  builder.CreateCondBr(builder.CreateICmpEQ(last, builder.getInt32(0)), end,
                       inLoop ? body : end);
  builder.SetInsertPoint(end);
  builder.CreateRetVoid();

  llvm::FunctionAnalysisManager analyses;
  llvm::PassBuilder().registerFunctionAnalyses(analyses);
  LongBlocksPass().run(*function, analyses);
  EXPECT_FALSE(llvm::verifyFunction(*function, &llvm::errs()));
  return static_cast<size_t>(llvm::count_if(llvm::instructions(function),
                                            llvm::IsaPred<llvm::FenceInst>));
}

TEST(LongBlocks, AreCutEvery256Instructions) {
  EXPECT_EQ(barriersOf(2000, /*inLoop=*/false), 7u);
}

TEST(LongBlocks, StayWholeInLoops) {
  EXPECT_EQ(barriersOf(2000, /*inLoop=*/true), 0u);
}

TEST(LongBlocks, ShortOnesStayWhole) {
  EXPECT_EQ(barriersOf(1000, /*inLoop=*/false), 0u);
}

} // namespace
} // namespace kiln
