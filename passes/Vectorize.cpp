// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-vectorize: turns each bufferized fusion into loops over vectors.
#include "passes/Passes.h"
#include "passes/analysis/RunSymbols.h"
#include "passes/vectorize/CodeSize.h"
#include "passes/vectorize/Kernels.h"
#include "passes/vectorize/NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace kiln::passes {
#define GEN_PASS_DEF_KILNVECTORIZE
#include "passes/Passes.h.inc"
} // namespace kiln::passes

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

struct KilnVectorizePass : impl::KilnVectorizeBase<KilnVectorizePass> {
  KilnVectorizePass() = default;
  KilnVectorizePass(const KilnVectorizePass &other)
      : KilnVectorizeBase(other) {}
  explicit KilnVectorizePass(const KilnVectorizeOptions &target)
      : KilnVectorizeBase(target) {}
  KilnVectorizePass(const CodeOptions &code, const KilnVectorizeOptions &target)
      : KilnVectorizeBase(target) {
#define KILN_VECTORIZE_OPTION(name, ...) name = code.name;
#include "kiln/CodeOptions.def"
  }

  void runOnOperation() override {
    SmallVector<FusionOp> fusions;
    getOperation().walk([&](FusionOp fusion) { fusions.push_back(fusion); });
    chooseElementaryForm(getOperation(), fusions);
    for (FusionOp fusion : fusions) {
      if (failed(emitFusion(fusion)))
        return signalPassFailure();
      fusion.erase();
    }
    getOperation()->removeAttr(sizesName);
    for (auto function : getOperation().getOps<func::FuncOp>())
      gatherConstants(function);
    markLateSymbols(getOperation());
  }

private:
  LogicalResult emitFusion(FusionOp fusion) {
    if (fusion.getNumResults() != 0)
      return fusion.emitError(
          "expected a bufferized fusion, got one on tensors");
    for (Type type : fusion.getOperandTypes())
      if (auto buffer = dyn_cast<MemRefType>(type);
          buffer && memoryOf(buffer) != MemorySpace::host)
        return fusion.emitError("expected buffers in the host's memory, got "
                                "one in that of a ")
               << stringifyMemorySpace(*memoryOf(buffer));
    Block &body = fusion.getBody().front();
    ValueRange stored = cast<YieldOp>(body.getTerminator()).getValues();
    if (!body.without_terminator().empty() &&
        (stored.empty() || llvm::any_of(stored, llvm::IsaPred<BlockArgument>)))
      return fusion.emitError(
          "expected to store what the body computes and nothing else");
    OpBuilder builder(fusion);
    if (isKernelFusion(fusion)) {
      emitKernel(fusion, chooseKernelSchedule(fusion, target()), builder);
      return success();
    }
    SmallVector<Operation *> ops;
    for (Operation &op : body.without_terminator())
      ops.push_back(&op);
    std::string why;
    FailureOr<LoopNest> nest = analyzeLoopNest(ops, &why);
    if (failed(nest))
      return fusion.emitError("expected ops of one loop nest, got ") << why;
    FailureOr<Schedule> schedule =
        chooseSchedule(fusion, *nest, target(), &why);
    if (failed(schedule))
      return fusion.emitError("expected a nest that has a schedule, got ")
             << why;
    emit(fusion, *nest, *schedule, builder);
    return success();
  }

  VectorTarget target() const {
    return {{registerBytes, registers},
            unroll,
            minStreamedBytes ? minStreamedBytes : assumedLastCacheBytes};
  }

#define KILN_VECTORIZE_OPTION(name, value, least, python, what, flag, text)    \
  Option<int64_t> name{*this, flag, llvm::cl::desc(text),                      \
                       llvm::cl::init(value)};
#include "kiln/CodeOptions.def"
};

} // namespace

std::unique_ptr<Pass> createKilnVectorize(const CodeOptions &code,
                                          const KilnVectorizeOptions &target) {
  return std::make_unique<KilnVectorizePass>(code, target);
}

} // namespace kiln::passes
