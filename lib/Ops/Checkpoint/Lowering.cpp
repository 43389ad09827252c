// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the names of a checkpoint's files; the rest is done between parts.
#include "lib/Import/LoweringRegistry.h"

namespace kiln {
namespace {

Status lowerShardedName(LoweringContext &ctx) {
  llvm::SmallVector<Value> inputs;
  for (int i = 0; i < ctx.numInputs(); ++i)
    inputs.push_back(ctx.input(i));
  ctx.setOutput(
      0, ctx.ir().kernelCall("ShardedName", inputs, ctx.outputType(), {}));
  return okStatus();
}

} // namespace

void registerCheckpointLowerings(LoweringRegistry &registry) {
  registry.add({{"ShardedFilename", lowerShardedName},
                {"ShardedFilespec", lowerShardedName}});
}

} // namespace kiln
