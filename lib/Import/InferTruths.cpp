// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides comparisons of floats that the graph fixes: contents follow integers
// alone.
#include "lib/Import/SymbolicInference.h"

#include "lib/Ops/OpDef.h"

#include <cmath>
#include <tuple>

namespace kiln {
namespace {

/// The number of a scalar Const of floats. A denormal is a zero of its sign, as
/// in a run.
std::optional<double> floatOf(const Output &output) {
  const OpDef *def = output.node ? lookupOp(output.node->op()) : nullptr;
  if (!def || !def->has(constant))
    return std::nullopt;
  auto given = output.node->attrRef<TensorConstant>("value");
  if (!given.ok() || !(*given)->shape.isScalar() || !(*given)->value.isValid())
    return std::nullopt;
  const Tensor &value = (*given)->value;
  auto flushed = [](auto number) -> double {
    using Float = decltype(number);
    return std::fpclassify(number) == FP_SUBNORMAL
               ? std::copysign(Float(0), number)
               : number;
  };
  switch (value.dtype()) {
  case DType::Float32:
    return flushed(value.data<float>()[0]);
  case DType::Float64:
    return flushed(value.data<double>()[0]);
  default:
    return std::nullopt;
  }
}

} // namespace

std::pair<Scope *, Output> SymbolicInference::originOf(Scope *scope,
                                                       Output tensor) const {
  while (feedOf(tensor) < 0) {
    Scope *owner = scope->ownerOf(tensor);
    if (!owner)
      return {};
    auto alias = owner->aliases.find(Scope::key(tensor));
    if (alias != owner->aliases.end()) {
      std::tie(scope, tensor) = alias->second;
      continue;
    }
    const OpDef *def = lookupOp(tensor.node->op());
    bool isNode = owner->infos.contains(tensor.node);
    if (!isNode)
      return {};
    if (!def || def->role != OpRole::Identity)
      return {owner, tensor};
    scope = owner;
    tensor = tensor.node->input(0);
  }
  return {};
}

std::optional<bool>
SymbolicInference::comparedConstants(const Output &output) const {
  auto [scope, origin] = originOf(current, output);
  const OpDef *def = origin.node ? lookupOp(origin.node->op()) : nullptr;
  if (!def || def->family != "Math" || origin.node->numInputs() != 2)
    return std::nullopt;
  auto a = floatOf(originOf(scope, origin.node->input(0)).second),
       b = floatOf(originOf(scope, origin.node->input(1)).second);
  if (!a || !b)
    return std::nullopt;
  return def->role == OpRole::Less           ? std::optional(*a < *b)
         : def->role == OpRole::LessEqual    ? std::optional(*a <= *b)
         : def->role == OpRole::Greater      ? std::optional(*a > *b)
         : def->role == OpRole::GreaterEqual ? std::optional(*a >= *b)
         : def->role == OpRole::Equal        ? std::optional(*a == *b)
         : def->role == OpRole::NotEqual     ? std::optional(*a != *b)
                                             : std::nullopt;
}

} // namespace kiln
