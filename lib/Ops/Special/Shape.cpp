// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of special functions.
#include "lib/Ops/Special/Shape.h"

#include "lib/OpDefs/Inference.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln::shapes {

/// The inputs that are no scalars have one shape.
Status inferBetainc(InferenceContext &context) {
  constexpr std::string_view names[] = {"a", "b", "x"};
  SymShape shape;
  int scalars = 0, merged = -1;
  bool isOpen = false;
  for (int i = 0; i < 3; ++i) {
    const SymShape &input = context.inputShape(i);
    isOpen |= !input.rankKnown;
    if (!input.rankKnown)
      continue;
    if (input.rank() == 0) {
      ++scalars;
    } else if (merged < 0) {
      shape = input;
      merged = i;
    } else {
      const std::string prefix = strCat("Shapes of ", names[merged], " and ",
                                        names[i], " are inconsistent: ");
      KILN_ASSIGN_OR_RETURN(shape,
                            sameShape(context, shape, input,
                                      {.prefix = prefix, .joiner = " vs. "}));
    }
  }
  if (scalars == 3)
    shape = SymShape::scalar();
  else if (isOpen && merged < 0)
    return okStatus();
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

} // namespace kiln::shapes
