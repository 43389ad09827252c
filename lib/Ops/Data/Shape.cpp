// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of constants and placeholders.
#include "lib/Ops/Data/Shape.h"

#include "lib/OpDefs/Contents.h"
#include "lib/OpDefs/Inference.h"
#include "lib/Support/StatusMacros.h"

namespace kiln::shapes {
Status inferConst(InferenceContext &context) {
  KILN_ASSIGN_OR_RETURN(const TensorConstant *constant,
                        context.node().attrRef<TensorConstant>("value"));
  if (constant->dtype != context.typeAttr("dtype"))
    return context.error("expected a value of dtype " +
                         std::string(dtypeTfName(context.typeAttr("dtype"))) +
                         ", got " + std::string(dtypeTfName(constant->dtype)));
  context.setOutputShape(0, toSymShape(constant->shape));
  if (!hasContents(constant->dtype))
    return okStatus();
  StatusOr<int64_t> count = constant->shape.numElements();
  if (!count.ok() || *count > static_cast<int64_t>(maxContents) ||
      !constant->value.isAligned())
    return okStatus();
  Dims contents;
  if (*count > 0) {
    std::optional<Dims> elements = contentsOf(constant->value);
    if (!elements)
      return okStatus();
    contents = constant->isSplat()
                   ? Dims(static_cast<size_t>(*count), elements->front())
                   : *std::move(elements);
  }
  context.setOutputContents(0, std::move(contents));
  return okStatus();
}

Status inferPlaceholder(InferenceContext &context) {
  context.setOutputShape(0, context.shapeAttr("shape"));
  // An argument of a function, for which a variable's handle is passed.
  const Node &node = context.node();
  auto dtypes = node.attrOr<std::vector<DType>>("_handle_dtypes", {});
  auto shapes = node.attrOr<std::vector<Shape>>("_handle_shapes", {});
  if (context.isBuilding() && dtypes.size() == 1 && shapes.size() == 1)
    context.setOutputHandle(
        0, {.dtype = dtypes[0], .shape = toSymShape(shapes[0])});
  return okStatus();
}

Status inferPlaceholderWithDefault(InferenceContext &context) {
  SymShape declared = context.shapeAttr("shape");
  const SymShape &given = context.inputShape(0);
  if (context.dims().isBuilding()) {
    if (declared.rankKnown && given.rankKnown &&
        !toShape(declared).isCompatibleWith(toShape(given)))
      return context.error("Shapes must be compatible: " + toString(given) +
                           " vs. " + toString(declared));
    context.setOutputShape(
        0, std::move(declared)); // a run may feed something else
    return okStatus();
  }
  context.setOutputShape(0, given);
  if (const Dims *contents = context.knownContents(0))
    context.setOutputContents(0, *contents);
  return okStatus();
}

} // namespace kiln::shapes
