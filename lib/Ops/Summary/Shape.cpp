// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A message is one string; what it holds only a run knows.
#include "lib/Ops/Summary/Shape.h"

namespace kiln::shapes {

Status inferMessage(InferenceContext &context) {
  context.setOutputShape(0, SymShape::scalar());
  return okStatus();
}

Status inferParsedTensor(InferenceContext &context) {
  context.setOutputShape(0, SymShape::unknownRank());
  return okStatus();
}

} // namespace kiln::shapes
