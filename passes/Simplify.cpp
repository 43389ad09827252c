// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-simplify: folds constants, merges duplicates and does algebra.
#include "passes/Passes.h"
#include "passes/simplify/Patterns.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace kiln::passes {

#define GEN_PASS_DEF_KILNSIMPLIFY
#include "passes/Passes.h.inc"

namespace {

/// Merging duplicates shows new patterns (select with equal arms), as does what
/// leaves a loop, so they take turns; more than a few rounds never pay.
constexpr int maxRounds = 4;

class KilnSimplifyPass : public impl::KilnSimplifyBase<KilnSimplifyPass> {
public:
  using KilnSimplifyBase::KilnSimplifyBase;
  explicit KilnSimplifyPass(FoldFunction fold) : fold(std::move(fold)) {}

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateAlgebraPatterns(set);
    populateViewPatterns(set);
    populateElementwisePatterns(set);
    populateContractionPatterns(set);
    populateRegionPatterns(set);
    populateFoldPatterns(set, {fold, maxFoldedElements});
    patterns = FrozenRewritePatternSet(std::move(set));
    return success();
  }

  void runOnOperation() override {
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    bool changed = true;
    for (int round = 0; changed && round < maxRounds; ++round) {
      if (failed(applyPatternsGreedily(getOperation(), patterns, config)))
        return signalPassFailure();
      IRRewriter rewriter(&getContext());
      bool hoisted = hoistInvariants(getOperation(), rewriter), merged = false;
      DominanceInfo dominance(getOperation());
      eliminateCommonSubExpressions(rewriter, dominance, getOperation(),
                                    &merged);
      changed = hoisted || merged;
    }
  }

private:
  FoldFunction fold;
  FrozenRewritePatternSet patterns;
};

} // namespace

std::unique_ptr<Pass> createKilnSimplify(FoldFunction fold) {
  return std::make_unique<KilnSimplifyPass>(std::move(fold));
}

} // namespace kiln::passes
