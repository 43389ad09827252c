// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves kernels with their tasks into modules of their own.
#include "lib/JIT/KernelParts.h"

#include "lib/JIT/CodeParts.h"
#include "passes/to-llvm/LowerKilnToLlvm.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace kiln {
namespace {

/// Beyond these the time that objects take is no longer that of their code.
constexpr size_t maxKernelParts = 64;

using Functions = SmallSetVector<Function *, 4>;

/// The kernel and the functions that it needs; empty where something else needs
/// one of these as well, or they need data.
Functions closureOf(Function &kernel) {
  Functions closure;
  closure.insert(&kernel);
  for (size_t i = 0; i < closure.size(); ++i)
    for (Instruction &instruction : instructions(*closure[i]))
      for (Value *operand : instruction.operands()) {
        if (isa<GlobalVariable, ConstantExpr>(operand))
          return {};
        auto *used = dyn_cast<Function>(operand);
        if (used && !used->isDeclaration())
          closure.insert(used);
      }
  for (Function *function : ArrayRef(closure.getArrayRef()).drop_front())
    for (User *user : function->users()) {
      auto *instruction = dyn_cast<Instruction>(user);
      if (!instruction || !closure.contains(instruction->getFunction()))
        return {};
    }
  return closure;
}

/// The function as another module declares it.
Function *declareIn(Module &module, Function &function) {
  if (Function *known = module.getFunction(function.getName()))
    return known;
  auto *declared =
      Function::Create(function.getFunctionType(), GlobalValue::ExternalLinkage,
                       function.getName(), module);
  declared->copyAttributesFrom(&function);
  return declared;
}

/// Moves the functions into a module of their own, where the kernel is the one
/// that can be seen.
std::unique_ptr<Module> moveOut(Module &from, const Functions &functions) {
  auto to = std::make_unique<Module>("kernel", from.getContext());
  to->setTargetTriple(from.getTargetTriple());
  to->setDataLayout(from.getDataLayout());
  Function &kernel = *functions.front();
  for (Function *function : functions) {
    function->removeFromParent();
    to->getFunctionList().push_back(function);
  }
  kernel.setLinkage(GlobalValue::ExternalLinkage);
  kernel.replaceUsesWithIf(declareIn(from, kernel), [&](Use &use) {
    return cast<Instruction>(use.getUser())->getModule() == &from;
  });
  for (Function *function : functions)
    for (Instruction &instruction : instructions(*function))
      for (Use &operand : instruction.operands())
        if (auto *used = dyn_cast<Function>(operand);
            used && used->getParent() != to.get())
          operand.set(declareIn(*to, *used));
  return to;
}

} // namespace

std::vector<KernelModule> takeKernels(Module &module) {
  std::vector<Functions> chosen;
  for (Function &function : module) {
    if (chosen.size() == maxKernelParts)
      break;
    if (function.isDeclaration() || !passes::isSharedKernel(function.getName()))
      continue;
    Functions closure = closureOf(function);
    int64_t cost = 0;
    for (Function *part : closure)
      cost += costOf(*part);
    if (cost >= minKernelCost)
      chosen.push_back(std::move(closure));
  }
  std::vector<KernelModule> taken;
  for (const Functions &functions : chosen) {
    std::string name = functions.front()->getName().str();
    taken.push_back({std::move(name), moveOut(module, functions)});
  }
  return taken;
}

} // namespace kiln
