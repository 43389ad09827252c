// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates symbols from the shapes of feeds and checks guards, once per run.
#include "lib/Shape/SymbolTable.h"

#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {

bool SymShape::isStatic() const {
  return rankKnown && std::all_of(dims.begin(), dims.end(),
                                  [](Dim dim) { return dim.isKnown(); });
}

std::string toString(const Dims &dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i)
      text += ',';
    if (dims[i].isKnown())
      text += strCat(dims[i].value);
    else if (dims[i].isSymbol())
      text += strCat("s", dims[i].symbol);
    else
      text += '?';
  }
  return text + ']';
}

std::string toString(const SymShape &shape) {
  return shape.rankKnown ? toString(shape.dims) : "<unknown>";
}

bool applyDef(SymbolDef::Kind kind, int64_t a, int64_t b, int64_t &result) {
  switch (kind) {
  case SymbolDef::Kind::Feed:
  case SymbolDef::Kind::Run:
    return false;
  case SymbolDef::Kind::Add:
    return !__builtin_add_overflow(a, b, &result);
  case SymbolDef::Kind::Sub:
    return !__builtin_sub_overflow(a, b, &result);
  case SymbolDef::Kind::Mul:
    return !__builtin_mul_overflow(a, b, &result);
  case SymbolDef::Kind::FloorDiv:
    if (b == 0)
      return result = 0, true;
    if (b == -1)
      return !__builtin_sub_overflow(int64_t{0}, a, &result);
    result = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return true;
  case SymbolDef::Kind::Mod:
    if (b == 0 || b == -1)
      return result = 0, true;
    result = a % b;
    if (result != 0 && (result < 0) != (b < 0))
      result += b;
    return true;
  case SymbolDef::Kind::Max:
    return result = std::max(a, b), true;
  case SymbolDef::Kind::Min:
    return result = std::min(a, b), true;
  case SymbolDef::Kind::Broadcast:
    return result = a == 1 ? b : a, true;
  }
  return false;
}

bool guardHolds(Guard::Kind kind, int64_t a, int64_t b) {
  switch (kind) {
  case Guard::Kind::Equal:
    return a == b;
  case Guard::Kind::BroadcastCompatible:
    return a == b || a == 1 || b == 1;
  case Guard::Kind::NonNegative:
    return a >= 0;
  case Guard::Kind::NonZero:
    return a != 0;
  case Guard::Kind::LessEqual:
    return a <= b;
  case Guard::Kind::Divides:
    return b != 0 && (b == -1 || a % b == 0);
  }
  return false;
}

std::string formatDims(const Dims &dims, std::span<const int64_t> values,
                       bool asNumbers) {
  std::string text;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i)
      text += asNumbers ? ' ' : ',';
    text += dims[i].isUnknown() ? "?" : strCat(evaluateDim(dims[i], values));
  }
  return asNumbers ? text : '[' + text + ']';
}

Status guardError(const Guard &guard, std::span<const int64_t> values) {
  std::string message = guard.prefix;
  if (!guard.joiner.empty() || guard.asNumbers)
    message += formatDims(guard.lhsShape, values, guard.asNumbers) +
               guard.joiner +
               formatDims(guard.rhsShape, values, guard.asNumbers);
  return Status(guard.code, message + guard.suffix, guard.node);
}

Status SymbolTable::evaluate(std::span<const FeedShape> feeds,
                             std::vector<int64_t> &values) const {
  values.resize(defs.size());
  for (size_t i = 0; i < defs.size(); ++i) {
    const SymbolDef &def = defs[i];
    if (def.inRun)
      values[i] = 0;
    else if (def.kind == SymbolDef::Kind::Feed)
      values[i] = feeds[static_cast<size_t>(def.a.value)]
                       [static_cast<size_t>(def.b.value)];
    else if (!applyDef(def.kind, evaluateDim(def.a, values),
                       evaluateDim(def.b, values), values[i]))
      return invalidArgumentError(
                 "a size computed from the shapes of the feeds does not fit 64 "
                 "bits")
          .withNode(def.node);
  }
  for (const Guard &guard : guards)
    if (!guard.inRun && !guardHolds(guard.kind, evaluateDim(guard.a, values),
                                    evaluateDim(guard.b, values)))
      return guardError(guard, values);
  return okStatus();
}

} // namespace kiln
