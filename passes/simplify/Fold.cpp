// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds ops on constants: those that move elements and those on integers here,
// floats through the callback.
#include "dialect/Limits.h"
#include "passes/simplify/Integers.h"
#include "passes/simplify/Patterns.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

using Index = SmallVector<int64_t, 4>;

/// Where an element comes from.
struct Source {
  unsigned operand;
  int64_t element; ///< row-major
};

SmallVector<int64_t> stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

int64_t linear(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t element = 0;
  for (auto [place, extent] : llvm::zip_equal(index, shape))
    element = element * extent + place;
  return element;
}

/// Calls `visit` for every index of a static shape, in row-major order, until
/// it fails.
LogicalResult
forEachIndex(ArrayRef<int64_t> shape,
             function_ref<LogicalResult(ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> strides = stridesOf(shape);
  Index index(shape.size());
  for (int64_t element = 0, count = ShapedType::getNumElements(shape);
       element < count; ++element) {
    for (size_t i = 0; i < shape.size(); ++i)
      index[i] = element / strides[i] % shape[i];
    if (failed(visit(index)))
      return failure();
  }
  return success();
}

ArrayRef<int64_t> shapeOf(Value value) {
  return tensorTypeOf(value).getShape();
}

/// The elements of a constant of integers or bools.
FailureOr<SmallVector<int64_t>> integersOf(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto dense = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue())
                        : DenseIntElementsAttr();
  Type element = elementTypeOf(value);
  // Complex numbers of 128 bits are none.
  if (!dense || element.getIntOrFloatBitWidth() > 64)
    return failure();
  auto toInteger = [&](const APInt &bits) -> int64_t {
    return integerOf(IntegerAttr::get(element, bits));
  };
  int64_t count = tensorTypeOf(value).getNumElements();
  if (dense.isSplat())
    return SmallVector<int64_t>(count, toInteger(dense.getSplatValue<APInt>()));
  return llvm::map_to_vector(dense.getValues<APInt>(), toInteger);
}

using Sources = FailureOr<SmallVector<Source>>;

/// What `sourceOf` says of each element of the result, in row-major order.
Sources
collectSources(Value result,
               function_ref<FailureOr<Source>(ArrayRef<int64_t>)> sourceOf) {
  SmallVector<Source> sources;
  LogicalResult done = forEachIndex(
      shapeOf(result), [&](ArrayRef<int64_t> index) -> LogicalResult {
        FailureOr<Source> source = sourceOf(index);
        if (succeeded(source))
          sources.push_back(*source);
        return source;
      });
  if (failed(done))
    return failure();
  return sources;
}

// Where the element at an index of the result comes from.

Source sourceOf(ReshapeOp op, ArrayRef<int64_t> index) {
  return {0, linear(index, shapeOf(op.getResult()))};
}

Source sourceOf(BroadcastOp op, ArrayRef<int64_t> index) {
  ArrayRef<int64_t> shape = shapeOf(op.getOperand());
  Index from;
  for (auto [extent, target] : llvm::zip_equal(shape, op.getMap()))
    from.push_back(extent == 1 ? 0 : index[target]);
  return {0, linear(from, shape)};
}

Source sourceOf(TransposeOp op, ArrayRef<int64_t> index) {
  Index from(index.size());
  for (auto [target, source] : llvm::enumerate(op.getPermutation()))
    from[source] = index[target];
  return {0, linear(from, shapeOf(op.getOperand()))};
}

Source sourceOf(SliceOp op, ArrayRef<int64_t> index) {
  Index from;
  for (auto [place, start, stride] :
       llvm::zip_equal(index, op.getStarts(), op.getStrides()))
    from.push_back(start + place * stride);
  return {0, linear(from, shapeOf(op.getOperand()))};
}

Source sourceOf(ConcatOp op, ArrayRef<int64_t> index) {
  Index from(index);
  int64_t &place = from[op.getAxis()];
  unsigned operand = 0;
  for (; place >= shapeOf(op.getOperand(operand))[op.getAxis()]; ++operand)
    place -= shapeOf(op.getOperand(operand))[op.getAxis()];
  return {operand, linear(from, shapeOf(op.getOperand(operand)))};
}

Sources gatherSources(GatherOp op) {
  FailureOr<SmallVector<int64_t>> indices = integersOf(op.getIndices());
  if (failed(indices))
    return failure();
  ArrayRef<int64_t> shape = shapeOf(op.getOperand()),
                    picked = shapeOf(op.getIndices());
  size_t axis = op.getAxis(), batch = op.getBatch(),
         picks = picked.size() - batch;
  return collectSources(
      op.getResult(), [&](ArrayRef<int64_t> index) -> FailureOr<Source> {
        Index at(index.take_front(batch));
        llvm::append_range(at, index.slice(axis, picks));
        int64_t place = (*indices)[linear(at, picked)];
        if (place < 0 || place >= shape[axis])
          return failure(); // an error of the run
        Index from(index.take_front(axis));
        from.push_back(place);
        llvm::append_range(from, index.drop_front(axis + picks));
        return Source{0, linear(from, shape)};
      });
}

