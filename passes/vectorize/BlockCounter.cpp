// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the pushes and the final sum of the binary counter.
#include "passes/vectorize/BlockCounter.h"

#include "passes/vectorize/Elements.h"
#include "passes/vectorize/StackArrays.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

/// Levels of the stack: 2^48 blocks are more than any memory holds.
static constexpr int64_t maxLevels = 48;

SmallVector<Value> allocateSums(OpBuilder &builder, Location loc, int64_t count,
                                TypeRange types) {
  SmallVector<Value> arrays;
  for (Type type : types)
    arrays.push_back(allocateOnStack(builder, loc, type, count));
  return arrays;
}

SmallVector<Value> loadSums(OpBuilder &builder, Location loc, ValueRange arrays,
                            Value at) {
  SmallVector<Value> values;
  for (Value array : arrays)
    values.push_back(memref::LoadOp::create(builder, loc, array, at));
  return values;
}

void storeSums(OpBuilder &builder, Location loc, ValueRange values,
               ValueRange arrays, Value at) {
  for (auto [value, array] : llvm::zip_equal(values, arrays))
    memref::StoreOp::create(builder, loc, value, array, at);
}

BlockCounter::BlockCounter(OpBuilder &builder, Location loc,
                           ArrayRef<Combination> kinds, TypeRange types)
    : loc(loc), kinds(kinds), types(types),
      stacks(allocateSums(builder, loc, maxLevels, types)) {}

void BlockCounter::push(OpBuilder &builder, Value block, ValueRange values) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1),
        zero = arith::ConstantIndexOp::create(builder, loc, 0);
  SmallVector<Value> carried = {block, zero};
  llvm::append_range(carried, values);
  SmallVector<Type> carriedTypes(ValueRange(carried).getTypes());
  auto loop = scf::WhileOp::create(
      builder, loc, carriedTypes, carried,
      [&](OpBuilder &nested, Location loc, ValueRange arguments) {
        Value bit = arith::AndIOp::create(nested, loc, arguments[0], one);
        Value odd = arith::CmpIOp::create(nested, loc, arith::CmpIPredicate::ne,
                                          bit, zero);
        scf::ConditionOp::create(nested, loc, odd, arguments);
      },
      [&](OpBuilder &nested, Location loc, ValueRange arguments) {
        SmallVector<Value> next = {
            arith::ShRUIOp::create(nested, loc, arguments[0], one),
            arith::AddIOp::create(nested, loc, arguments[1], one)};
        for (auto [index, older] :
             llvm::enumerate(loadSums(nested, loc, stacks, arguments[1])))
          next.push_back(emitCombine(nested, loc, kinds[index], older,
                                     arguments[2 + index]));
        scf::YieldOp::create(nested, loc, next);
      });
  storeSums(builder, loc, loop.getResults().drop_front(2), stacks,
            loop.getResult(1));
}

SmallVector<Value> BlockCounter::finish(OpBuilder &builder, Value blocks) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1),
        zero = arith::ConstantIndexOp::create(builder, loc, 0);
  SmallVector<Value> carried = {
      blocks, zero, arith::ConstantIntOp::create(builder, loc, 0, 1)};
  for (auto [kind, type] : llvm::zip_equal(kinds, types))
    carried.push_back(emitNeutral(builder, loc, kind, type));
  SmallVector<Type> carriedTypes(ValueRange(carried).getTypes());
  // Bits from low to high; the lowest set one starts the total.
  auto loop = scf::WhileOp::create(
      builder, loc, carriedTypes, carried,
      [&](OpBuilder &nested, Location loc, ValueRange arguments) {
        Value more = arith::CmpIOp::create(
            nested, loc, arith::CmpIPredicate::ne, arguments[0], zero);
        scf::ConditionOp::create(nested, loc, more, arguments);
      },
      [&](OpBuilder &nested, Location loc, ValueRange arguments) {
        Value bit = arith::AndIOp::create(nested, loc, arguments[0], one);
        Value set = arith::CmpIOp::create(nested, loc, arith::CmpIPredicate::ne,
                                          bit, zero);
        SmallVector<Type> resultTypes(types);
        auto taken = scf::IfOp::create(
            nested, loc, set,
            [&](OpBuilder &inner, Location loc) {
              SmallVector<Value> totals;
              for (auto [index, older] : llvm::enumerate(
                       loadSums(inner, loc, stacks, arguments[1]))) {
                Value sum = emitCombine(inner, loc, kinds[index], older,
                                        arguments[3 + index]);
                totals.push_back(arith::SelectOp::create(
                    inner, loc, arguments[2], sum, older));
              }
              scf::YieldOp::create(inner, loc, totals);
            },
            [&](OpBuilder &inner, Location loc) {
              scf::YieldOp::create(inner, loc, arguments.drop_front(3));
            });
        SmallVector<Value> next = {
            arith::ShRUIOp::create(nested, loc, arguments[0], one),
            arith::AddIOp::create(nested, loc, arguments[1], one),
            arith::OrIOp::create(nested, loc, arguments[2], set)};
        llvm::append_range(next, taken.getResults());
        scf::YieldOp::create(nested, loc, next);
      });
  return SmallVector<Value>(loop.getResults().drop_front(3));
}

} // namespace kiln::passes
