// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows integers through elementwise ops.
#include "lib/Ops/Math/Contents.h"

#include "lib/OpDefs/Contents.h"
#include "lib/Support/Integers.h"
#include "lib/Support/StatusMacros.h"

#include <algorithm>
#include <optional>

namespace kiln::shapes {
namespace {

using Kind = SymbolDef::Kind;

/// What an op does to symbols, and to numbers.
struct Arithmetic {
  std::string_view op;
  Kind ofSymbols;
  IntegerFunction ofNumbers;
};

const Arithmetic *findArithmetic(std::string_view op) {
  using F = IntegerFunction;
  static constexpr Arithmetic table[] = {
      {"Add", Kind::Add, F::Add},
      {"AddV2", Kind::Add, F::Add},
      {"Sub", Kind::Sub, F::Sub},
      {"Mul", Kind::Mul, F::Mul},
      {"FloorDiv", Kind::FloorDiv, F::FloorDiv},
      {"FloorMod", Kind::Mod, F::FloorMod},
      {"Maximum", Kind::Max, F::Max},
      {"Minimum", Kind::Min, F::Min},
      {"Div", Kind::FloorDiv, F::Div},
      {"TruncateDiv", Kind::FloorDiv, F::Div},
      {"Mod", Kind::Mod, F::Rem},
      {"TruncateMod", Kind::Mod, F::Rem}};
  for (const Arithmetic &entry : table)
    if (entry.op == op)
      return &entry;
  return nullptr;
}

Dim apply(DimSpace &space, Kind kind, Dim a, Dim b) {
  switch (kind) {
  case Kind::Add:
    return space.add(a, b);
  case Kind::Sub:
    return space.sub(a, b);
  case Kind::Mul:
    return space.mul(a, b);
  case Kind::FloorDiv:
    return space.floorDiv(a, b);
  case Kind::Mod:
    return space.mod(a, b);
  case Kind::Max:
    return space.max(a, b);
  case Kind::Min:
    return space.min(a, b);
  default:
    return Dim::unknown();
  }
}

StatusOr<Dim> arithmetic(InferenceContext &context, const Arithmetic &entry,
                         Dim a, Dim b) {
  DimSpace &space = context.dims();
  a = space.resolve(a);
  b = space.resolve(b);
  DType dtype = context.inputDType(0);
  if (a.isKnown() && b.isKnown()) {
    auto value = evaluateInteger(entry.ofNumbers, dtype, a.value, b.value);
    return value && hasContents(dtype) ? Dim::known(*value) : Dim::unknown();
  }
  Kind kind = entry.ofSymbols;
  if (kind == Kind::FloorDiv || kind == Kind::Mod) {
    // Rounding towards zero is rounding down where nothing is negative.
    bool truncates = entry.ofNumbers == IntegerFunction::Div ||
                     entry.ofNumbers == IntegerFunction::Rem;
    if (truncates && !(space.isNonNegative(a) && space.isNonNegative(b)))
      return Dim::unknown();
    if (b.isSymbol())
      KILN_RETURN_IF_ERROR(
          space.require(Guard::Kind::NonZero, b, Dim(),
                        {.prefix = "Integer division by zero"}));
  }
  return wrapped(dtype, apply(space, kind, a, b));
}

/// The truth of a comparison; unknown where it is open.
Dim comparison(DimSpace &space, std::string_view op, Dim a, Dim b) {
  a = space.resolve(a);
  b = space.resolve(b);
  if (a.isUnknown() || b.isUnknown())
    return Dim::unknown();
  auto answer = [](bool truth) { return Dim::known(truth); };
  auto notLess = [&](Dim x, Dim y) {
    return space.isNonNegative(space.sub(x, y));
  };
  auto more = [&](Dim x, Dim y) {
    return space.isNonNegative(space.sub(space.sub(x, y), Dim::known(1)));
  };
  if (op == "Equal" || op == "NotEqual") {
    if (a == b)
      return answer(op == "Equal");
    return more(a, b) || more(b, a) ? answer(op == "NotEqual") : Dim::unknown();
  }
  if (op == "Greater" || op == "LessEqual") {
    if (more(a, b))
      return answer(op == "Greater");
    return notLess(b, a) ? answer(op == "LessEqual") : Dim::unknown();
  }
  if (op == "Less" || op == "GreaterEqual") {
    if (more(b, a))
      return answer(op == "Less");
    return notLess(a, b) ? answer(op == "GreaterEqual") : Dim::unknown();
  }
  return Dim::unknown();
}

Dim logical(std::string_view op, Dim a, Dim b) {
  int64_t deciding = op == "LogicalOr" ? 1 : 0;
  if (a.isKnown(deciding) || b.isKnown(deciding))
    return Dim::known(deciding);
  return a.isKnown() && b.isKnown() ? Dim::known(1 - deciding) : Dim::unknown();
}

} // namespace

Status setBinaryContents(InferenceContext &context, const SymShape &shape) {
  const Dims *a = context.knownContents(0), *b = context.knownContents(1);
  auto extentsA = smallExtents(context.inputShape(0)),
       extentsB = smallExtents(context.inputShape(1));
  if (!a || !b || !extentsA || !extentsB)
    return okStatus();
  std::string_view op = context.node().op();
  const Arithmetic *entry = findArithmetic(op);
  Status status;
  setContentsByIndex(context, 0, shape, [&](std::span<const int64_t> index) {
    Dim left = (*a)[flatIndex(*extentsA, index, true)],
        right = (*b)[flatIndex(*extentsB, index, true)];
    if (op == "LogicalAnd" || op == "LogicalOr")
      return logical(op, left, right);
    if (!entry)
      return comparison(context.dims(), op, left, right);
    auto result = arithmetic(context, *entry, left, right);
    if (!result.ok())
      status = result.status();
    return result.valueOr(Dim::unknown());
  });
  return status;
}

Status setSelectContents(InferenceContext &context, const SymShape &shape) {
  const Dims *condition = context.knownContents(0),
             *then = context.knownContents(1),
             *otherwise = context.knownContents(2);
  auto extentsC = smallExtents(context.inputShape(0)),
       extentsT = smallExtents(context.inputShape(1)),
       extentsE = smallExtents(context.inputShape(2));
  if (!condition || !then || !otherwise || !extentsC || !extentsT || !extentsE)
    return okStatus();
  setContentsByIndex(context, 0, shape, [&](std::span<const int64_t> index) {
    Dim chosen = (*condition)[flatIndex(*extentsC, index, true)];
    if (!chosen.isKnown())
      return Dim::unknown();
    return chosen.value ? (*then)[flatIndex(*extentsT, index, true)]
                        : (*otherwise)[flatIndex(*extentsE, index, true)];
  });
  return okStatus();
}

void setUnaryContents(InferenceContext &context) {
  const Dims *input = context.knownContents(0);
  if (!input)
    return;
  DimSpace &space = context.dims();
  std::string_view op = context.node().op();
  Dims result;
  for (Dim dim : *input) {
    Dim zero = Dim::known(0), one = Dim::known(1);
    if (op == "LogicalNot")
      dim = space.sub(one, dim);
    else if (op == "Neg")
      dim = space.sub(zero, dim);
    else if (op == "Square")
      dim = space.mul(dim, dim);
    else if (op == "Abs")
      dim = space.max(dim, space.sub(zero, dim));
    else if (op == "Sign")
      dim = space.max(space.min(dim, one), Dim::known(-1));
    result.push_back(wrapped(context.inputDType(0), dim));
  }
  context.setOutputContents(0, std::move(result));
}

void setCastContents(InferenceContext &context) {
  const Dims *input = context.knownContents(0);
  DType to = context.typeAttr("DstT");
  if (!input)
    return;
  Dims result;
  for (Dim dim : *input) {
    // A symbol that becomes a bool is 1 unless it is 0, which is open.
    Dim element = to == DType::Bool && dim.isSymbol() &&
                          context.inputDType(0) != DType::Bool
                      ? Dim::unknown()
                      : dim;
    result.push_back(wrapped(to, element));
  }
  context.setOutputContents(0, std::move(result));
}

} // namespace kiln::shapes
