// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds up operations and bytes over the types of a bufferized fusion.
#include "passes/RegionCost.h"

#include "dialect/Types.h"

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

/// Adds factor * the elements of the type.
void addElements(CostFormula &formula, int64_t factor, Type type,
                 ArrayRef<Extent> more = {}) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t, 4> term = {factor};
  auto multiply = [&](ArrayRef<Extent> extents) {
    for (const Extent &extent : extents)
      if (extent.isKnown())
        term[0] = saturatingProduct(term[0], extent.value);
      else
        term.push_back(extent.symbol);
  };
  multiply(extentsOf(tensor));
  multiply(more);
  for (auto &other : formula)
    if (ArrayRef(other).drop_front() == ArrayRef(term).drop_front()) {
      other[0] = saturatingSum(other[0], term[0]);
      return;
    }
  if (term[0] != 0)
    formula.push_back(std::move(term));
}

void addBytes(CostFormula &formula, Type type) {
  addElements(formula,
              storageBytes(cast<RankedTensorType>(type).getElementType()),
              type);
}

bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

void addFlops(CostFormula &formula, Operation &op) {
  if (op.getNumResults() != 1 || !isFloat(op.getResult(0)))
    return;
  Value result = op.getResult(0);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return addElements(formula, 1, reduce.getOperand().getType());
  if (auto matmul = dyn_cast<MatmulOp>(op)) {
    Extents lhs = extentsOf(matmul.getLhs());
    Extent inner = lhs[lhs.size() - (matmul.getTransposeLhs() ? 2 : 1)];
    return addElements(formula, 2, result.getType(), inner);
  }
  if (op.hasTrait<OpTrait::Elementwise>() && !isa<SelectOp, CastOp>(op))
    addElements(formula, 1, result.getType());
}

/// What is read of a tensor: parts of it where nothing else uses it.
void addRead(CostFormula &formula, BlockArgument argument) {
  if (!argument.use_empty() &&
      llvm::all_of(argument.getUsers(), [&](Operation *user) {
        auto gather = dyn_cast<GatherOp>(user);
        return isa<SliceOp>(user) ||
               (gather && gather->getOperand(0) == argument &&
                gather->getOperand(1) != argument);
      })) {
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
  for (Operation &op : body.without_terminator())
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
    RankedTensorType type = call.getTensorType(0);
    addElements(cost.flops, 2, type, extentsOf(type).back());
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