/// Which elements of which operands an op that only moves elements gives, in
/// row-major order of its result.
Sources elementSources(Operation *op) {
  return llvm::TypeSwitch<Operation *, Sources>(op)
      .Case<ReshapeOp, BroadcastOp, TransposeOp, ConcatOp>([](auto moving) {
        return collectSources(moving.getResult(), [&](ArrayRef<int64_t> index) {
          return FailureOr<Source>(sourceOf(moving, index));
        });
      })
      .Case<SliceOp>([](SliceOp slice) -> Sources {
        if (slice.getDynamicStarts())
          return failure();
        return collectSources(slice.getResult(), [&](ArrayRef<int64_t> index) {
          return FailureOr<Source>(sourceOf(slice, index));
        });
      })
      .Case<GatherOp>([](GatherOp gather) { return gatherSources(gather); })
      .Default([](auto) { return failure(); });
}

bool isStaticUpTo(Value value, int64_t limit) {
  RankedTensorType type = tensorTypeOf(value);
  return type.hasStaticShape() && type.getNumElements() <= limit;
}

// reshape(dims), slice(dims), gather(dims, constant), concat(dims, constant) ->
// dims
struct FoldMovedDims : RewritePattern {
  explicit FoldMovedDims(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa<ReshapeOp, SliceOp, GatherOp, ConcatOp>(op) ||
        tensorTypeOf(op->getResult(0)).getRank() > 1 ||
        !isStaticUpTo(op->getResult(0), maxConstantElements))
      return rewriter.notifyMatchFailure(op, "moves no few numbers");
    SmallVector<Extents> contents;
    bool someDims = false;
    for (Value operand : isa<ConcatOp>(op) ? op->getOperands()
                                           : op->getOperands().take_front(1)) {
      if (auto dims = operand.getDefiningOp<DimsOp>()) {
        someDims = true;
        Extents &extents = contents.emplace_back();
        for (auto [symbol, value] :
             llvm::zip_equal(dims.getSymbols(), dims.getValues()))
          extents.push_back(symbol < 0 ? Extent::known(value)
                                       : Extent::ofSymbol(symbol));
        continue;
      }
      FailureOr<SmallVector<int64_t>> integers = failure();
      if (isStaticUpTo(operand, maxConstantElements))
        integers = integersOf(operand);
      if (failed(integers))
        return rewriter.notifyMatchFailure(
            op, "an operand is neither dims nor a small constant");
      contents.emplace_back(llvm::map_range(*integers, Extent::known));
    }
    FailureOr<SmallVector<Source>> sources = failure();
    if (someDims)
      sources = elementSources(op);
    if (failed(sources))
      return rewriter.notifyMatchFailure(
          op, "no operand is dims, or which elements move is not known");
    SmallVector<int64_t> symbols, values;
    for (const Source &source : *sources) {
      const Extent &extent = contents[source.operand][source.element];
      symbols.push_back(extent.symbol);
      values.push_back(extent.value);
    }
    rewriter.replaceOpWithNewOp<DimsOp>(op, op->getResultTypes().front(),
                                        symbols, values);
    return success();
  }
};

// f(constant) -> constant
class FoldConstants : public RewritePattern {
public:
  FoldConstants(MLIRContext *context, const FoldOptions &options)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context), options(options) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa_and_present<KilnDialect>(op->getDialect()) ||
        !isMemoryEffectFree(op) || op->getNumResults() != 1 ||
        op->getNumOperands() == 0 || op->getNumRegions() != 0)
      return rewriter.notifyMatchFailure(
          op, "not one value computed of others alone");
    Value result = op->getResult(0);
    if (!isStaticUpTo(result,
                      std::min(options.maxElements, maxConstantElements)))
      return rewriter.notifyMatchFailure(op,
                                         "the result is dynamic or too large");
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands()) {
      auto constant = operand.getDefiningOp<ConstantOp>();
      auto value = constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                            : DenseElementsAttr();
      if (!value || !isStaticUpTo(operand, options.maxElements))
        return rewriter.notifyMatchFailure(
            op, "an operand is no constant, or too large");
      operands.push_back(
          value.isSplat() ? value.resizeSplat(tensorTypeOf(operand)) : value);
    }
    if (isContraction(op))
      return rewriter.notifyMatchFailure(
          op, "a contraction is the work that code is made for");
    DenseElementsAttr value = compute(op, operands);
    if (!value)
      return rewriter.notifyMatchFailure(
          op, "neither integers nor the evaluator fold the op");
    rewriter.replaceOp(op, createConstant(rewriter, op->getLoc(),
                                          tensorTypeOf(result), value));
    return success();
  }

