// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that random functions are made of.
#include "test/unit/JIT/RandomGraph.h"

#include <algorithm>

namespace kiln {

void RandomGraph::addOp() {
  using Method = void (RandomGraph::*)();
  static constexpr std::pair<int, Method> methods[] = {
      {14, &RandomGraph::addUnary},    {24, &RandomGraph::addBinary},
      {4, &RandomGraph::addCompare},   {4, &RandomGraph::addSelect},
      {6, &RandomGraph::addCast},      {10, &RandomGraph::addBroadcast},
      {18, &RandomGraph::addReduce},   {6, &RandomGraph::addTranspose},
      {5, &RandomGraph::addReshape},   {5, &RandomGraph::addSlice},
      {3, &RandomGraph::addConcat},    {2, &RandomGraph::addPad},
      {3, &RandomGraph::addWindow},    {4, &RandomGraph::addGather},
      {3, &RandomGraph::addIota},      {3, &RandomGraph::addRandom},
      {3, &RandomGraph::addMatmul},    {2, &RandomGraph::addArgReduce},
      {5, &RandomGraph::addGenerated}, {2, &RandomGraph::addRandomInt},
      {2, &RandomGraph::addOffsets},   {7, &RandomGraph::addRead},
      {7, &RandomGraph::addWrite},     {2, &RandomGraph::addFlag},
      {5, &RandomGraph::addWhere},     {5, &RandomGraph::addUnique},
      {5, &RandomGraph::addJoined},    {4, &RandomGraph::addStrings}};
  if (depth < maxDepth && chance(8))
    return (
        this->*pick<Method>({&RandomGraph::addIf, &RandomGraph::addIf,
                             &RandomGraph::addWhile, &RandomGraph::addWhile,
                             &RandomGraph::addArray, &RandomGraph::addList}))();
  int total = 0;
  for (auto [weight, method] : methods)
    total += weight;
  int at = below(total);
  for (auto [weight, method] : methods)
    if ((at -= weight) < 0)
      return (this->*method)();
}

void RandomGraph::addUnary() {
  TypedValue x = pickComputed();
  std::string op =
      x.element == "i1" ? "not" : pick<std::string>({"neg", "abs", "sign"});
  if (isInteger(x.element) && chance(30))
    op = "not";
  if (isFloat(x.element) && chance(70))
    op = pick<std::string>(
        {"sqrt",  "rsqrt", "exp",  "log",  "tanh",       "sigmoid",  "floor",
         "ceil",  "sin",   "cos",  "tan",  "round_even", "softplus", "log1p",
         "expm1", "asin",  "acos", "atan", "sinh",       "cosh",     "asinh",
         "acosh", "atanh", "erf",  "erfc"});
  emit(op + " " + x.name, type(x), x.element, x.sides);
}

void RandomGraph::addBinary() {
  TypedValue x = pickComputed(), y = valueOf(x.element, x.sides);
  std::string op =
      pick<std::string>({"add", "sub", "mul", "max", "min", "add", "mul"});
  if (x.element == "i1")
    op = pick<std::string>({"and", "or", "xor"});
  else if (isInteger(x.element) && chance(25))
    op = pick<std::string>({"and", "or", "xor", "shift_left", "shift_right"});
  else if (isFloat(x.element) && chance(25))
    op = pick<std::string>(
        {"div", "floor_div", "floor_mod", "rem", "pow", "atan2"});
  bool fails = isInteger(x.element) &&
               !std::exchange(
                   canFail, true); // one failing op: which of two comes first?
  if (fails)
    op = pick<std::string>({"div", "floor_div", "floor_mod", "rem", "pow"});
  TypedValue result =
      emit(op + " " + x.name + ", " + y.name, type(x), x.element, x.sides);
  if (fails)
    returned.push_back(result); // a dead op fails only in the evaluator
}

void RandomGraph::addCompare() {
  TypedValue x = pickComputed(), y = valueOf(x.element, x.sides);
  std::string predicate =
      pick<std::string>({"eq", "ne", "lt", "le", "gt", "ge"});
  emit("compare " + predicate + " " + x.name + ", " + y.name,
       type(x) + " -> " + typeOf(x.sides, "i1"), "i1", x.sides);
}

void RandomGraph::addSelect() {
  TypedValue x = pick(values), y = valueOf(x.element, x.sides),
             c = valueOf("i1", x.sides);
  emit("select " + c.name + ", " + x.name + ", " + y.name,
       type(c) + ", " + type(x), x.element, x.sides);
}

void RandomGraph::addCast() {
  TypedValue x = pick(values);
  std::string to = isNarrowFloat(x.element) ? "f32" : randomElement();
  if (isNarrowFloat(to) && x.element != "f32")
    return;
  if (to != x.element)
    emit("cast " + x.name, type(x) + " -> " + typeOf(x.sides, to), to, x.sides);
}

void RandomGraph::addBroadcast() {
  TypedValue x = pick(values);
  Sides to = x.sides;
  if (to.size() >= 3)
    return;
  if (chance(30) && to.size() == 1) { // one or equal
    x = addFeed(x.element, {symbol(OneOrS0)});
    to = {symbol(S0)};
  }
  to.insert(to.begin() + below(static_cast<int>(to.size()) + 1), randomSide());
  for (Side &side : to)
    if (side == known(1) && chance(60))
      side = randomSide();
  if (x.sides.empty() || !mapInto(x.sides, to).empty())
    broadcast(x, to);
}

void RandomGraph::addReduce() {
  TypedValue x = pickComputed();
  if (x.sides.empty())
    return;
  std::string kind =
      x.element == "i1"
          ? pick<std::string>({"all", "any"})
          : pick<std::string>({"sum", "sum", "sum", "max", "min", "prod"});
  int rank = static_cast<int>(x.sides.size()), first = below(rank),
      last = first + below(rank - first);
  Sides kept;
  std::string list;
  for (int i = 0; i < rank; ++i)
    if (i < first || i > last)
      kept.push_back(x.sides[static_cast<size_t>(i)]);
    else
      list += (list.empty() ? "" : ", ") + std::to_string(i);
  emit("reduce " + kind + " " + x.name + " axes [" + list + "]",
       type(x) + " -> " + typeOf(kept, x.element), x.element, kept);
}

void RandomGraph::addTranspose() {
  TypedValue x = pick(values);
  if (x.sides.size() < 2)
    return;
  std::vector<int> order;
  for (size_t i = 0; i < x.sides.size(); ++i)
    order.push_back(static_cast<int>(i));
  std::shuffle(order.begin(), order.end(), random);
  Sides sides;
  std::string list;
  for (int from : order) {
    sides.push_back(x.sides[static_cast<size_t>(from)]);
    list += (list.empty() ? "" : ", ") + std::to_string(from);
  }
  emit("transpose " + x.name + " permutation [" + list + "]",
       type(x) + " -> " + typeOf(sides, x.element), x.element, sides);
}

void RandomGraph::addReshape() {
  TypedValue x = pick(values);
  Sides to = x.sides;
  auto one = std::find(to.begin(), to.end(), known(1));
  Sides both = {symbol(S0), symbol(S1)};
  if (to == both)
    to = {symbol(S0TimesS1)};
  else if (to == Sides{symbol(S0TimesS1)})
    to = both;
  else if (to.size() == 2 && to[0].symbol < 0 && to[1].symbol < 0 && chance(70))
    to = {known(to[0].extent * to[1].extent)};
  else if (one != to.end() && chance(60))
    to.erase(one);
  else if (to.size() < 4)
    to.insert(to.begin() + below(static_cast<int>(to.size()) + 1), known(1));
  else
    return;
  emit("reshape " + x.name, type(x) + " -> " + typeOf(to, x.element), x.element,
       to);
}

/// Symbols are cut in halves or turned around: starts that are dims.
void RandomGraph::addSlice() {
  TypedValue x = pick(values);
  Sides sides = x.sides;
  std::string starts, strides, moving;
  bool anyMoves = false;
  for (Side &side : sides) {
    int64_t start = 0, stride = 1;
    std::string symbolic = "0";
    if (side.symbol < 0 && side.extent > 1) {
      start = below(static_cast<int>(side.extent));
      stride = pick<int64_t>({1, 1, 2, 3, -1, -1, -2});
      int64_t most = stride > 0 ? (side.extent - start + stride - 1) / stride
                                : start / -stride + 1;
      side.extent = 1 + below(static_cast<int>(most));
    } else if (side == symbol(TwiceS0) && chance(70)) {
      symbolic = "s" + std::to_string(S0);
      side = symbol(S0);
    } else if (side.symbol >= 0 && chance(30)) {
      symbolic = "s" + std::to_string(side.symbol);
      start = stride = -1;
    }
    anyMoves |= symbolic != "0";
    const char *comma = starts.empty() ? "" : ", ";
    starts += comma + std::to_string(start);
    strides += comma + std::to_string(stride);
    moving += comma + symbolic;
  }
  if (sides.empty())
    return;
  std::string at, types = type(x);
  if (anyMoves) {
    Sides one = {known(static_cast<int64_t>(sides.size()))};
    at = " at " +
         emit("dims [" + moving + "]", typeOf(one, "i64"), "i64", one).name;
    types += ", " + typeOf(one, "i64");
  }
  emit("slice " + x.name + at + " starts [" + starts + "] strides [" + strides +
           "]",
       types + " -> " + typeOf(sides, x.element), x.element, sides);
}

/// Two parts, a few, or more than are copied without a loop over them.
void RandomGraph::addConcat() {
  TypedValue x = pick(values);
  if (x.sides.empty())
    return;
  auto axis = static_cast<size_t>(below(static_cast<int>(x.sides.size())));
  Sides joined = x.sides;
  std::vector<TypedValue> parts = {x};
  if (x.sides[axis] == symbol(S0)) {
    parts.push_back(valueOf(x.element, x.sides));
    joined[axis] = symbol(TwiceS0);
  } else if (x.sides[axis].symbol < 0) {
    for (int i = 0, more = chance(90) ? 1 + below(3) : 17; i < more; ++i) {
      Sides other = x.sides;
      if (chance(60))
        other[axis] = known(1 + below(20));
      parts.push_back(valueOf(x.element, other));
      joined[axis].extent += other[axis].extent;
    }
  } else {
    return;
  }
  std::string names, types;
  for (const TypedValue &part : parts) {
    names += (names.empty() ? "" : ", ") + part.name;
    types += (types.empty() ? "" : ", ") + type(part);
  }
  emit("concat " + names + " axis " + std::to_string(axis),
       types + " -> " + typeOf(joined, x.element), x.element, joined);
}

void RandomGraph::addPad() {
  TypedValue x = pick(values);
  if (x.sides.empty())
    return;
  TypedValue padding = valueOf(x.element, {});
  Sides sides = x.sides;
  std::string low;
  for (Side &side : sides) {
    int before = side.symbol < 0 ? below(4) : 0;
    if (side.symbol < 0)
      side.extent += before + below(5);
    else if (side == symbol(S0) && chance(50))
      side = symbol(TwiceS0);
    low += (low.empty() ? "" : ", ") + std::to_string(before);
  }
  emit("pad " + x.name + ", " + padding.name + " low [" + low + "]",
       type(x) + ", " + type(padding) + " -> " + typeOf(sides, x.element),
       x.element, sides);
}

void RandomGraph::addWindow() {
  TypedValue x = pick(values);
  if (x.sides.empty())
    return;
  TypedValue padding = valueOf(x.element, {});
  Sides sides = x.sides;
  std::string starts, strides;
  for (Side &side : sides) {
    if (side.symbol < 0)
      side.extent = 1 + below(9);
    const char *comma = starts.empty() ? "" : ", ";
    starts += comma + std::to_string(below(8) - 4);
    strides += comma + std::to_string(1 + below(3));
  }
  emit("window " + x.name + ", " + padding.name + " starts [" + starts +
           "] strides [" + strides + "]",
       type(x) + ", " + type(padding) + " -> " + typeOf(sides, x.element),
       x.element, sides);
}

void RandomGraph::addGather() {
  TypedValue x = pick(values);
  if (x.sides.empty() || feeds.size() > 8)
    return;
  auto axis = static_cast<size_t>(below(static_cast<int>(x.sides.size())));
  Side limit = x.sides[axis];
  if (isFound({limit})) // which indices would be inside?
    return;
  bool mayFail = limit.symbol >= 0; // where that has no elements
  if (mayFail && canFail)
    return;
  if (!mayFail && !canFail && chance(20)) { // beyond the end, at times
    ++limit.extent;
    mayFail = true;
  }
  Sides indices =
            pick<Sides>({{}, {known(5)}, {symbol(S1)}, {symbol(S0), known(2)}}),
        sides = x.sides;
  size_t batch =
      chance(40) ? static_cast<size_t>(below(static_cast<int>(axis) + 1)) : 0;
  sides.erase(sides.begin() + static_cast<int>(axis));
  sides.insert(sides.begin() + static_cast<int>(axis), indices.begin(),
               indices.end());
  indices.insert(indices.begin(), sides.begin(),
                 sides.begin() + static_cast<int>(batch));
  if (sides.size() > 4 || isFound(indices))
    return;
  TypedValue index =
      addFeed(pick<std::string>({"i32", "i32", "i16", "i64"}), indices, limit);
  TypedValue result = emit(
      "gather " + x.name + ", " + index.name + " axis " + std::to_string(axis) +
          (batch ? " batch " + std::to_string(batch) : ""),
      type(x) + ", " + type(index) + " -> " + typeOf(sides, x.element),
      x.element, sides);
  if (mayFail) {
    canFail = true;
    returned.push_back(result);
  }
}

void RandomGraph::addIota() {
  std::string element = randomNumber();
  Sides sides = randomSides();
  if (sides.empty())
    return;
  TypedValue start = valueOf(element, {}), step = valueOf(element, {});
  emit("iota " + start.name + ", " + step.name + " axis " +
           std::to_string(below(static_cast<int>(sides.size()))),
       type(start) + " -> " + typeOf(sides, element), element, sides);
}

void RandomGraph::addRandom() {
  randomNumbers(pick<std::string>({"f32", "f64"}), randomSides());
}

void RandomGraph::addMatmul() {
  TypedValue x = anyNumber();
  size_t rank = x.sides.size();
  if (rank < 2)
    return;
  bool swapLhs = chance(30), swapRhs = chance(40);
  Side rows = x.sides[rank - (swapLhs ? 1 : 2)],
       depth = x.sides[rank - (swapLhs ? 2 : 1)],
       columns = pick<Side>({symbol(S0), symbol(S1), known(5), known(33)});
  if (rows == known(1)) // a product with a vector is summed in another order
    return;
  Sides batch(x.sides.begin(), x.sides.end() - 2), right = batch, sides = batch;
  right.push_back(swapRhs ? columns : depth);
  right.push_back(swapRhs ? depth : columns);
  sides.push_back(rows);
  sides.push_back(columns);
  TypedValue y = valueOf(x.element, right);
  emit("matmul " + x.name + (swapLhs ? " transposed, " : ", ") + y.name +
           (swapRhs ? " transposed" : ""),
       type(x) + ", " + type(y) + " -> " + typeOf(sides, x.element), x.element,
       sides);
}

void RandomGraph::addArgReduce() {
  TypedValue x = pickComputed();
  if (x.sides.empty())
    return;
  auto axis = static_cast<size_t>(below(static_cast<int>(x.sides.size())));
  if (x.sides[axis].symbol >= 0 || x.sides[axis].extent == 0)
    return;
  Sides sides = x.sides;
  sides.erase(sides.begin() + static_cast<int>(axis));
  std::string element = pick<std::string>({"i32", "i64", "i16", "ui16"});
  emit("arg_reduce " + x.name + " axis " + std::to_string(axis) +
           " {smallest = " + (chance(50) ? "true" : "false") + "}",
       type(x) + " -> " + typeOf(sides, element), element, sides);
}

} // namespace kiln
