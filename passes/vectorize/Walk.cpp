// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the runs of a walk lie, and which of them are padding.
#include "passes/vectorize/Walk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace kiln::passes {

static Value productOf(ArrayRef<Stretch> loops, KernelBuilder &k) {
  Value count = k.index(1);
  for (const Stretch &loop : loops)
    count = k.mul(count, loop.count);
  return count;
}

Value Walk::count(KernelBuilder &k) const { return productOf(loops, k); }

Value Walk::runs(KernelBuilder &k) const { return productOf(around(), k); }

Value Walk::offsetOf(Value run, KernelBuilder &k) const {
  Value offset = k.index(0);
  for (auto [i, loop] : llvm::enumerate(llvm::reverse(around()))) {
    bool isOutermost = i + 1 == around().size();
    Value at = isOutermost ? run : k.rem(run, loop.count);
    offset = k.add(offset, k.mul(at, loop.stride));
    if (!isOutermost)
      run = k.div(run, loop.count);
  }
  return offset;
}

Value Walk::indexOf(size_t loop, Value run, KernelBuilder &k) const {
  Value index = k.div(run, productOf(around().drop_front(loop + 1), k));
  return loop == 0 ? index : k.rem(index, loops[loop].count);
}

void Walk::simplify(KernelBuilder &k, size_t kept) {
  SmallVector<Stretch, 4> fewer(llvm::ArrayRef(loops).take_front(kept));
  for (const Stretch &loop : llvm::ArrayRef(loops).drop_front(kept)) {
    if (getConstantIntValue(loop.count) == 1)
      continue;
    // As far as the whole loop inside goes.
    if (fewer.size() > kept &&
        isEqualConstantIntOrValue(fewer.back().stride,
                                  k.mul(loop.count, loop.stride)))
      fewer.back() = {k.mul(fewer.back().count, loop.count), loop.stride};
    else
      fewer.push_back(loop);
  }
  if (fewer.size() == kept)
    fewer.push_back({k.index(1), k.index(1)});
  loops = fewer;
}

Value Padding::beginOf(const Walk &rows, Value run, KernelBuilder &k) const {
  return k.add(first, k.mul(rows.indexOf(rowLoop, run, k), rowStep));
}

Value Padding::isInside(Value at, const Walk &depth, Value run,
                        KernelBuilder &k) const {
  at = k.add(at, k.mul(depth.indexOf(depthLoop, run, k), depthStep));
  auto compare = [&](arith::CmpIPredicate how, Value limit) -> Value {
    return arith::CmpIOp::create(k.builder, k.loc, how, at, limit);
  };
  return arith::AndIOp::create(k.builder, k.loc,
                               compare(arith::CmpIPredicate::sge, begin),
                               compare(arith::CmpIPredicate::slt, end));
}

std::pair<Value, Value> Padding::partOfRun(const Walk &rows, Value run,
                                           KernelBuilder &k) const {
  Value at = beginOf(rows, run, k);
  auto firstFrom = [&](Value limit) {
    return k.ceilDiv(k.sub(k.max(limit, at), at), depthStep);
  };
  return {firstFrom(begin), firstFrom(end)};
}

} // namespace kiln::passes
