// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides comparisons of floats that the graph fixes: contents follow integers
// alone.
#include "lib/Import/SymbolicInference.h"

#include "lib/OpDefs/Contents.h"
#include "lib/OpDefs/OpDef.h"

#include <tuple>

namespace kiln {
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

std::optional<double>
SymbolicInference::constantNumber(Scope *scope, const Output &output) const {
  auto [owner, origin] = originOf(scope, output);
  if (!origin.node)
    return std::nullopt;
  if (!isCast(*origin.node))
    return kiln::constantNumber(*origin.node);
  Output from = originOf(owner, origin.node->input(0)).second;
  std::optional<double> number =
      from.node ? kiln::constantNumber(*from.node) : std::nullopt;
  return number ? std::optional(castNumber(*origin.node, *number)) : number;
}

std::optional<bool>
SymbolicInference::comparedConstants(const Output &output) const {
  auto [scope, origin] = originOf(current, output);
  const OpDef *def = origin.node ? lookupOp(origin.node->op()) : nullptr;
  if (!def || origin.node->numInputs() != 2)
    return std::nullopt;
  auto a = constantNumber(scope, origin.node->input(0)),
       b = constantNumber(scope, origin.node->input(1));
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
