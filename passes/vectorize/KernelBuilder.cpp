// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index arithmetic, loops and moves of the special kernels.
#include "passes/vectorize/KernelBuilder.h"

#include "passes/analysis/LoopWork.h"
#include "passes/vectorize/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

bool KernelBuffers::writeOver(Value operand) {
  for (auto [index, each] : llvm::enumerate(outs))
    if (isSameBuffer(each, in(operand))) {
      target = index;
      return true;
    }
  return false;
}

static Type elementOf(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getElementType();
}

Value KernelBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value KernelBuilder::extent(const Extent &extent) {
  return extent.isKnown()
             ? index(extent.value)
             : Value(SymbolOp::create(builder, loc, extent.symbol));
}

Value KernelBuilder::product(ArrayRef<Extent> extents) {
  Value result = index(1);
  for (const Extent &factor : extents)
    result = mul(result, extent(factor));
  return result;
}

Value KernelBuilder::add(Value a, Value b) {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}
Value KernelBuilder::sub(Value a, Value b) {
  return builder.createOrFold<arith::SubIOp>(loc, a, b);
}
Value KernelBuilder::mul(Value a, Value b) {
  return builder.createOrFold<arith::MulIOp>(loc, a, b);
}
Value KernelBuilder::div(Value a, Value b) {
  return builder.createOrFold<arith::DivUIOp>(loc, a, b);
}
Value KernelBuilder::ceilDiv(Value a, Value b) {
  return builder.createOrFold<arith::CeilDivUIOp>(loc, a, b);
}
Value KernelBuilder::rem(Value a, Value b) {
  return builder.createOrFold<arith::RemUIOp>(loc, a, b);
}
Value KernelBuilder::min(Value a, Value b) {
  return builder.createOrFold<arith::MinUIOp>(loc, a, b);
}
Value KernelBuilder::max(Value a, Value b) {
  return builder.createOrFold<arith::MaxUIOp>(loc, a, b);
}

//===--- Loops ------------------------------------------------------------===//

void KernelBuilder::forEach(Value low, Value high, int64_t step,
                            function_ref<void(Value)> body, bool parallel,
                            std::optional<int64_t> most) {
  auto loop = scf::ForOp::create(builder, loc, low, high, index(step));
  if (most)
    setMostIterations(loop, llvm::divideCeil(*most, step));
  if (parallel)
    loop->setAttr("kiln.parallel", builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

ValueRange KernelBuilder::forCarried(
    Value low, Value high, int64_t step, ValueRange initial,
    function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(builder, loc, low, high, index(step), initial);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(builder, loc,
                       body(loop.getInductionVar(), loop.getRegionIterArgs()));
  return loop.getResults();
}

void KernelBuilder::forVectors(Value low, Value high,
                               function_ref<void(Value, Value)> body,
                               std::optional<int64_t> most) {
  Value count = sub(high, low);
  Value whole = add(low, sub(count, rem(count, index(lanes))));
  forEach(
      low, whole, lanes, [&](Value base) { body(base, Value()); },
      /*parallel=*/false, most);
  Value hasRest = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::slt, whole, high);
  auto rest =
      scf::IfOp::create(builder, loc, hasRest, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(rest.thenBlock());
  body(whole, maskOf(sub(high, whole)));
}

void KernelBuilder::forNest(ArrayRef<Extent> extents,
                            function_ref<void(ArrayRef<Value>)> body) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> indices;
  for (const Extent &each : extents) {
    auto loop =
        scf::ForOp::create(builder, loc, index(0), extent(each), index(1));
    if (indices.empty())
      loop->setAttr("kiln.parallel", builder.getUnitAttr());
    builder.setInsertionPointToStart(loop.getBody());
    indices.push_back(loop.getInductionVar());
  }
  body(indices);
}

void KernelBuilder::forChunks(Value count,
                              function_ref<void(Value, Value)> body) {
  if (auto known = getConstantIntValue(count); known && *known <= chunkElements)
    return body(index(0), count);
  forEach(
      index(0), count, chunkElements,
      [&](Value low) { body(low, min(add(low, index(chunkElements)), count)); },
      /*parallel=*/true);
}

//===--- Vectors ----------------------------------------------------------===//

// Exchanges halves, quarters, eighths and single elements of the off-diagonal
// squares.
void KernelBuilder::transposeSquare(MutableArrayRef<Value> square) {
  for (int64_t half = lanes / 2; half > 0; half /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      low.push_back(lane & half ? lanes + lane - half : lane);
      high.push_back(lane & half ? lanes + lane : lane + half);
    }
    for (int64_t i = 0; i < lanes; ++i) {
      if (i & half)
        continue;
      Value a = square[i], b = square[i + half];
      square[i] = vector::ShuffleOp::create(builder, loc, a, b, low);
      square[i + half] = vector::ShuffleOp::create(builder, loc, a, b, high);
    }
  }
}

//===--- Memory -----------------------------------------------------------===//

Value KernelBuilder::maskOf(Value count) {
  if (auto known = getConstantIntValue(count); known && *known >= lanes)
    return {};
  return vector::CreateMaskOp::create(
      builder, loc, VectorType::get({lanes}, builder.getI1Type()), count);
}

Value KernelBuilder::splat(Value scalar) {
  return vector::BroadcastOp::create(
      builder, loc, VectorType::get({lanes}, scalar.getType()), scalar);
}

Value KernelBuilder::loadScalar(Value buffer, Value offset) {
  return memref::LoadOp::create(builder, loc, buffer, offset);
}

void KernelBuilder::fetch(Value buffer, Value offset, Fetch how) {
  memref::PrefetchOp::create(builder, loc, buffer, offset,
                             /*isWrite=*/how == Fetch::ToWrite,
                             /*localityHint=*/how == Fetch::ToReadLater ? 2 : 3,
                             /*isDataCache=*/true);
}

void KernelBuilder::storeScalar(Value value, Value buffer, Value offset) {
  memref::StoreOp::create(builder, loc, value, buffer, offset);
}

Value KernelBuilder::load(Value buffer, Value offset, Value mask, Value rest) {
  auto type = VectorType::get({lanes}, elementOf(buffer));
  if (!mask)
    return vector::LoadOp::create(builder, loc, type, buffer, offset);
  if (!rest)
    rest = emitConstant(builder, loc, type,
                        builder.getZeroAttr(elementOf(buffer)));
  return vector::MaskedLoadOp::create(builder, loc, type, buffer, offset, mask,
                                      rest);
}

void KernelBuilder::store(Value vector, Value buffer, Value offset,
                          Value mask) {
  if (mask)
    vector::MaskedStoreOp::create(builder, loc, buffer, offset, mask, vector);
  else
    emitVectorStore(builder, loc, vector, buffer, offset, streaming);
}

void KernelBuilder::copyRun(Value to, Value toOffset, Value from,
                            Value fromOffset, Value count,
                            std::optional<int64_t> most) {
  if (getConstantIntValue(count) == 1)
    return storeScalar(loadScalar(from, fromOffset), to, toOffset);
  forVectors(
      index(0), count,
      [&](Value base, Value mask) {
        store(load(from, add(fromOffset, base), mask), to, add(toOffset, base),
              mask);
      },
      most);
}

void KernelBuilder::copyShared(Value to, Value toOffset, Value from,
                               Value fromOffset, Value count) {
  forChunks(count, [&](Value low, Value high) {
    copyRun(to, add(toOffset, low), from, add(fromOffset, low), sub(high, low),
            chunkElements);
  });
}

} // namespace kiln::passes
