// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops that stream and those that do not, and which offsets begin a line.
#include "passes/vectorize/Streaming.h"

#include "passes/vectorize/KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <algorithm>

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

/// Offsets of more steps are not looked at.
static constexpr int maxDepth = 12;

bool Streaming::isAligned(Value offset, int depth) const {
  auto isMultiple = [&](Value value) { return isAligned(value, depth + 1); };
  if (auto known = getConstantIntValue(offset))
    return *known % lanes == 0;
  if (depth == maxDepth)
    return false;
  if (auto argument = dyn_cast<BlockArgument>(offset)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar() &&
           isMultiple(loop.getLowerBound()) && isMultiple(loop.getStep());
  }
  Operation *def = offset.getDefiningOp();
  if (auto symbol = dyn_cast<SymbolOp>(def))
    return llvm::is_contained(multiples, static_cast<int64_t>(symbol.getId()));
  if (isa<arith::MulIOp>(def))
    return llvm::any_of(def->getOperands(), isMultiple);
  return isa<arith::AddIOp, arith::SubIOp, arith::MinUIOp, arith::MaxUIOp,
             arith::RemUIOp>(def) &&
         llvm::all_of(def->getOperands(), isMultiple);
}

/// Whether a run is one in which loops stream.
static Value emitIsLargeRun(FusionOp fusion, const StreamingChoice &choice,
                            KernelBuilder &k) {
  Value bytes = k.index(0);
  for (Value result :
       cast<YieldOp>(fusion.getBody().front().getTerminator()).getValues())
    bytes = k.add(
        bytes,
        k.mul(k.product(extentsOf(result)),
              k.index(storageBytes(getElementTypeOrSelf(result.getType())))));
  Value condition =
      arith::CmpIOp::create(k.builder, k.loc, arith::CmpIPredicate::uge, bytes,
                            k.index(choice.minBytes));
  for (int64_t symbol : choice.multiples) {
    Value rest = k.rem(k.extent(Extent::ofSymbol(symbol)), k.index(lanes));
    condition = arith::AndIOp::create(
        k.builder, k.loc, condition,
        arith::CmpIOp::create(k.builder, k.loc, arith::CmpIPredicate::eq, rest,
                              k.index(0)));
  }
  return condition;
}

void emitStreamedOrNot(FusionOp fusion, const StreamingChoice &choice,
                       OpBuilder &builder,
                       function_ref<void(const Streaming *)> emit) {
  using When = StreamingChoice::When;
  if (choice.when == When::Never)
    return emit(nullptr);
  Location loc = fusion.getLoc();
  const Streaming streaming(choice.multiples);
  auto emitStreamed = [&] {
    emit(&streaming);
    emitStreamFence(builder, loc);
  };
  if (choice.when == When::Always)
    return emitStreamed();
  KernelBuilder k(builder, loc, {});
  auto branch =
      scf::IfOp::create(builder, loc, emitIsLargeRun(fusion, choice, k),
                        /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  emitStreamed();
  builder.setInsertionPointToStart(branch.elseBlock());
  emit(nullptr);
}

void emitVectorStore(OpBuilder &builder, Location loc, Value vector,
                     Value buffer, Value offset, const Streaming *streaming) {
  auto store = vector::StoreOp::create(builder, loc, vector, buffer, offset);
  if (!streaming || !streaming->isAligned(offset))
    return;
  store.setNontemporal(true);
  constexpr int64_t line = 64;
  store.setAlignment(std::min(
      line, lanes * storageBytes(getElementTypeOrSelf(vector.getType()))));
}

bool isStreamedStore(Operation *op) {
  auto store = dyn_cast<vector::StoreOp>(op);
  return store && store.getNontemporal();
}

void emitStreamFence(OpBuilder &builder, Location loc) {
  LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::seq_cst, "");
}

} // namespace kiln::passes
