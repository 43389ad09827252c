// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a run is cut at a host kernel.
#include "lib/OpDefs/HostOps.h"

#include "lib/OpDefs/HandleSource.h"
#include "lib/OpDefs/OpDef.h"

namespace kiln {

int numHandlesOf(const OpDef &def) {
  int count = 0;
  for (const ArgDef &arg : def.inputs) {
    if (!arg.isRef && arg.dtype != DType::Resource)
      break;
    ++count;
  }
  return count;
}

const Node *resourceOfBody(const Node &node, const OpDef &def) {
  if (numHandlesOf(def) != 1)
    return nullptr;
  auto source = sourceOfHandle(node.input(0));
  const Node *declared = source.ok() ? *source : nullptr;
  const OpDef *declaring = declared ? lookupOp(declared->op()) : nullptr;
  // An argument of a function has no inputs either, and a dense table's keys
  // are inputs.
  return declaring && declaring->has(stateful) && declared->numInputs() == 0
             ? declared
             : nullptr;
}

/// Code has no variants: an op that takes or gives some cuts a run.
static bool hasVariants(const Node &node) {
  for (const Output &input : node.inputs())
    if (input.dtype() == DType::Variant)
      return true;
  for (int i = 0; i < node.numOutputs(); ++i)
    if (node.outputDType(i) == DType::Variant)
      return true;
  return false;
}

bool cutsAtBody(const Node &node, const OpDef &def, bool isInLoop) {
  if (!def.has(hostBody))
    return false;
  if (numHandlesOf(def) > 0 && (isInLoop || !resourceOfBody(node, def)))
    return true;
  if (def.has(takesDatasets) && hasVariants(node))
    return true;
  for (int i = 0; i < node.numOutputs(); ++i)
    if (!node.outputShape(i).hasRank())
      return true;
  return false;
}

} // namespace kiln