private:
  DenseElementsAttr compute(Operation *op, ArrayRef<Attribute> operands) const {
    if (DenseElementsAttr value = moveElements(op, operands))
      return value;
    if (DenseElementsAttr value = computeIntegers(op))
      return value;
    SmallVector<Attribute> results;
    if (!options.fold || failed(options.fold(op, operands, results)) ||
        results.size() != 1)
      return {};
    return dyn_cast_if_present<DenseElementsAttr>(results.front());
  }

  static DenseElementsAttr moveElements(Operation *op,
                                        ArrayRef<Attribute> operands) {
    FailureOr<SmallVector<Source>> sources = elementSources(op);
    if (failed(sources))
      return {};
    SmallVector<SmallVector<Attribute>> elements;
    for (Attribute operand : operands)
      elements.emplace_back(
          cast<DenseElementsAttr>(operand).getValues<Attribute>());
    SmallVector<Attribute> moved;
    for (const Source &source : *sources)
      moved.push_back(elements[source.operand][source.element]);
    return DenseElementsAttr::get(tensorTypeOf(op->getResult(0)), moved);
  }

  /// The types that shapes are computed in; others are the callback's.
  static bool isIndexLike(Type element) {
    return element.isSignlessInteger(1) || element.isSignlessInteger(32) ||
           element.isSignlessInteger(64);
  }

  static DenseElementsAttr computeIntegers(Operation *op) {
    RankedTensorType type = tensorTypeOf(op->getResult(0));
    SmallVector<SmallVector<int64_t>> operands;
    if (!isIndexLike(type.getElementType()))
      return {};
    for (Value operand : op->getOperands()) {
      FailureOr<SmallVector<int64_t>> integers = failure();
      if (isIndexLike(elementTypeOf(operand)))
        integers = integersOf(operand);
      if (failed(integers))
        return {};
      operands.push_back(std::move(*integers));
    }
    SmallVector<int64_t> values;
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      values = reduceIntegers(reduce, operands.front());
    } else if (auto iota = dyn_cast<IotaOp>(op)) {
      (void)forEachIndex(type.getShape(), [&](ArrayRef<int64_t> index) {
        uint64_t offset =
            static_cast<uint64_t>(index[iota.getAxis()]) * operands[1][0];
        values.push_back(static_cast<int64_t>(operands[0][0] + offset));
        return success();
      });
    } else if (op->hasTrait<OpTrait::Elementwise>()) {
      for (int64_t i = 0, count = type.getNumElements(); i < count; ++i) {
        SmallVector<int64_t, 3> arguments;
        for (const SmallVector<int64_t> &operand : operands)
          arguments.push_back(operand[i]);
        std::optional<int64_t> value =
            evaluate(op, arguments, type.getElementType());
        if (!value)
          return {};
        values.push_back(*value);
      }
    } else {
      return {};
    }
    auto toBits = [&](int64_t value) {
      return APInt(type.getElementTypeBitWidth(), value, /*isSigned=*/true,
                   /*implicitTrunc=*/true);
    };
    return DenseElementsAttr::get(type, llvm::map_to_vector(values, toBits));
  }

  static SmallVector<int64_t> reduceIntegers(ReduceOp op,
                                             ArrayRef<int64_t> operand) {
    RankedTensorType type = tensorTypeOf(op);
    SmallVector<int64_t> values(type.getNumElements(),
                                neutralOf(op.getKind(), type.getElementType()));
    int64_t next = 0;
    (void)forEachIndex(shapeOf(op.getOperand()), [&](ArrayRef<int64_t> index) {
      Index kept;
      for (auto [axis, place] : llvm::enumerate(index))
        if (!llvm::is_contained(op.getAxes(), static_cast<int64_t>(axis)))
          kept.push_back(place);
      int64_t &value = values[linear(kept, type.getShape())];
      value =
          combine(op.getKind(), type.getElementType(), value, operand[next++]);
      return success();
    });
    return values;
  }

  FoldOptions options;
};

} // namespace

bool dependsOnConstants(Operation *op, const DenseSet<Value> &constants) {
  if (isa<ConstantOp, ConstantRefOp>(op))
    return true;
  return isa<TensorOp>(op) && isMemoryEffectFree(op) &&
         op->getNumRegions() == 0 && op->getNumOperands() > 0 &&
         !isContraction(op) && !isa<RuntimeCallOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return constants.contains(operand);
         });
}

void populateFoldPatterns(RewritePatternSet &patterns,
                          const FoldOptions &options) {
  patterns.add<FoldMovedDims>(patterns.getContext());
  patterns.add<FoldConstants>(patterns.getContext(), options);
}

} // namespace kiln::passes
