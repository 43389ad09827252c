// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits a module by what LLVM has to do for its functions. All of LLVM's
// passes here work on one function at a time, so the code is what it would be
// in one object.
#include "lib/JIT/CodeParts.h"

#include "lib/JIT/CodeBackend.h"
#include "lib/JIT/CompileThreads.h"
#include "lib/JIT/LlvmDiagnostics.h"
#include "lib/Support/StatusMacros.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <tuple>

using namespace llvm;

namespace kiln {

int64_t costOf(const Function &function) {
  constexpr int64_t vectorCost = 6;
  int64_t cost = 0;
  for (const Instruction &instruction : instructions(function))
    cost += instruction.getType()->isVectorTy() ||
                    any_of(instruction.operands(),
                           [](const Use &operand) {
                             return operand->getType()->isVectorTy();
                           })
                ? vectorCost
                : 1;
  return cost;
}

int64_t costOf(const Module &module) {
  int64_t cost = 0;
  for (const Function &function : module)
    cost += costOf(function);
  return cost;
}

namespace {

/// The functions of the part that has less to do, each given to whichever part
/// has less so far, the largest first.
std::vector<Function *> lighterPart(Module &module) {
  std::vector<std::tuple<int64_t, size_t, Function *>> all;
  for (Function &function : module)
    if (!function.isDeclaration())
      all.emplace_back(-costOf(function), all.size(), &function);
  std::sort(all.begin(), all.end());
  std::vector<Function *> parts[2];
  int64_t sums[2] = {};
  for (auto [negated, place, function] : all) {
    int lighter = sums[1] < sums[0];
    parts[lighter].push_back(function);
    sums[lighter] -= negated;
  }
  int lighter = sums[1] < sums[0];
  // A part that has next to nothing to do makes nothing faster.
  return sums[0] + sums[1] >= minSplitCost &&
                 6 * sums[lighter] >= sums[0] + sums[1]
             ? parts[lighter]
             : std::vector<Function *>();
}

} // namespace

CodePart::CodePart() = default;
CodePart::~CodePart() = default;

void CodePart::write(const Module &module) {
  raw_string_ostream stream(bitcode);
  WriteBitcodeToFile(module, stream);
}

std::shared_ptr<CodePart> CodePart::of(std::unique_ptr<Module> kernels,
                                       bool isShared) {
  std::shared_ptr<CodePart> part(new CodePart);
  if (isShared)
    part->write(*kernels);
  else
    part->own = std::move(kernels);
  return part;
}

std::shared_ptr<CodePart> CodePart::split(Module &module,
                                          int64_t firstTemporary) {
  // Data would have to be in one of the parts.
  if (!module.global_empty())
    return nullptr;
  std::vector<Function *> taken = lighterPart(module);
  if (taken.empty())
    return nullptr;
  // In a dylib of their own: no other code sees the names. Of default
  // visibility, so that each part is right wherever the other one lies.
  for (Function &function : module)
    if (function.hasLocalLinkage())
      function.setLinkage(GlobalValue::ExternalLinkage);
  std::shared_ptr<CodePart> part(new CodePart);
  part->write(module);
  part->firstTemporary = firstTemporary;
  for (Function *function : taken) {
    part->functions.push_back(function->getName().str());
    function->deleteBody();
  }
  std::sort(part->functions.begin(), part->functions.end());
  return part;
}

StatusOr<std::string> CodePart::compile(CodeBackend &backend) {
  if (own) {
    backend.optimize(*own, firstTemporary, /*quick=*/false);
    return backend.emitObject(*own, /*quick=*/false);
  }
  LLVMContext context;
  LlvmDiagnostics diagnostics(context);
  auto module = getLazyBitcodeModule(MemoryBufferRef(bitcode, "kiln"), context);
  if (!module)
    return internalError("reading bitcode: " + toString(module.takeError()));
  for (Function &function : **module)
    if (!functions.empty() &&
        !std::binary_search(functions.begin(), functions.end(),
                            function.getName()) &&
        !function.isDeclaration())
      function.deleteBody();
  if (Error error = (*module)->materializeAll())
    return internalError("reading bitcode: " + toString(std::move(error)));
  backend.optimize(**module, firstTemporary, /*quick=*/false);
  if (isAbandoned.load(std::memory_order_relaxed))
    return cancelledError("the compilation was abandoned");
  auto made = backend.emitObject(**module, /*quick=*/false);
  KILN_RETURN_IF_ERROR(diagnostics.first);
  return made;
}

void CodePart::generate(CodeBackend &backend) {
  if (isTaken.exchange(true))
    return;
  StatusOr<std::string> made =
      isAbandoned.load(std::memory_order_relaxed)
          ? cancelledError("the compilation was abandoned")
          : compile(backend);
  std::lock_guard lock(mutex);
  object = std::move(made);
  isDone = true;
  changed.notify_all();
}

StatusOr<std::string> CodePart::result(CodeBackend &backend) {
  generate(backend);
  CompileThreads::rest([&] {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return isDone; });
  });
  std::lock_guard lock(mutex);
  return std::move(object);
}

} // namespace kiln
