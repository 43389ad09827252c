// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which passes make up each stage.
#include "passes/Pipelines.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace kiln::passes {

StringRef stageName(Stage stage) {
  switch (stage) {
  case Stage::Simplify:
    return "simplify";
  case Stage::Decompose:
    return "decompose";
  case Stage::Fuse:
    return "fuse";
  case Stage::Bufferize:
    return "bufferize";
  case Stage::Vectorize:
    return "vectorize";
  case Stage::Parallelize:
    return "parallelize";
  case Stage::Llvm:
    return "llvm";
  }
  return "";
}

std::optional<Stage> stageNamed(StringRef name) {
  for (Stage stage : allStages)
    if (stageName(stage) == name)
      return stage;
  return std::nullopt;
}

void buildStage(OpPassManager &manager, Stage stage,
                const PipelineOptions &options) {
  switch (stage) {
  case Stage::Simplify:
    manager.addPass(createKilnSimplify(options.fold));
    if (options.code.foldScales) {
      manager.addPass(createKilnFoldScales());
      manager.addPass(createKilnSinkPools());
    }
    return;
  case Stage::Decompose:
    manager.addPass(createKilnDecompose());
    manager.addPass(createKilnFoldTables(options.constants));
    return;
  case Stage::Fuse:
    manager.addPass(createKilnLowerStrings());
    manager.addPass(options.fuse ? createKilnFuse() : createKilnFuse({1}));
    return;
  case Stage::Bufferize:
    manager.addPass(createKilnBufferize());
    manager.addPass(createKilnPackConstants(
        options.constants,
        {options.target.registerBytes, options.target.registers}));
    // What is to be inspected keeps a function a fusion.
    manager.addPass(options.markRegions
                        ? createKilnMarkRegions()
                        : createKilnShareKernels(options.kernels));
    return;
  case Stage::Vectorize:
    manager.addPass(createKilnVectorize(options.code, options.target));
    if (options.quick)
      return;
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createCSEPass());
    manager.addPass(createLoopInvariantCodeMotionPass());
    return;
  case Stage::Parallelize:
    manager.addPass(createKilnParallelize(options.code));
    manager.addPass(createKilnInsertPolls());
    manager.addPass(createKilnTrySlots());
    return;
  case Stage::Llvm:
    manager.addPass(createKilnLowerToLlvm());
    return;
  }
}

void buildPipeline(OpPassManager &manager, const PipelineOptions &options) {
  for (Stage stage : allStages)
    buildStage(manager, stage, options);
}

void registerPipelines() {
  PassPipelineRegistration<>(
      "kiln-pipeline", "All stages, from imported kiln IR to the LLVM dialect",
      [](OpPassManager &manager) { buildPipeline(manager, {}); });
  for (Stage stage : allStages)
    PassPipelineRegistration<>(
        ("kiln-stage-" + stageName(stage)).str(),
        ("The stage " + stageName(stage) + " of the pipeline").str(),
        [stage](OpPassManager &manager) { buildStage(manager, stage, {}); });
}

} // namespace kiln::passes
