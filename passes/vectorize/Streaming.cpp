// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which fusions stream their results, and which offsets begin a line.
#include "passes/vectorize/Streaming.h"

#include "dialect/Cost.h"
#include "passes/Passes.h"
#include "passes/analysis/LoopNest.h"
#include "passes/vectorize/KernelBuilder.h"
#include "passes/vectorize/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <algorithm>

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

/// Vector operations of a body of which there may be two copies: beside more,
/// stores cost little, and a copy costs compile time.
static constexpr int64_t maxCopiedOps = 16;

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

/// Whether each element of the results is stored once and not read again, in
/// vectors.
static bool storesOnce(FusionOp fusion) {
  for (Value out : fusion.getOuts())
    for (Value in : fusion.getIns())
      if (isSameBuffer(in, out))
        return false;
  if (!isSpecialKernel(fusion))
    return true;
  auto ops = fusion.getBody().front().without_terminator();
  return fusion.getOuts().size() == 1 &&
         (ops.empty() ||
          isa<ConcatOp, PadOp, SliceOp, TransposeOp>(*ops.begin()));
}

/// Code that is made for a run also suits those that are so much larger.
static constexpr double maxGrowth = 8;

/// How large the results of a fusion are.
namespace {
struct ResultBytes {
  bool isKnown = true;
  double bytes = 0; ///< a guess where only the run knows
};
} // namespace

static ResultBytes bytesOf(ValueRange results, ModuleOp module) {
  auto sizes = module->getAttrOfType<DenseI64ArrayAttr>(sizesName);
  auto sizeOf = [&](int64_t symbol) -> double {
    return sizes && symbol < sizes.size() ? static_cast<double>(sizes[symbol])
                                          : 0;
  };
  ResultBytes total;
  for (Value result : results) {
    auto type = cast<RankedTensorType>(result.getType());
    auto bytes = static_cast<double>(storageBytes(type.getElementType()));
    for (const Extent &extent : extentsOf(type)) {
      total.isKnown &= extent.isKnown();
      bytes *= extent.isKnown() ? static_cast<double>(extent.value)
                                : sizeOf(extent.symbol);
    }
    total.bytes += bytes;
  }
  return total;
}

/// Whether the body is worth a second copy.
static bool isSmall(FusionOp fusion) {
  int64_t count = 0;
  for (Operation &op : fusion.getBody().front().without_terminator())
    count += stepCost(&op).vectorOps;
  return count <= maxCopiedOps;
}

void emitStreamedOrNot(FusionOp fusion, int64_t leastBytes, OpBuilder &builder,
                       function_ref<void(const Streaming *)> emit) {
  Location loc = fusion.getLoc();
  ValueRange results =
      cast<YieldOp>(fusion.getBody().front().getTerminator()).getValues();
  auto [isKnown, guess] = bytesOf(results, fusion->getParentOfType<ModuleOp>());
  const auto least = static_cast<double>(leastBytes);
  bool isPossible =
      isKnown ? guess >= least : guess * maxGrowth >= least && isSmall(fusion);
  if (!isPossible || !storesOnce(fusion))
    return emit(nullptr);
  SmallVector<int64_t, 2> multiples;
  // Rows are aligned where their length is a multiple.
  for (Value result : results)
    if (Extents extents = extentsOf(result);
        extents.size() > 1 && !extents.back().isKnown())
      multiples.push_back(extents.back().symbol);
  const Streaming streaming(multiples);
  auto emitStreamed = [&] {
    emit(&streaming);
    emitStreamFence(builder, loc);
  };
  if (isKnown)
    return emitStreamed();

  KernelBuilder k(builder, loc, {});
  Value bytes = k.index(0);
  for (Value result : results)
    bytes = k.add(
        bytes,
        k.mul(k.product(extentsOf(result)),
              k.index(storageBytes(getElementTypeOrSelf(result.getType())))));
  Value condition = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::uge, bytes, k.index(leastBytes));
  for (int64_t symbol : multiples) {
    Value rest = k.rem(k.extent(Extent::ofSymbol(symbol)), k.index(lanes));
    condition = arith::AndIOp::create(
        builder, loc, condition,
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest,
                              k.index(0)));
  }
  auto branch =
      scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/true);
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
