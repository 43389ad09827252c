// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-sink-pools: averages of places behind the pointwise convolution that
// reads them, where it leaves fewer channels to average.
//
//   convolve(pool(x), W)  -> pool(convolve(x, W))
//
// for weights W that are made of constants and have one element a window. A
// pool is what is linear in x and treats all channels alike: sums of its
// windows and slices, times or over numbers that depend on the place alone.
// Legality: each channel of the product is one sum over channels, each element
// of the pool one over places; they may change their order. Profitability: the
// pool has as many places as x, and the product fewer channels.
#include "passes/Passes.h"
#include "passes/simplify/Patterns.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace kiln::passes {
#define GEN_PASS_DEF_KILNSINKPOOLS
#include "passes/Passes.h.inc"
} // namespace kiln::passes

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

/// Pools and divisors of more ops than this stay where they are.
constexpr size_t maxOps = 256;

/// Whether the op moves whole rows of channels of its first operand.
bool movesRows(Operation *op) {
  auto isWhole = [&](ArrayRef<int64_t> starts, ArrayRef<int64_t> strides) {
    return starts.back() == 0 && strides.back() == 1 &&
           extentsOf(op->getOperand(0)).back() ==
               extentsOf(op->getResult(0)).back();
  };
  if (auto slice = dyn_cast<SliceOp>(op))
    return !slice.getDynamicStarts() &&
           isWhole(slice.getStarts(), slice.getStrides());
  auto window = dyn_cast<WindowOp>(op);
  return window && isSplatOf(window.getPadding(), 0.0) &&
         isWhole(window.getStarts(), window.getStrides());
}

/// A pool before a convolution: its ops, operands first, and what it is of.
class Pool {
public:
  /// False where `value` is none, or has other users than the pool's own.
  bool find(Value value) { return addLinear(value, 0); }

  /// What the pool makes of a \p product in the place of what it was of.
  Value rebuild(OpBuilder &builder, Value product) const {
    const int64_t channels = tensorTypeOf(product).getShape().back();
    auto narrow = [&](Value value) {
      RankedTensorType type = tensorTypeOf(value);
      SmallVector<int64_t> shape(type.getShape());
      shape.back() = channels;
      return RankedTensorType::get(shape, type.getElementType(),
                                   type.getEncoding());
    };
    IRMapping mapping;
    mapping.map(image, product);
    Value last;
    for (Operation *op : ops) {
      Value result = op->getResult(0);
      if (TypedAttr element = splatElement(result)) {
        last = createSplat(builder, result.getLoc(), narrow(result), element);
      } else {
        Operation *made = builder.clone(*op, mapping);
        last = made->getResult(0);
        last.setType(narrow(result));
      }
      mapping.map(result, last);
    }
    return last;
  }

  void eraseDead() const {
    for (Operation *op : llvm::reverse(ops))
      if (isOpTriviallyDead(op))
        op->erase();
  }

  Value image;

private:
  bool add(Operation *op) {
    ops.insert(op);
    return ops.size() <= maxOps;
  }

  bool addLinear(Value value, size_t depth) {
    Operation *op = value.getDefiningOp();
    if (!op || !value.hasOneUse() || depth > maxOps)
      return false;
    if (isa<AddOp, SubOp>(op))
      return addLinear(op->getOperand(0), depth + 1) &&
             addLinear(op->getOperand(1), depth + 1) && add(op);
    if (isa<MulOp, DivOp>(op))
      return addLinear(op->getOperand(0), depth + 1) &&
             addOfPlaces(op->getOperand(1), depth + 1) && add(op);
    if (!movesRows(op) || (image && image != op->getOperand(0)))
      return false;
    image = op->getOperand(0);
    return add(op);
  }

  /// Adds what is the same for all channels of a place.
  bool addOfPlaces(Value value, size_t depth) {
    Operation *op = value.getDefiningOp();
    if (!op || depth > maxOps)
      return false;
    if (ops.contains(op) || splatElement(value))
      return add(op);
    const int64_t channels = rankOf(value) - 1;
    if (auto iota = dyn_cast<IotaOp>(op))
      return static_cast<int64_t>(iota.getAxis()) != channels && add(op);
    if (auto broadcast = dyn_cast<BroadcastOp>(op))
      return !llvm::is_contained(broadcast.getMap(), channels) && add(op);
    return op->hasTrait<OpTrait::Elementwise>() && op->getNumResults() == 1 &&
           llvm::all_of(op->getOperands(),
                        [&](Value operand) {
                          return addOfPlaces(operand, depth + 1);
                        }) &&
           add(op);
  }

  llvm::SetVector<Operation *> ops;
};

/// Whether each place of the result is the product of the same one of lhs.
bool isPointwise(ConvolveOp convolve) {
  auto isOne = [](int64_t number) { return number == 1; };
  return !convolve.getTransposed() && !convolve.getPadded() &&
         isa<FloatType>(elementTypeOf(convolve.getResult())) &&
         llvm::all_of(convolve.getStrides(), isOne) &&
         llvm::all_of(tensorTypeOf(convolve.getRhs()).getShape().drop_back(2),
                      isOne);
}

/// convolve(pool(x), W) -> pool(convolve(x, W)); the new convolution, or null.
ConvolveOp sink(ConvolveOp convolve) {
  Value pooled = convolve.getLhs();
  const int64_t before = tensorTypeOf(pooled).getShape().back(),
                after = tensorTypeOf(convolve.getResult()).getShape().back();
  if (!isPointwise(convolve) || ShapedType::isDynamic(before) ||
      ShapedType::isDynamic(after) || after >= before)
    return {};
  Pool pool;
  if (!pool.find(pooled) || pool.image.getType() != pooled.getType())
    return {};
  OpBuilder builder(convolve);
  auto product = cast<ConvolveOp>(builder.clone(*convolve));
  product.getLhsMutable().assign(pool.image);
  convolve.replaceAllUsesWith(pool.rebuild(builder, product));
  convolve.erase();
  pool.eraseDead();
  return product;
}

class KilnSinkPoolsPass : public impl::KilnSinkPoolsBase<KilnSinkPoolsPass> {
public:
  using KilnSinkPoolsBase::KilnSinkPoolsBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      DenseSet<Value> constants;
      for (Operation &op : llvm::make_early_inc_range(function.front())) {
        if (dependsOnConstants(&op, constants))
          constants.insert_range(op.getResults());
        auto convolve = dyn_cast<ConvolveOp>(op);
        // Behind a pool that has moved there may be another one.
        while (convolve && constants.contains(convolve.getRhs()))
          convolve = sink(convolve);
      }
    }
  }
};

} // namespace
} // namespace kiln::passes
