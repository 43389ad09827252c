// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds up operations and bytes over the types of a bufferized fusion.
#include "passes/analysis/RegionCost.h"

#include "dialect/Cost.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

int64_t saturatingProduct(int64_t a, int64_t b) {
  int64_t result;
  return llvm::MulOverflow(a, b, result) ? INT64_MAX : result;
}

int64_t saturatingSum(int64_t a, int64_t b) {
  int64_t result;
  return llvm::AddOverflow(a, b, result) ? INT64_MAX : result;
}

/// Adds factor * the product of the extents.
void addElements(CostFormula &formula, int64_t factor,
                 ArrayRef<Extent> extents) {
  SmallVector<int64_t, 4> term = {factor};
  for (const Extent &extent : extents)
    if (extent.isKnown())
      term[0] = saturatingProduct(term[0], extent.value);
    else
      term.push_back(extent.symbol);
  llvm::sort(llvm::drop_begin(term));
  for (auto &other : formula)
    if (ArrayRef(other).drop_front() == ArrayRef(term).drop_front()) {
      other[0] = saturatingSum(other[0], term[0]);
      return;
    }
  if (term[0] != 0)
    formula.push_back(std::move(term));
}

void addBytes(CostFormula &formula, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  addElements(formula, storageBytes(tensor.getElementType()),
              extentsOf(tensor));
}

bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

void addFlops(CostFormula &formula, TensorOp op) {
  auto flops = static_cast<int64_t>(stepCost(op).flops);
  if (op->getNumResults() == 1 && isFloat(op->getResult(0)))
    addElements(formula, flops, op.getLoops());
}

/// Whether the op reads parts of the operand.
bool readsParts(OpOperand &use) {
  auto op = dyn_cast<TensorOp>(use.getOwner());
  return op &&
         llvm::any_of(op.getAccess(use), std::mem_fn(&DimAccess::needsMemory));
}

/// What is read of a tensor: parts of it where nothing else uses it.
void addRead(CostFormula &formula, BlockArgument argument) {
  if (!argument.use_empty() && llvm::all_of(argument.getUses(), readsParts)) {
    for (Operation *user : argument.getUsers())
      addBytes(formula, user->getResult(0).getType());
    return;
  }
  addBytes(formula, argument.getType());
}

RegionCost fusionCost(FusionOp fusion) {
  RegionCost cost;
  Block &body = fusion.getBody().front();
  llvm::SmallPtrSet<Value, 8> seen;
  for (auto [buffer, argument] :
       llvm::zip_equal(fusion.getIns(), body.getArguments()))
    if (seen.insert(buffer).second)
      addRead(cost.bytesRead, argument);
  seen.clear();
  auto yield = cast<YieldOp>(body.getTerminator());
  for (auto [buffer, value] :
       llvm::zip_equal(fusion.getOuts(), yield.getValues()))
    if (seen.insert(buffer).second)
      addBytes(cost.bytesWritten, value.getType());
  for (TensorOp op : body.getOps<TensorOp>())
    addFlops(cost.flops, op);
  return cost;
}

RegionCost callCost(RuntimeCallOp call) {
  RegionCost cost;
  for (auto [i, type] :
       llvm::enumerate(call.getTypes().getAsValueRange<TypeAttr>()))
    addBytes(i < call.getIns().size() ? cost.bytesRead : cost.bytesWritten,
             type);
  if (call.getCallee() == "MatrixInverse" && !call.getTypes().empty()) {
    // Two n^3 a matrix: elimination and substitution for n right-hand sides.
    Extents extents = extentsOf(call.getTensorType(0));
    extents.push_back(extents.back());
    addElements(cost.flops, 2, extents);
  }
  return cost;
}

} // namespace

RegionCost regionCost(Operation *op) {
  if (auto fusion = dyn_cast<FusionOp>(op))
    return fusionCost(fusion);
  return callCost(cast<RuntimeCallOp>(op));
}

} // namespace kiln::passes
