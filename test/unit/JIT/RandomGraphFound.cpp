// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels, sizes that a run finds out and strings of random functions.
#include "test/unit/JIT/RandomGraph.h"

#include <algorithm>

namespace kiln {

bool RandomGraph::isFound(const Sides &sides) {
  return std::any_of(sides.begin(), sides.end(),
                     [](Side side) { return side.symbol >= numSymbols; });
}

int64_t RandomGraph::elementsOf(const Sides &sides,
                                const std::vector<int64_t> &symbols) {
  int64_t elements = 1;
  for (const Side &side : sides)
    elements *= side.symbol < 0 ? side.extent
                                : symbols[static_cast<size_t>(side.symbol)];
  return elements;
}

Side RandomGraph::newFound(const std::vector<Sides> &most) {
  found.push_back(most);
  return {0, numSymbols + static_cast<int>(found.size()) - 1};
}

std::vector<TypedValue> RandomGraph::call(const std::string &kernel,
                                          const std::vector<TypedValue> &inputs,
                                          const std::vector<TypedValue> &types,
                                          const std::string &attributes) {
  std::vector<TypedValue> all = inputs;
  all.insert(all.end(), types.begin(), types.end());
  std::string node = std::to_string(numOps);
  std::string names = results(types);
  body +=
      "  " + (types.empty() ? "" : names + " = ") + "kiln.runtime_call \"" +
      kernel + "\" ins(" +
      (inputs.empty() ? ""
                      : listOf(inputs, nameOf) + " : " + listOf(inputs, type)) +
      ") types [" + listOf(all, type) + "] {" + attributes + "}" +
      (types.empty() ? "" : " -> ") + listOf(types, type) + " loc(\"n" + node +
      "\")\n";
  return {values.end() - static_cast<int64_t>(types.size()), values.end()};
}

std::optional<TypedValue> RandomGraph::anyVector(const std::string &element) {
  std::vector<TypedValue> vectors;
  std::copy_if(values.begin(), values.end(), std::back_inserter(vectors),
               [&](const TypedValue &value) {
                 return value.sides.size() == 1 &&
                        (element.empty() ? !isNarrowFloat(value.element)
                                         : value.element == element);
               });
  return vectors.empty() ? std::nullopt : std::optional(pick(vectors));
}

/// Where, and what boolean_mask makes of it.
void RandomGraph::addWhere() {
  TypedValue x = pickComputed();
  if (x.sides.empty() || x.sides.size() > 3)
    return;
  Side n = newFound({x.sides});
  auto rank = static_cast<int64_t>(x.sides.size());
  std::string binds = "binds = array<i64: " + std::to_string(n.symbol) + ">";
  TypedValue places =
      call("Where", {x}, {{"", "i64", {n, known(rank)}}}, binds)[0];
  if (rank > 1)
    return;
  TypedValue indices =
      emit("reshape " + places.name, type(places) + " -> " + typeOf({n}, "i64"),
           "i64", {n});
  emit("gather " + x.name + ", " + indices.name + " axis 0",
       type(x) + ", " + type(indices) + " -> " + typeOf({n}, x.element),
       x.element, {n});
}

/// Unique, and its input again from what it gives.
void RandomGraph::addUnique() {
  auto x = anyVector();
  if (!x || x->element == "i1")
    return;
  Side n = newFound({x->sides});
  auto given =
      call("Unique", {*x}, {{"", x->element, {n}}, {"", "i32", x->sides}},
           "binds = array<i64: " + std::to_string(n.symbol) +
               ">, numbers = array<i64: 0>");
  if (chance(50))
    emit("gather " + given[0].name + ", " + given[1].name + " axis 0",
         type(given[0]) + ", " + type(given[1]) + " -> " + type(*x), x->element,
         x->sides);
}

/// Two vectors joined, or broadcast to each other where that goes.
void RandomGraph::addJoined() {
  auto x = anyVector();
  if (!x)
    return;
  TypedValue y = *anyVector(x->element);
  if (x->sides[0].symbol < 0 && y.sides[0].symbol < 0)
    return;
  auto sizes = "[" + extentOf(x->sides[0]) + ", " + extentOf(y.sides[0]) + "]";
  auto define = [&](const std::string &kind, const Side &side) {
    body += "  kiln.define " + std::to_string(side.symbol) + " " + kind + " " +
            sizes + " loc(\"n" + std::to_string(numOps) + "\")\n";
  };
  if (x->element != "i1" && !canFail && chance(60)) {
    canFail = true;
    Side both = newFound({x->sides, y.sides});
    define("broadcast", both);
    body += "  kiln.guard 0 broadcast_compatible " + sizes + " loc(\"n" +
            std::to_string(numOps) + "\")\n";
    auto wide = [&](const TypedValue &value) {
      return emit("broadcast " + value.name + " map [0]",
                  type(value) + " -> " + typeOf({both}, value.element),
                  value.element, {both});
    };
    TypedValue left = wide(*x), right = wide(y);
    returned.push_back(emit("add " + left.name + ", " + right.name, type(left),
                            x->element, {both}));
    return;
  }
  Side sum = newFound({x->sides, y.sides});
  define("add", sum);
  emit("concat " + x->name + ", " + y.name + " axis 0",
       type(*x) + ", " + type(y) + " -> " + typeOf({sum}, x->element),
       x->element, {sum});
}

/// Integers as text, moved, and what their lengths are.
void RandomGraph::addStrings() {
  auto x = anyVector();
  if (!x || !isInteger(x->element) || x->element == "i1")
    return;
  auto hidden = [&](TypedValue made) { // nothing else computes with it
    values.pop_back();
    return made;
  };
  const std::string text = "!kiln.string",
                    plain = "numbers = array<i64: -1, 0, 0, -1, 0>";
  TypedValue made =
      hidden(call("AsString", {*x}, {{"", text, x->sides}}, plain)[0]);
  if (chance(50)) {
    TypedValue other = hidden(call("AsString", {valueOf(x->element, x->sides)},
                                   {{"", text, x->sides}}, plain)[0]);
    TypedValue equal =
        call("StringEqual", {made, other}, {{"", "i1", x->sides}},
             "numbers = array<i64: 0>")[0];
    if (chance(50))
      made = hidden(
          emit("select " + equal.name + ", " + made.name + ", " + other.name,
               type(equal) + ", " + type(made), text, x->sides));
  }
  if (chance(50)) {
    Sides row = {known(1), x->sides[0]};
    made = hidden(emit("reshape " + made.name,
                       type(made) + " -> " + typeOf(row, text), text, row));
  }
  call("StringLength", {made}, {{"", "i32", made.sides}},
       "numbers = array<i64: 0>");
}

} // namespace kiln
