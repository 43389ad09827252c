// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants, variables, their views and shape arithmetic are copied; effects
// are told by their schemas.
#include "lib/Plan/CutKind.h"

#include "lib/Ops/Inference.h"
#include "lib/Ops/OpDef.h"

#include <utility>

namespace kiln {
namespace {

bool isSmallInteger(const OutputInfo &info) {
  if (info.dtype != DType::Int32 && info.dtype != DType::Int64 &&
      info.dtype != DType::Bool)
    return false;
  auto count = info.shape.numElements();
  return count.ok() && *count <= static_cast<int64_t>(maxContents);
}

/// True where all that goes in and comes out is small: what shapes are made of.
bool isShapeArithmetic(const Node &node, const OpDef &def) {
  if (def.has(readsShapes))
    return true;
  bool isSmall = !def.has(stateful) && node.numInputs() > 0;
  for (int i = 0; i < node.numOutputs(); ++i)
    isSmall &= isSmallInteger(node.output(i));
  for (const Output &input : node.inputs())
    isSmall &= isSmallInteger(input.node->output(input.index));
  return isSmall && node.numOutputs() > 0;
}

/// Variables, queues: no inputs, and a handle or reference as output.
bool declaresState(const Node &node, const OpDef &def) {
  return node.numInputs() == 0 && def.outputs.size() == 1 &&
         (def.outputs[0].isRef || def.outputs[0].dtype == DType::Resource);
}

} // namespace

CutKind cutKind(const Node &node, const OpDef *known, const Call &call,
                const Node *&root) {
  const Node *used = std::exchange(root, nullptr);
  if (call.kind != Call::Kind::None)
    return call.hasEffect() ? CutKind::Effect : CutKind::Pure;
  const OpDef &def = *known;
  if (def.has(cutsRun))
    return CutKind::Cut;
  if (declaresState(node, def)) {
    root = &node;
    return CutKind::Copied;
  }
  if (used && def.has(forwardsRef)) {
    root = used; // a view
    return CutKind::Copied;
  }
  if (def.has(constant))
    return CutKind::Copied;
  bool writes = def.writesVariable();
  if (writes && def.givesRef())
    root = used;
  // Whoever takes a handle or reference without writing reads.
  if (writes || (def.has(stateful) && !def.has(draws) && !used))
    return CutKind::Effect;
  return !used && isShapeArithmetic(node, def) ? CutKind::Copied
                                               : CutKind::Pure;
}

} // namespace kiln
