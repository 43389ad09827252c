// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the lowerings of the op families.
#include "lib/Import/LoweringRegistry.h"

#include "lib/OpDefs/Foreign.h"

namespace kiln {

const LoweringRegistry &loweringRegistry() {
  static const LoweringRegistry registry = [] {
    LoweringRegistry all;
    registerLowerings(all);
    return all;
  }();
  return registry;
}

LoweringRegistry::Lowering LoweringRegistry::lookup(const OpDef &op) const {
  if (isForeign(op))
    return {lowerForeign, /*computes=*/false};
  if (!op.kernel.empty())
    return {lowerUserOp, /*computes=*/false};
  if (op.has(hostBody))
    return {lowerBody, /*computes=*/false};
  auto found = lowerings.find(op.canonicalName);
  return found == lowerings.end() ? Lowering() : found->second;
}

LoweringRegistry::Lowering
LoweringRegistry::lookupComplex(const OpDef &op) const {
  auto found = complexLowerings.find(op.canonicalName);
  return found == complexLowerings.end() ? lookup(op) : found->second;
}

} // namespace kiln
