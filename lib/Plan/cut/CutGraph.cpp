// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points of cutting.
#include "lib/OpDefs/OpDef.h"
#include "lib/Plan/cut/Cutter.h"
#include "lib/Plan/ir/Verify.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {

/// What a cutter makes is a plan, too. A value that is fed is nothing that a
/// unit gives, and units come before those that wait for them.
static Status verifyParts([[maybe_unused]] const CutGraph &cut) {
#ifndef NDEBUG
  for (const CutUnit &unit : cut.units) {
    for (int user : unit.users)
      if (user <= &unit - cut.units.data())
        return internalError(
            strCat("the plan after cut is wrong: ", quote(unit.name),
                   " waits for what waits for it"));
    for (int value : unit.outputs)
      if (unit.feed < 0 && value >= 0 &&
          cut.values[static_cast<size_t>(value)].feed >= 0)
        return internalError(
            strCat("the plan after cut is wrong: ", quote(unit.name),
                   " gives a tensor that is fed"));
    if (unit.part)
      KILN_RETURN_IF_ERROR(verifyInDev(*unit.part, "cut"));
    if (unit.region) {
      KILN_RETURN_IF_ERROR(verifyParts(unit.region->first));
      KILN_RETURN_IF_ERROR(verifyParts(unit.region->second));
    }
  }
#endif
  return okStatus();
}

/// Cuts until each slot that goes from part to part is kept: sets of slots only
/// grow, so that it ends.
static StatusOr<CutGraph> cut(const Block &root, const AskedTensor *asked,
                              bool isInSteps = false,
                              bool drivesForeign = false) {
  CrossingSlots slots(root);
  for (;;) {
    Cutting cutting{root, asked, isInSteps, drivesForeign, slots};
    auto result = Cutter(cutting).run();
    if (cutting.crossing.empty() || !slots.keep(cutting.crossing)) {
      if (result.ok())
        KILN_RETURN_IF_ERROR(verifyParts(*result));
      return result;
    }
  }
}

StatusOr<std::optional<CutGraph>> cutGraph(const Block &root) {
  // A TensorArray, a list or a handle may be in the way.
  if (isCutInside(root))
    if (auto driven = cut(root, nullptr, false, /*drivesForeign=*/true);
        driven.ok())
      return std::optional<CutGraph>(*std::move(driven));
  if (!isCut(root))
    return std::optional<CutGraph>();
  KILN_ASSIGN_OR_RETURN(CutGraph result, cut(root, nullptr));
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
  return cut(root, &asked);
}

StatusOr<CutGraph> cutIntoSteps(const Block &root) {
  return cut(root, nullptr, /*isInSteps=*/true);
}

} // namespace kiln
