// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions of ops on strings.
#include "lib/Ops/Strings/Shape.h"

#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::shapes {

Status inferSameShape(InferenceContext &context) {
  context.setOutputShape(0, context.inputShape(0));
  return okStatus();
}

/// Each string has as many numbers as the run finds out.
Status inferDecodeRaw(InferenceContext &context) {
  SymShape shape = context.inputShape(0);
  if (shape.rankKnown)
    shape.dims.push_back(context.dims().runDim(0, /*isSize=*/true));
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferFingerprint(InferenceContext &context) {
  const SymShape &data = context.inputShape(0), &method = context.inputShape(1);
  const bool isBuilding = context.isBuilding();
  if (isBuilding && data.rankKnown && data.rank() == 0)
    return context.error("Shape must be at least rank 1 but is rank 0");
  if (!isBuilding && data.rankKnown && data.rank() == 0)
    return context.error("`data` should have at least one dimension: []");
  if (!isBuilding && method.rankKnown && method.rank() != 0)
    return context.error(strCat("`method` should be a scalar string: ",
                                context.dims().format(method.dims)));
  KILN_RETURN_IF_ERROR(context.withRank(method, 0).status());
  constexpr int64_t numBytes = 8;
  context.setOutputShape(
      0, SymShape::of({data.rankKnown ? data.dims[0] : Dim::unknown(),
                       Dim::known(numBytes)}));
  return okStatus();
}

/// The one shape of all inputs that are no scalars.
Status inferStringJoin(InferenceContext &context) {
  SymShape shape = SymShape::scalar();
  for (int i = 0; i < context.numInputs(); ++i) {
    const SymShape &input = context.inputShape(i);
    if (!input.rankKnown) {
      context.setOutputShape(0, SymShape::unknownRank());
      return okStatus();
    }
    if (input.rank() == 0)
      continue;
    if (shape.rank() == 0) {
      shape = input;
      continue;
    }
    KILN_ASSIGN_OR_RETURN(Dims dims,
                          unifyShapes(context.dims(), shape.dims, input.dims,
                                      {.prefix = "Input shapes do not match: ",
                                       .joiner = " vs. "}));
    shape = SymShape::of(std::move(dims));
  }
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferReduceJoin(InferenceContext &context) {
  const SymShape &input = context.inputShape(0);
  const Dims *listed = context.inputContents(1);
  if (!input.rankKnown || !listed) {
    context.setOutputShape(0, SymShape::unknownRank());
    return okStatus();
  }
  std::vector<int64_t> axes;
  for (Dim dim : *listed) {
    auto axis =
        dim.isKnown() ? normalizeAxis(dim.value, input.rank()) : std::nullopt;
    if (!axis)
      // TensorFlow's kernel and its shape function differ in the code.
      return Status(context.dims().isBuilding() ? StatusCode::InvalidArgument
                                                : StatusCode::OutOfRange,
                    strCat("Invalid reduction dimension ",
                           dim.isKnown() ? strCat(dim.value) : "?",
                           " for input with ", input.rank(), " dimension(s)"),
                    context.node().name());
    bool isTwice = std::count(axes.begin(), axes.end(), *axis) > 0;
    if (isTwice && context.dims().isBuilding())
      continue; // only TensorFlow's kernel minds
    if (isTwice)
      return context.error(strCat("Duplicate reduction dimension ", dim.value));
    axes.push_back(*axis);
  }
  KILN_ASSIGN_OR_RETURN(Dims dims, reduceShape(context.dims(), input.dims, axes,
                                               context.boolAttr("keep_dims")));
  context.setOutputShape(0, SymShape::of(std::move(dims)));
  return okStatus();
}

Status inferSubstr(InferenceContext &context) {
  const SymShape &input = context.inputShape(0), &pos = context.inputShape(1),
                 &len = context.inputShape(2);
  if (!input.rankKnown || !pos.rankKnown || !len.rankKnown) {
    context.setOutputShape(0, SymShape::unknownRank());
    return okStatus();
  }
  KILN_ASSIGN_OR_RETURN(
      Dims extents,
      unifyShapes(context.dims(), pos.dims, len.dims,
                  {.prefix = "pos and len should have the same shape, got: ",
                   .joiner = " vs. "}));
  KILN_ASSIGN_OR_RETURN(Dims dims,
                        broadcastShapes(context.dims(), input.dims, extents));
  context.setOutputShape(0, SymShape::of(std::move(dims)));
  return okStatus();
}

/// Indices, values and a shape of two dimensions.
Status inferStringSplit(InferenceContext &context) {
  for (int i = 0; i < 2 && context.isBuilding(); ++i)
    KILN_RETURN_IF_ERROR(
        context.withRank(context.inputShape(i), 1 - i).status());
  context.setOutputShape(0, SymShape::of({Dim::unknown(), Dim::known(2)}));
  context.setOutputShape(1, SymShape::of({Dim::unknown()}));
  context.setOutputShape(2, SymShape::of({Dim::known(2)}));
  return okStatus();
}

/// TensorFlow takes data and splits of all ranks.
Status inferStringNgrams(InferenceContext &context) {
  context.setOutputShape(0, SymShape::unknownRank());
  context.setOutputShape(1, context.inputShape(1));
  return okStatus();
}

/// Vectors as long as the run finds out.
Status inferUnicodeDecode(InferenceContext &context) {
  for (int i = 0; i < context.numOutputs(); ++i)
    context.setOutputShape(i, SymShape::of({Dim::unknown()}));
  return okStatus();
}

Status inferUnicodeEncode(InferenceContext &context) {
  context.setOutputShape(0, SymShape::of({Dim::unknown()}));
  return okStatus();
}

/// The dimensions that have segments become one.
Status inferUnsortedSegmentJoin(InferenceContext &context) {
  const SymShape &input = context.inputShape(0),
                 &segments = context.inputShape(1);
  if (!input.rankKnown || !segments.rankKnown ||
      segments.rank() > input.rank()) {
    context.setOutputShape(0, SymShape::unknownRank());
    return okStatus();
  }
  SymShape shape = input;
  shape.dims.erase(shape.dims.begin(), shape.dims.begin() + segments.rank());
  shape.dims.insert(shape.dims.begin(), Dim::unknown());
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

Status inferDecodePaddedRaw(InferenceContext &context) {
  SymShape shape = context.inputShape(0);
  if (shape.rankKnown)
    shape.dims.push_back(Dim::unknown());
  context.setOutputShape(0, std::move(shape));
  return okStatus();
}

namespace {

/// Input i, which a kernel of TensorFlow's calls `name`, is a scalar.
Status checkScalar(InferenceContext &context, int i, std::string_view name) {
  const SymShape &shape = context.inputShape(i);
  if (!shape.rankKnown || shape.rank() == 0)
    return okStatus();
  if (context.dims().isBuilding())
    return context.withRank(shape, 0).status();
  return context.error(strCat(name, " must be scalar, but received ",
                              toShape(shape).toString()));
}

} // namespace

Status inferRegexFullMatch(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkScalar(context, 1, "Pattern"));
  return inferSameShape(context);
}

Status inferRegexReplace(InferenceContext &context) {
  KILN_RETURN_IF_ERROR(checkScalar(context, 1, "Pattern"));
  KILN_RETURN_IF_ERROR(checkScalar(context, 2, "Rewrite"));
  return inferSameShape(context);
}

} // namespace kiln::shapes
