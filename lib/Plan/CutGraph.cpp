// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points of cutting.
#include "lib/Plan/Cutter.h"
#include "lib/Support/Strings.h"

namespace kiln {

StatusOr<CutGraph> cutGraph(const Block &root) {
  return Cutter(root, {}, false).run();
}

StatusOr<CutGraph> cutBehind(const Block &root, const Output &tensor) {
  // What has no inputs is a variable, which no part is fed.
  if (isHandle(tensor))
    return unimplementedError(strCat("expected a value, got the variable ",
                                     quote(tensor.node->name())))
        .withNode(tensor.node->name());
  return Cutter(root, tensor, false).run();
}

StatusOr<CutGraph> cutIntoSteps(const Block &root) {
  return Cutter(root, {}, true).run();
}

} // namespace kiln
