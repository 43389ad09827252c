// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads types and the lists of the ops that compute with dimensions.
#include "dialect/NamedSymbols.h"

#include "dialect/Kiln.h"
#include "dialect/Types.h"

using namespace mlir;

namespace kiln::ir {

void forEachSymbol(Operation *op, llvm::function_ref<void(int64_t)> visit) {
  auto visitTypes = [&](TypeRange types) {
    for (Type type : types)
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        for (const Extent &extent : extentsOf(tensor))
          if (!extent.isKnown())
            visit(extent.symbol);
  };
  visitTypes(op->getOperandTypes());
  visitTypes(op->getResultTypes());
  auto visitList = [&](ArrayRef<int64_t> ids) {
    for (int64_t id : ids)
      if (id >= 0)
        visit(id);
  };
  if (auto dims = dyn_cast<DimsOp>(op))
    visitList(dims.getSymbols());
  else if (auto reserve = dyn_cast<RandomReserveOp>(op))
    visitList(reserve.getSymbols());
}

void forEachBound(Operation *op, llvm::function_ref<void(int64_t)> visit) {
  if (auto call = dyn_cast<RuntimeCallOp>(op))
    llvm::for_each(call.getBinds(), visit);
  else if (auto bind = dyn_cast<BindOp>(op))
    llvm::for_each(bind.getBinds(), visit);
  else if (auto define = dyn_cast<DefineOp>(op))
    visit(static_cast<int64_t>(define.getId()));
  else if (auto set = dyn_cast<SetSymbolOp>(op))
    visit(static_cast<int64_t>(set.getId()));
}

RunSymbols findRunSymbols(Operation *root) {
  RunSymbols symbols;
  root->walk([&](Operation *op) {
    forEachBound(op, [&](int64_t id) { symbols.insert(id); });
  });
  return symbols;
}

bool isBoundInRun(Type type, const RunSymbols &symbols) {
  return !symbols.empty() &&
         llvm::any_of(extentsOf(cast<RankedTensorType>(type)),
                      [&](const Extent &extent) {
                        return !extent.isKnown() &&
                               symbols.contains(extent.symbol);
                      });
}

} // namespace kiln::ir
