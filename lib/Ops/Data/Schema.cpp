// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Data: values that enter a graph: constants and placeholders.
#include "lib/Ops/Data/Shape.h"
#include "lib/Ops/Families.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr OpRecord records[] = {
    {"Const", "", "output: dtype", "value: tensor; dtype: type",
     "The tensor of the attribute \"value\".", inferConst,
     constant | movesElements | stopsGradient},
    {"Placeholder", "", "output: dtype",
     "dtype: type; shape: shape = <unknown>", "A tensor that a run must feed.",
     inferPlaceholder, placeholder | movesElements, "", OpRole::Argument},
    {"PlaceholderV2", "", "output: dtype", "dtype: type; shape: shape",
     "The former name of Placeholder.", inferPlaceholder,
     placeholder | movesElements, "Placeholder"},
    {"PlaceholderWithDefault", "input: dtype", "output: dtype",
     "dtype: type; shape: shape",
     "A tensor that a run may feed; the input otherwise.",
     inferPlaceholderWithDefault, placeholder | movesElements},
};

} // namespace

OpFamily dataFamily() {
  return {"Data", "values that enter a graph: constants and placeholders",
          records};
}

} // namespace kiln
