// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers loops and vectors on flat buffers to the LLVM dialect, in one pass
// over MLIR's own pattern libraries.
#include "passes/Passes.h"
#include "passes/to-llvm/LowerKilnToLlvm.h"

#include "dialect/Kiln.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace kiln::passes {

#define GEN_PASS_DEF_KILNLOWERTOLLVM
#include "passes/Passes.h.inc"

using namespace mlir;

namespace {

/// Moves buffers and symbols out of all loops: pointers are read once, just
/// before the loop nest that uses them.
void hoistTableReads(func::FuncOp function) {
  function.walk([&](Operation *op) {
    auto buffer = dyn_cast<ir::BufferOp>(op);
    auto symbol = dyn_cast<ir::SymbolOp>(op);
    if (!buffer && !symbol)
      return;
    // What the run binds may be bound just before the nest.
    bool isLate = buffer ? buffer.getLate() : symbol.getLate();
    Operation *outermost = op;
    while (outermost->getParentOp() != function &&
           (!isLate || isa<scf::ForOp>(outermost->getParentOp())))
      outermost = outermost->getParentOp();
    if (outermost != op)
      op->moveBefore(outermost);
  });
}

/// Vector ops that the conversion does not know become ones that it does.
void populateVectorPreparation(RewritePatternSet &patterns) {
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorContractLoweringPatterns(
      patterns, vector::VectorContractLowering::OuterProduct);
  vector::populateVectorMaskOpLoweringPatterns(patterns);
  vector::populateVectorShapeCastLoweringPatterns(patterns);
  vector::populateVectorInterleaveLoweringPatterns(patterns);
  vector::populateVectorTransposeLoweringPatterns(
      patterns, vector::VectorTransposeLowering::Shuffle1D);
  vector::populateVectorStepLoweringPatterns(patterns);
  vector::populateVectorRankReducingFMAPattern(patterns);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorMaskMaterializationPatterns(
      patterns, /*force32BitVectorIndices=*/true);
  // a % b and the like of the index arithmetic; the user's divisions are plain
  // divsi behind checks
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
}

/// extractvalue (insertvalue ...) -> value: pointers come straight from the
/// table, descriptors go.
void foldDescriptors(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  module.walk([&](LLVM::ExtractValueOp op) {
    SmallVector<OpFoldResult> folded;
    if (succeeded(op->fold(folded)) && folded.size() == 1 &&
        isa<Value>(folded.front()))
      rewriter.replaceOp(op, cast<Value>(folded.front()));
  });
  module.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
  });
}

struct KilnLowerToLlvmPass : impl::KilnLowerToLlvmBase<KilnLowerToLlvmPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet preparation(context), control(context);
    populateVectorPreparation(preparation);
    populateSCFToControlFlowConversionPatterns(control);
    preparationPatterns = std::move(preparation);
    controlPatterns = std::move(control);
    return success();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    // Declarations have done their work: buffers are numbered.
    for (auto variable :
         llvm::make_early_inc_range(module.getOps<ir::VariableOp>()))
      variable.erase();
    for (auto function : module.getOps<func::FuncOp>())
      hoistTableReads(function);
    LLVMTypeConverter converter(&getContext());
    if (failed(prepare(module)) || failed(lowerControlFlow(module)) ||
        failed(lowerKilnOps(module, converter)) ||
        failed(lowerToLlvm(module, converter)))
      return signalPassFailure();
    foldDescriptors(module);
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
      if (function.getName() != entryName && !function.isExternal())
        function.setLinkage(LLVM::Linkage::Internal);
      if (function->removeAttr("kiln.region"))
        function.setNoInline(true);
    }
  }

private:
  /// Most ops of a large loop are plain arithmetic, which nothing here matches:
  /// the driver starts with the others, and simplifies no regions.
  LogicalResult prepare(ModuleOp module) {
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) {
      if (isa<vector::VectorDialect>(op->getDialect()) ||
          isa<arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
        ops.push_back(op);
    });
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    return applyOpPatternsGreedily(ops, preparationPatterns, config);
  }

  LogicalResult lowerControlFlow(ModuleOp module) {
    ConversionTarget target(getContext());
    target.addIllegalDialect<scf::SCFDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    return applyPartialConversion(module, target, controlPatterns);
  }

  LogicalResult lowerToLlvm(ModuleOp module, LLVMTypeConverter &converter) {
    lowerPlainOps(module);
    RewritePatternSet patterns(&getContext());
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns,
                                         /*approximateLog1p=*/false);
    populateVectorToLLVMConversionPatterns(converter, patterns,
                                           /*reassociateFPReductions=*/false,
                                           /*force32BitVectorIndices=*/true);
    LLVMConversionTarget target(getContext());
    target.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
    if (failed(applyFullConversion(module, target, std::move(patterns))))
      return failure();
    SmallVector<UnrealizedConversionCastOp> casts, remaining;
    module.walk([&](UnrealizedConversionCastOp op) { casts.push_back(op); });
    reconcileUnrealizedCasts(casts, &remaining);
    if (remaining.empty())
      return success();
    return remaining.front().emitOpError("expected a type that LLVM can hold");
  }

  FrozenRewritePatternSet preparationPatterns, controlPatterns;
};

} // namespace
} // namespace kiln::passes
