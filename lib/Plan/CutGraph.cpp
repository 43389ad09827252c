// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points of cutting.
#include "lib/OpDefs/OpDef.h"
#include "lib/Plan/Cutter.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {

/// Keeps what would go from part to part.
static StatusOr<CutGraph> cut(const Block &root, const AskedTensor &asked,
                              bool isInSteps = false,
                              bool drivesForeign = false) {
  KeptSlots kept(root);
  for (;;) {
    auto result = Cutter(root, asked, isInSteps, drivesForeign, kept).run();
    if (result.ok() || !kept.keepCrossing())
      return result;
  }
}

StatusOr<std::optional<CutGraph>> cutGraph(const Block &root) {
  // A TensorArray, a list or a handle may be in the way.
  if (isCutInside(root))
    if (auto driven = cut(root, {}, false, /*drivesForeign=*/true); driven.ok())
      return std::optional<CutGraph>(*std::move(driven));
  if (!isCut(root))
    return std::optional<CutGraph>();
  KILN_ASSIGN_OR_RETURN(CutGraph result, cut(root, {}));
  return std::optional<CutGraph>(std::move(result));
}

StatusOr<CutGraph> cutBehind(const Block &root, const AskedTensor &asked) {
  const Output &tensor = asked.tensor;
  // What has no inputs is a variable, which no part is fed; what gives one a
  // shape is no value, but the rest comes behind it.
  const OpDef *def = lookupOp(tensor.node->op());
  if (isHandle(tensor) && !(def && def->writesVariable()))
    return unimplementedError(strCat("expected a value, got the variable ",
                                     quote(tensor.node->name())))
        .withNode(tensor.node->name());
  return cut(root, asked);
}

StatusOr<CutGraph> cutIntoSteps(const Block &root) {
  return cut(root, {}, /*isInSteps=*/true);
}

} // namespace kiln
