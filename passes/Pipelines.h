// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler's stages in order: the one table that the JIT, kiln-opt and the
// tests share.
#ifndef KILN_PASSES_PIPELINES_H
#define KILN_PASSES_PIPELINES_H

#include "passes/Passes.h"

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <tuple>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace kiln::passes {

/// What follows import, in order.
enum class Stage {
  Simplify,
  Decompose,
  Fuse,
  Bufferize,
  Vectorize,
  Parallelize,
  Llvm
};

inline constexpr Stage allStages[] = {
    Stage::Simplify,  Stage::Decompose,   Stage::Fuse, Stage::Bufferize,
    Stage::Vectorize, Stage::Parallelize, Stage::Llvm};

/// "simplify", "decompose" …: the names of --stop-after and of dumped files.
llvm::StringRef stageName(Stage stage);
std::optional<Stage> stageNamed(llvm::StringRef name);

/// What the stages can be told.
struct PipelineOptions {
  FoldFunction fold; ///< folds floats; empty: integers alone fold
  CodeOptions code;
  /// Null: nothing is put into it. Borrowed.
  ConstantTable *constants = nullptr;
  bool fuse = true; ///< false: every op is a kernel of its own
  KilnVectorizeOptions target;
  bool markRegions = false; ///< see kiln-mark-regions
  /// Null where kernels are shared inside of the module alone. Borrowed.
  KernelLibrary *kernels = nullptr;
  /// Whether stages leave to LLVM what it does as well, and the IR between them
  /// is not verified: for functions of very many ops.
  bool quick = false;

  /// Whether passes made for one do for the other; `fold` is the evaluator's
  /// in all of them, or empty.
  bool sameAs(const PipelineOptions &other) const {
    auto all = [](const PipelineOptions &o) {
      return std::tuple(bool(o.fold), o.code, o.constants, o.fuse,
                        o.target.unroll, o.target.registerBytes,
                        o.target.registers, o.markRegions, o.kernels, o.quick);
    };
    return all(*this) == all(other);
  }
};

/// Appends the passes of one stage.
void buildStage(mlir::OpPassManager &manager, Stage stage,
                const PipelineOptions &options);

/// Appends all stages.
void buildPipeline(mlir::OpPassManager &manager,
                   const PipelineOptions &options);

/// Registers --kiln-pipeline (all stages) and one pipeline a stage
/// (--kiln-stage-fuse …) with opt-style tools.
void registerPipelines();

} // namespace kiln::passes

#endif // KILN_PASSES_PIPELINES_H
