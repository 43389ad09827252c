// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-pack-constants: constant weights lie in the panels that a contraction
// reads, so that no run packs them.
//
// Legality: the weights are a constant of the table. Profitability: they are
// more than one panel, or transposed; a single one is read as it is.
#include "passes/LayoutAttributes.h"
#include "passes/Passes.h"
#include "passes/schedule/ContractionSchedule.h"
#include "passes/vectorize/Contraction.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kiln::passes {
#define GEN_PASS_DEF_KILNPACKCONSTANTS
#include "passes/Passes.h.inc"
} // namespace kiln::passes

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

/// Weights as a matrix.
struct Weights {
  BlockArgument argument;
  int64_t index; ///< of the table
  int64_t depth, columns;
  bool isTransposed;
  /// Rows of the product that lie evenly apart, where they are known and few: a
  /// row of places, unless all of them are one.
  std::optional<int64_t> rows;
};

class KilnPackConstantsPass
    : public impl::KilnPackConstantsBase<KilnPackConstantsPass> {
public:
  using KilnPackConstantsBase::KilnPackConstantsBase;
  KilnPackConstantsPass(ConstantTable *table,
                        const KilnPackConstantsOptions &options)
      : KilnPackConstantsBase(options), table(table) {}

  void runOnOperation() override {
    if (!table)
      return;
    packed.clear();
    SmallVector<FusionOp> fusions;
    getOperation().walk([&](FusionOp fusion) { fusions.push_back(fusion); });
    llvm::DenseSet<std::pair<Operation *, unsigned>> unread;
    llvm::SetVector<int64_t> replaced;
    for (FusionOp fusion : fusions)
      if (std::optional<Weights> weights = weightsOf(fusion);
          weights && succeeded(pack(fusion, *weights))) {
        unread.insert({fusion, weights->argument.getArgNumber()});
        replaced.insert(weights->index);
      }
    if (replaced.empty())
      return;
    // What only packed weights were made of is no longer read.
    getOperation().walk([&](BufferOp buffer) {
      bool isRead = llvm::any_of(buffer->getUses(), [&](OpOperand &use) {
        return !unread.contains({use.getOwner(), use.getOperandNumber()});
      });
      if (buffer.getKind() == BufferKind::constant && isRead)
        replaced.remove(static_cast<int64_t>(buffer.getIndex()));
    });
    for (int64_t index : replaced)
      table->release(index);
  }

private:
  std::optional<Weights> weightsOf(FusionOp fusion) const {
    Block &body = fusion.getBody().front();
    auto found = llvm::find_if(
        body, [](Operation &op) { return ir::isContraction(&op); });
    if (found == body.end())
      return std::nullopt;
    Value rhs;
    bool isTransposed = false;
    std::optional<int64_t> rows;
    if (auto matmul = dyn_cast<MatmulOp>(*found)) {
      rhs = matmul.getRhs();
      isTransposed = matmul.getTransposeRhs();
      if (rankOf(rhs) != 2)
        return std::nullopt;
    } else if (auto convolve = dyn_cast<ConvolveOp>(*found)) {
      rhs = convolve.getRhs();
      if (convolve.getTransposed())
        return std::nullopt;
      rows = rowsOf(convolve);
    }
    auto argument = dyn_cast_or_null<BlockArgument>(rhs);
    if (!argument || !argument.hasOneUse())
      return std::nullopt;
    auto buffer =
        fusion.getIns()[argument.getArgNumber()].getDefiningOp<BufferOp>();
    auto type = cast<RankedTensorType>(argument.getType());
    if (!buffer || buffer.getKind() != BufferKind::constant ||
        !type.hasStaticShape() || type.getNumElements() == 0 ||
        !type.getElementType().isIntOrFloat() ||
        storageType(type.getElementType()) != type.getElementType())
      return std::nullopt;
    int64_t columns = type.getDimSize(isTransposed ? 0 : type.getRank() - 1);
    return Weights{argument,
                   static_cast<int64_t>(buffer.getIndex()),
                   type.getNumElements() / columns,
                   columns,
                   isTransposed,
                   rows};
  }

  static std::optional<int64_t> rowsOf(ConvolveOp convolve) {
    auto isOne = [](int64_t number) { return number == 1; };
    Extents filter = extentsOf(convolve.getFilter()),
            places = extentsOf(convolve.getPlaces());
    bool isMatrix =
        llvm::all_of(ArrayRef(filter).drop_back(2),
                     [](const Extent &extent) { return extent.isKnown(1); }) &&
        llvm::all_of(convolve.getStrides(), isOne);
    const Extent &row = places[places.size() - 2];
    return isMatrix || !row.isKnown() ? std::nullopt : std::optional(row.value);
  }

  LogicalResult pack(FusionOp fusion, const Weights &weights) {
    auto type = cast<RankedTensorType>(weights.argument.getType());
    ContractionSizes sizes;
    sizes.element = type.getElementType();
    sizes.rowsOfRun = weights.rows;
    sizes.columns = weights.columns;
    const int64_t width =
        chooseTile(sizes, {registerBytes, registers}).columns();
    if (weights.columns <= width && !weights.isTransposed)
      return failure();
    auto [made, isNew] = packed.try_emplace({weights.index, width}, -1);
    if (isNew) {
      FailureOr<int64_t> index =
          table->appendPanels(weights.index, weights.depth, weights.columns,
                              width, weights.isTransposed);
      if (failed(index))
        return failure();
      made->second = *index;
      FailureOr<BufferCounts> counts = bufferCounts(getOperation());
      if (failed(counts))
        return failure();
      counts->constants = std::max(counts->constants, *index + 1);
      setBufferCounts(getOperation(), *counts);
    }
    if (made->second < 0)
      return failure();
    auto panels = RankedTensorType::get(
        {static_cast<int64_t>(llvm::divideCeil(weights.columns, width)),
         weights.depth, width},
        type.getElementType());
    OpBuilder builder(fusion);
    auto buffer =
        BufferOp::create(builder, fusion.getLoc(), bufferTypeOf(panels),
                         BufferKind::constant, made->second, /*late=*/false);
    fusion.getInsMutable().append(ValueRange(buffer));
    fusion.getBody().addArgument(panels, fusion.getLoc());
    fusion->setAttr(panelsName, builder.getI64IntegerAttr(width));
    return success();
  }

  ConstantTable *table = nullptr;
  llvm::SmallDenseMap<std::pair<int64_t, int64_t>, int64_t> packed;
};

} // namespace

std::unique_ptr<Pass>
createKilnPackConstants(ConstantTable *table,
                        const KilnPackConstantsOptions &options) {
  return std::make_unique<KilnPackConstantsPass>(table, options);
}

} // namespace kiln::passes
