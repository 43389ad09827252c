// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of ControlFlow: ops that pass values on or only order others.
#include "lib/Ops/ControlFlow/Shape.h"
#include "lib/Ops/Families.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"NoOp", "", "", "", "Does nothing; its control inputs run before it.",
     inferNone},
    {"ControlTrigger", "", "", "",
     "As NoOp, and runs even where its control inputs are dead.", inferNone},
    {"Identity", "input: T", "output: T", "T: type", "The input.",
     inferIdentity, forwardsRef},
    {"IdentityN", "input: T", "output: T", "T: list(type) >= 1",
     "The inputs, one by one.", inferIdentityN},
    {"StopGradient", "input: T", "output: T", "T: type",
     "The input; no gradient flows back through it.", inferIdentity,
     forwardsRef},
    {"PreventGradient", "input: T", "output: T", "T: type; message: string =",
     "The input; asking for a gradient through it is an error.", inferIdentity,
     forwardsRef},
    {"Snapshot", "input: T", "output: T", "T: type", "The input's value.",
     inferIdentity},
};

} // namespace

OpFamily controlFlowFamily() {
  return {"ControlFlow", "ops that pass values on or only order others",
          records};
}

} // namespace kiln
