// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-fold-scales: multiplies what a normalization does to the channels of a
// product into the product's constant weights.
//
//   mul(convolve(x, W), s)  -> convolve(x, W * s)
//   mul(add(v, b), s)       -> add(mul(v, s), b * s)      (v a product)
//   add(add(v, a), b)       -> add(v, a + b)
//
// for constants s, a, b of one element a channel. A depthwise convolution is a
// sum of products of slices with slices of its weights: all of them are scaled.
// The channels are the last dimension. What is computed from constants alone
// kiln-fold-tables folds.
#include "passes/Passes.h"
#include "passes/simplify/Patterns.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kiln::passes {
#define GEN_PASS_DEF_KILNFOLDSCALES
#include "passes/Passes.h.inc"
} // namespace kiln::passes

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

/// Sums of so many terms are looked into: the elements of a window.
constexpr int maxDepth = 256;

class ScaleFolder {
public:
  explicit ScaleFolder(Block &block)
      : block(block), builder(&block, block.end()) {}

  void run() {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (dependsOnConstants(&op, constants))
        constants.insert_range(op.getResults());
      else if (isa<MulOp, DivOp>(op))
        foldScale(&op);
      else if (isa<AddOp, SubOp>(op))
        foldShift(&op);
    }
  }

private:
  //===--- Constants ------------------------------------------------------===//

  /// Whether \p value is a constant of one element for each of its `channels`,
  /// its last dimension: a broadcast along that, or of a scalar.
  bool isPerChannel(Value value, int64_t channels) const {
    auto type = cast<RankedTensorType>(value.getType());
    if (!constants.contains(value) || type.getRank() == 0 ||
        !isa<FloatType>(type.getElementType()) ||
        type.getShape().back() != channels)
      return false;
    if (splatElement(value))
      return true;
    auto broadcast = value.getDefiningOp<BroadcastOp>();
    if (!broadcast)
      return false;
    auto from = cast<RankedTensorType>(broadcast.getOperand().getType());
    return from.getRank() == 0 ||
           (from.getRank() == 1 && from.getDimSize(0) == channels &&
            broadcast.getMap().front() == type.getRank() - 1);
  }

  /// The elements of an isPerChannel() value, [channels].
  Value channelsOf(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    auto ofChannels =
        RankedTensorType::get({type.getShape().back()}, type.getElementType());
    Value result;
    if (TypedAttr element = splatElement(value)) {
      result = createSplat(builder, value.getLoc(), ofChannels, element);
    } else {
      result = value.getDefiningOp<BroadcastOp>().getOperand();
      if (rankOf(result) == 0)
        result = BroadcastOp::create(builder, value.getLoc(), ofChannels,
                                     result, ArrayRef<int64_t>());
    }
    constants.insert(result);
    return result;
  }

  Value spread(Value channels, Type type) {
    Value made = BroadcastOp::create(
        builder, channels.getLoc(), type, channels,
        ArrayRef<int64_t>{cast<RankedTensorType>(type).getRank() - 1});
    constants.insert(made);
    return made;
  }

  template <class Op, class... Operands> Value constant(Operands... operands) {
    Value first = std::get<0>(std::tie(operands...));
    Value made = Op::create(builder, first.getLoc(), operands...);
    constants.insert(made);
    return made;
  }

  //===--- What a scale may move into -------------------------------------===//

  /// Whether \p value times a constant of `channels` elements, which are its
  /// last dimensions, is the same expression with other constants.
  bool isLinear(Value value, int64_t channels, int depth = 0) {
    Operation *op = value.getDefiningOp();
    if (!op || depth > maxDepth || !value.hasOneUse() ||
        op->getBlock() != &block)
      return false;
    if (auto reshape = dyn_cast<ReshapeOp>(op))
      return endsWith(reshape.getOperand(), channels) &&
             isLinear(reshape.getOperand(), channels, depth + 1);
    if (auto mul = dyn_cast<MulOp>(op))
      return bool(weightsOf(mul, channels));
    if (cast<RankedTensorType>(value.getType()).getShape().back() != channels &&
        !isa<AddOp, SubOp>(op))
      return false;
    if (auto convolve = dyn_cast<ConvolveOp>(op))
      return !convolve.getTransposed() && constants.contains(convolve.getRhs());
    if (auto matmul = dyn_cast<MatmulOp>(op))
      return rankOf(matmul.getRhs()) == 2 &&
             constants.contains(matmul.getRhs());
    if (!isa<AddOp, SubOp>(op))
      return false;
    bool someLinear = false;
    for (Value operand : op->getOperands()) {
      bool linear = isLinear(operand, channels, depth + 1);
      if (!linear && !isPerChannel(operand, channels))
        return false;
      someLinear |= linear;
    }
    return someLinear;
  }

  /// Whether the last dimensions of a value are the channels, perhaps several
  /// that make one.
  static bool endsWith(Value value, int64_t channels) {
    int64_t elements = 1;
    for (int64_t dim :
         llvm::reverse(cast<RankedTensorType>(value.getType()).getShape())) {
      if (elements == channels)
        return true;
      if (ShapedType::isDynamic(dim))
        return false;
      elements *= dim;
    }
    return elements == channels;
  }

  /// The weights [K..., C, M] of a product with one element of them: of
  /// mul(x, broadcast(reshape(slice(weights)))), with the channels C * M.
  Value weightsOf(MulOp mul, int64_t channels) const {
    auto broadcast = mul.getRhs().getDefiningOp<BroadcastOp>();
    if (!broadcast || !broadcast->hasOneUse())
      return {};
    Value factor = broadcast.getOperand();
    if (auto reshape = factor.getDefiningOp<ReshapeOp>())
      factor = reshape.getOperand();
    auto slice = factor.getDefiningOp<SliceOp>();
    if (!slice || slice.getDynamicStarts() ||
        !constants.contains(slice.getOperand()))
      return {};
    auto whole = cast<RankedTensorType>(slice.getOperand().getType()),
         part = cast<RankedTensorType>(slice.getType());
    const int64_t rank = whole.getRank();
    if (rank < 2 || !whole.hasStaticShape() ||
        part.getNumElements() != channels ||
        whole.getDimSize(rank - 1) * whole.getDimSize(rank - 2) != channels)
      return {};
    // The factor's dimensions are the product's last.
    auto type = cast<RankedTensorType>(mul.getType());
    ArrayRef<int64_t> map = broadcast.getMap();
    int64_t elements = 1;
    for (size_t i = 0; i < map.size(); ++i)
      elements *= type.getDimSize(map[i]);
    for (size_t i = 1; i < map.size(); ++i)
      if (map[i] != map[i - 1] + 1)
        return {};
    int64_t behind = 1;
    for (int64_t dim = map.empty() ? 0 : map.back() + 1; dim < type.getRank();
         ++dim)
      behind *= type.getDimSize(dim);
    return !map.empty() && elements == channels && behind == 1
               ? slice.getOperand()
               : Value();
  }

  //===--- Rewriting ------------------------------------------------------===//

  /// An isLinear() \p value times \p scale [channels], or a constant one. Its
  /// ops move to the insertion point, where their new constants are.
  Value scaled(Value value, Value scale) {
    if (constants.contains(value))
      return spread(constant<MulOp>(channelsOf(value), scale), value.getType());
    Operation *op = value.getDefiningOp();
    if (auto convolve = dyn_cast<ConvolveOp>(op)) {
      Value weights = convolve.getRhs();
      convolve.getRhsMutable().assign(
          scaledWeights(weights, scale, {rankOf(weights) - 1}));
    } else if (auto matmul = dyn_cast<MatmulOp>(op)) {
      int64_t columns = matmul.getTransposeRhs() ? 0 : 1;
      matmul.getRhsMutable().assign(
          scaledWeights(matmul.getRhs(), scale, {columns}));
    } else if (auto mul = dyn_cast<MulOp>(op)) {
      scaleElement(mul, scale);
    } else {
      for (OpOperand &operand : op->getOpOperands())
        operand.set(scaled(operand.get(), scale));
    }
    op->moveBefore(&block, builder.getInsertionPoint());
    return value;
  }

  Value scaledWeights(Value weights, Value scale, ArrayRef<int64_t> map) {
    Value spread = BroadcastOp::create(builder, scale.getLoc(),
                                       weights.getType(), scale, map);
    constants.insert(spread);
    return constant<MulOp>(weights, spread);
  }

  /// All elements of a window are slices of the same scaled weights.
  void scaleElement(MulOp mul, Value scale) {
    auto broadcast = mul.getRhs().getDefiningOp<BroadcastOp>();
    auto reshape = broadcast.getOperand().getDefiningOp<ReshapeOp>();
    auto slice = (reshape ? reshape.getOperand() : broadcast.getOperand())
                     .getDefiningOp<SliceOp>();
    Value weights = slice.getOperand();
    auto [made, isNew] = ofWeights.try_emplace({weights, scale}, Value());
    if (isNew) {
      Extents shape = extentsOf(weights);
      Value matrix = createReshape(builder, scale.getLoc(), scale,
                                   ArrayRef(shape).take_back(2));
      constants.insert(matrix);
      int64_t rank = rankOf(weights);
      made->second = scaledWeights(weights, matrix, {rank - 2, rank - 1});
    }
    auto own = cast<SliceOp>(builder.clone(*slice));
    own.getOperandMutable().assign(made->second);
    Value factor = own;
    if (reshape)
      factor = createReshape(builder, reshape.getLoc(), factor,
                             extentsOf(reshape.getResult()));
    Value spread =
        BroadcastOp::create(builder, broadcast.getLoc(), broadcast.getType(),
                            factor, broadcast.getMap());
    constants.insert(own);
    constants.insert(factor);
    constants.insert(spread);
    mul.getRhsMutable().assign(spread);
  }

  // mul(v, s) -> v with scaled weights; div(v, s) likewise
  void foldScale(Operation *op) {
    Value value = op->getOperand(0), factor = op->getOperand(1);
    if (isa<MulOp>(op) && constants.contains(value))
      std::swap(value, factor);
    std::optional<int64_t> channels = channelsOf(op);
    if (!channels || !isPerChannel(factor, *channels) ||
        constants.contains(value) || !isLinear(value, *channels))
      return;
    builder.setInsertionPoint(op);
    Value scale = channelsOf(factor);
    if (isa<DivOp>(op)) {
      Value one = createNumber(builder, op->getLoc(),
                               cast<RankedTensorType>(scale.getType()), 1.0);
      scale = constant<DivOp>(one, scale);
    }
    replace(op, scaled(value, scale));
  }

  // add(add(v, a), b) -> add(v, a + b), with sub likewise
  void foldShift(Operation *op) {
    Value value = op->getOperand(0), shift = op->getOperand(1);
    if (isa<AddOp>(op) && constants.contains(value))
      std::swap(value, shift);
    std::optional<int64_t> channels = channelsOf(op);
    Operation *inner = value.getDefiningOp();
    if (!channels || !isPerChannel(shift, *channels) || !inner ||
        !isa<AddOp, SubOp>(inner) || !value.hasOneUse() ||
        inner->getBlock() != &block)
      return;
    Value base = inner->getOperand(0), first = inner->getOperand(1);
    if (isa<AddOp>(inner) && constants.contains(base))
      std::swap(base, first);
    if (!isPerChannel(first, *channels) || !isLinear(base, *channels))
      return;
    builder.setInsertionPoint(op);
    Value a = channelsOf(first), b = channelsOf(shift);
    if (isa<SubOp>(inner))
      a = constant<NegOp>(a);
    Value sum = isa<SubOp>(op) ? constant<SubOp>(a, b) : constant<AddOp>(a, b);
    Value shifted = AddOp::create(builder, op->getLoc(), base,
                                  spread(sum, value.getType()));
    replace(op, shifted);
    inner->erase();
  }

  /// The channels of the op's result, where they are known.
  static std::optional<int64_t> channelsOf(Operation *op) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (type.getRank() == 0 || type.isDynamicDim(type.getRank() - 1) ||
        !isa<FloatType>(type.getElementType()))
      return std::nullopt;
    return type.getShape().back();
  }

  static void replace(Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }

  Block &block;
  OpBuilder builder;
  llvm::DenseSet<Value> constants;
  /// Scaled weights of which slices are taken, by weights and scale.
  llvm::DenseMap<std::pair<Value, Value>, Value> ofWeights;
};

class KilnFoldScalesPass : public impl::KilnFoldScalesBase<KilnFoldScalesPass> {
public:
  using KilnFoldScalesBase::KilnFoldScalesBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        ScaleFolder(function.front()).run();
  }
};

} // namespace
} // namespace kiln::passes
