// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a user's shape function sees, over the one that Kiln's own see.
#include "lib/OpDefs/UserOps.h"

#include "kiln/RegisterOp.h"
#include "lib/OpDefs/Inference.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {

static_assert(Dim::knownTag == -1, "ShapeDim(int64_t) makes known dimensions");

int ShapeCall::numInputs() const { return context.numInputs(); }

int ShapeCall::rank(int input) const {
  return input >= 0 && input < numInputs() ? context.inputShape(input).rank()
                                           : -1;
}

ShapeDim ShapeCall::dim(int input, int axis) const {
  const int ofInput = rank(input), place = axis < 0 ? axis + ofInput : axis;
  Dim dim = place >= 0 && place < ofInput
                ? context.inputShape(input).dims[static_cast<size_t>(place)]
                : Dim::unknown();
  return {dim.value, dim.symbol};
}

#define KILN_SHAPE_OPERATION(name)                                             \
  ShapeDim ShapeCall::name(ShapeDim a, ShapeDim b) {                           \
    Dim dim = context.dims().name({a.value, a.symbol}, {b.value, b.symbol});   \
    return {dim.value, dim.symbol};                                            \
  }
KILN_SHAPE_OPERATION(add)
KILN_SHAPE_OPERATION(sub)
KILN_SHAPE_OPERATION(mul)
#undef KILN_SHAPE_OPERATION

ShapeDim ShapeCall::floorDiv(ShapeDim a, ShapeDim b) {
  const Dim divisor{b.value, b.symbol};
  demand(context.dims().require(
      Guard::Kind::NonZero, divisor, Dim::known(0),
      {.prefix = "expected a divisor of an extent other than 0, got 0"}));
  Dim dim = context.dims().floorDiv({a.value, a.symbol}, divisor);
  return {dim.value, dim.symbol};
}

void ShapeCall::demand(Status status) {
  if (failure.ok())
    failure = std::move(status);
}

Status ShapeCall::requireEqual(ShapeDim a, ShapeDim b,
                               std::string_view message) {
  const Dims lhs{{a.value, a.symbol}}, rhs{{b.value, b.symbol}};
  const std::string prefix = strCat(message, ": ");
  return context.dims()
      .unify(lhs[0], rhs[0],
             {.prefix = prefix,
              .joiner = " vs. ",
              .lhs = &lhs,
              .rhs = &rhs,
              .asNumbers = true})
      .status();
}

Status ShapeCall::error(std::string message) const {
  return context.error(std::move(message));
}

int64_t ShapeCall::intAttr(std::string_view name) const {
  return context.intAttr(name);
}
bool ShapeCall::boolAttr(std::string_view name) const {
  return context.boolAttr(name);
}
DType ShapeCall::typeAttr(std::string_view name) const {
  return context.typeAttr(name);
}

void ShapeCall::setOutput(int output, std::vector<ShapeDim> dims) {
  if (output < 0 || output >= context.numOutputs())
    return;
  if (dims.size() > static_cast<size_t>(Shape::maxRank))
    return demand(context.error(strCat("expected at most ", Shape::maxRank,
                                       " dimensions of output ", output,
                                       ", got ", dims.size())));
  const std::string prefix =
      strCat("expected extents of at least 0 of output ", output, ", got ");
  const Dims none;
  Dims extents;
  for (ShapeDim dim : dims) {
    extents.push_back({dim.value, dim.symbol});
    const Dims number{extents.back()};
    demand(context.dims().require(
        Guard::Kind::NonNegative, number[0], Dim::known(0),
        {.prefix = prefix, .lhs = &number, .rhs = &none, .asNumbers = true}));
  }
  context.setOutputShape(output, SymShape::of(std::move(extents)));
}

void ShapeCall::setOutputLike(int output, int input) {
  if (output >= 0 && output < context.numOutputs() && input >= 0 &&
      input < numInputs())
    context.setOutputShape(output, context.inputShape(input));
}

/// Makes them, for a function that the library does not export.
struct ShapeCalls {
  static ShapeCall of(InferenceContext &context) { return ShapeCall(context); }
  static Status run(ShapeCall &call, Status (*shape)(ShapeCall &)) {
    Status status = shape(call);
    return status.ok() ? std::move(call.failure) : status;
  }
};

Status inferUserOp(InferenceContext &context) {
  ShapeCall call = ShapeCalls::of(context);
  if (Status(*shape)(ShapeCall &) = context.def().userShape)
    return ShapeCalls::run(call, shape);
  for (int i = 0; i < context.numOutputs(); ++i)
    call.setOutputLike(i, 0);
  return okStatus();
}

} // namespace kiln
