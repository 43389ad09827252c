// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared elementary functions and constants.
#include "passes/vectorize/CodeSize.h"

#include "passes/vectorize/ElementaryIr.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace kiln::ir;
using kiln::elementary::ElementaryFunction;

namespace kiln::passes {
namespace {

/// Set on the module for the time of vectorization.
constexpr StringLiteral calledName = "kiln.elementary_calls";

/// No variable's name has a '$'.
std::string nameOf(ElementaryFunction function, Type type) {
  std::string name = "elementary$" + std::to_string(int(function)) + "$";
  if (auto vector = dyn_cast<VectorType>(type))
    for (int64_t extent : vector.getShape())
      name += std::to_string(extent) + "x";
  return name +
         std::to_string(getElementTypeOrSelf(type).getIntOrFloatBitWidth());
}

} // namespace

void chooseElementaryForm(ModuleOp module, ArrayRef<FusionOp> fusions) {
  int64_t count = 0;
  for (FusionOp fusion : fusions)
    for (Operation &op : fusion.getBody().front())
      count += isElementary(op);
  if (count > maxInlineElementary)
    module->setAttr(calledName, UnitAttr::get(module.getContext()));
  else
    module->removeAttr(calledName);
}

FailureOr<Value> emitElementaryOrCall(OpBuilder &builder, Location loc,
                                      ElementaryFunction function,
                                      ValueRange operands) {
  auto module =
      builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  if (!module || !module->hasAttr(calledName))
    return emitElementary(builder, loc, function, operands);
  Type type = operands.front().getType();
  std::string name = nameOf(function, type);
  auto shared = module.lookupSymbol<func::FuncOp>(name);
  if (!shared) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(module.getBody());
    SmallVector<Type> types(operands.getTypes());
    shared = func::FuncOp::create(builder, loc, name,
                                  builder.getFunctionType(types, type));
    shared.setPrivate();
    Block *entry = shared.addEntryBlock();
    builder.setInsertionPointToStart(entry);
    FailureOr<Value> result =
        emitElementary(builder, loc, function, entry->getArguments());
    if (failed(result))
      return failure();
    func::ReturnOp::create(builder, loc, *result);
  }
  return func::CallOp::create(builder, loc, shared, operands).getResult(0);
}

void gatherConstants(func::FuncOp function) {
  llvm::DenseMap<std::pair<Attribute, Type>, Operation *> known;
  SmallVector<arith::ConstantOp> constants;
  function.walk([&](arith::ConstantOp op) { constants.push_back(op); });
  if (function.empty())
    return;
  Block &entry = function.front();
  Operation *last = nullptr;
  for (arith::ConstantOp op : constants) {
    auto [entryOf, added] =
        known.try_emplace({op.getValue(), op.getType()}, op.getOperation());
    if (!added) {
      op.replaceAllUsesWith(entryOf->second->getResult(0));
      op.erase();
      continue;
    }
    if (last)
      op->moveAfter(last);
    else
      op->moveBefore(&entry, entry.begin());
    last = op;
  }
}

} // namespace kiln::passes
