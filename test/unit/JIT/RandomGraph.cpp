// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values, broadcasts and inputs of random functions.
#include "test/unit/JIT/RandomGraph.h"

#include "lib/Support/DTypeDispatch.h"

#include <algorithm>

namespace kiln {

int64_t RandomGraph::largest(int64_t s0, int64_t s1) const {
  std::vector<int64_t> symbols = {s0, s1, s0, s0 * s1, 2 * s0};
  for (const std::vector<Sides> &limits : found) {
    int64_t limit = 0;
    for (const Sides &sides : limits)
      limit += elementsOf(sides, symbols);
    symbols.push_back(limit);
  }
  int64_t most = 0;
  for (const auto *list : {&values, &variables})
    for (const TypedValue &value : *list)
      most = std::max(most, elementsOf(value.sides, symbols));
  return most;
}

void RandomGraph::generate() {
  if (chance(50)) {
    for (int i = 0, count = 1 + below(3); i < count; ++i)
      shapes.push_back(newSides());
    elements = {newElement(), newElement()};
  }
  bool isInitializer = chance(16);
  for (int i = 0, count = isInitializer ? below(2) : 1 + below(3); i < count;
       ++i)
    addFeed(randomElement(), randomSides());
  for (int i = 0, count = isInitializer ? 2 + below(8) : below(4); i < count;
       ++i)
    addVariable(randomElement(), randomSides());
  if (isInitializer)
    for (size_t i = 0; i < variables.size(); ++i)
      addInitializer(chance(80) ? variables[i] : pick(variables));
  int ops = numOps + (isInitializer ? below(6) : 3 + below(23));
  for (int tries = 0; numOps < ops && tries < 500; ++tries)
    addOp();
  for (int i = 0, count = isInitializer ? below(3) : 1 + below(6); i < count;
       ++i)
    returned.push_back(pick(values));
}

std::string RandomGraph::source() const {
  std::string list, types;
  for (const TypedValue &value : returned) {
    list += (list.empty() ? "" : ", ") + value.name;
    types += (types.empty() ? "" : ", ") + typeOf(value.sides, value.element);
  }
  std::vector<std::string> inputs;
  for (const TypedValue &feed : feeds)
    inputs.push_back(typeOf(feed.sides, feed.element));
  return function(inputs, body, list, types, module);
}

NativeInputs RandomGraph::inputs(int64_t s0, int64_t s1, bool isOne,
                                 unsigned seed) const {
  NativeInputs inputs;
  inputs.symbols = {s0, s1, isOne ? 1 : s0, s0 * s1, 2 * s0};
  inputs.symbols.resize(numSymbols + found.size(), -1);
  for (size_t i = 0; i < feeds.size(); ++i) {
    std::optional<Side> side = indexLimits[i];
    int64_t limit = !side ? 0
                    : side->symbol < 0
                        ? side->extent
                        : inputs.symbols[static_cast<size_t>(side->symbol)];
    inputs.feeds.push_back(contents(feeds[i], inputs.symbols, limit, seed++));
  }
  for (const TypedValue &variable : variables) {
    inputs.initialized.push_back(seed % 3 != 0);
    inputs.variables.push_back(contents(variable, inputs.symbols, 0, seed++));
  }
  for (const TypedValue &constant : constants)
    inputs.constants.push_back(contents(constant, inputs.symbols, 0, ++seed));
  inputs.numStreams = numStreams;
  return inputs;
}

int RandomGraph::below(int limit) {
  return static_cast<int>(random() % static_cast<unsigned>(limit));
}

bool RandomGraph::chance(int percent) { return below(100) < percent; }

std::string RandomGraph::randomElement() {
  return !elements.empty() && chance(85) ? pick(elements) : newElement();
}

std::string RandomGraph::newElement() {
  if (chance(60))
    return pick<std::string>({"f32", "f32", "f32", "f64", "i32", "i64", "i1"});
  return pick<std::string>({"f16", "bf16", "f16", "bf16", "i8", "i16", "ui8",
                            "ui16", "ui32", "ui64"});
}

std::string RandomGraph::randomNumber() {
  return pick<std::string>(
      {"f32", "f32", "f64", "i32", "i64", "i8", "ui16", "ui64"});
}

Side RandomGraph::randomSide() {
  return chance(55) ? symbol(pick<Symbol>({S0, S0, S1}))
                    : known(pick<int64_t>({1, 1, 2, 3, 3, 7, 16, 17, 33, 70}));
}

Sides RandomGraph::randomSides() {
  return !shapes.empty() && chance(85) ? pick(shapes) : newSides();
}

Sides RandomGraph::newSides() {
  Sides sides;
  for (int i = 0, rank = pick<int>({0, 1, 1, 2, 2, 2, 3}); i < rank; ++i)
    sides.push_back(randomSide());
  return sides;
}

Tensor RandomGraph::contents(const TypedValue &value,
                             const std::vector<int64_t> &symbols, int64_t limit,
                             unsigned seed) {
  Sides sides = value.sides;
  for (Side &side : sides)
    if (side.symbol >= 0)
      side.extent = symbols[static_cast<size_t>(side.symbol)];
  Tensor tensor = seed % 7 == 0 ? edgeTensor(value.element, sides, seed)
                                : randomTensor(value.element, sides, seed);
  if (limit > 0)
    dispatchInteger(tensor.dtype(), [&]<class T>(T) {
      for (T &index : tensor.mutableData<T>())
        index = static_cast<T>(static_cast<std::make_unsigned_t<T>>(index) %
                               static_cast<uint64_t>(limit));
    });
  return tensor;
}

TypedValue RandomGraph::addFeed(const std::string &element, const Sides &sides,
                                std::optional<Side> limit) {
  TypedValue feed{"%x" + std::to_string(feeds.size()), element, sides};
  feeds.push_back(feed);
  indexLimits.push_back(limit);
  values.push_back(feed);
  return feed;
}

void RandomGraph::addVariable(const std::string &element, const Sides &sides) {
  TypedValue variable{"@v" + std::to_string(variables.size()), element, sides};
  module += "kiln.variable " + variable.name + " index " +
            std::to_string(variables.size()) + " : " + typeOf(sides, element) +
            "\n";
  variables.push_back(variable);
}

std::string RandomGraph::type(const TypedValue &value) {
  return typeOf(value.sides, value.element);
}

TypedValue RandomGraph::emit(const std::string &text, const std::string &types,
                             const std::string &element, const Sides &sides) {
  TypedValue value{"%" + std::to_string(numOps), element, sides};
  body += "  " + value.name + " = kiln." + text + " : " + types + " loc(\"n" +
          std::to_string(numOps) + "\")\n";
  ++numOps;
  values.push_back(value);
  return value;
}

TypedValue RandomGraph::valueOf(const std::string &element,
                                const Sides &sides) {
  std::vector<TypedValue> same, smaller;
  for (const TypedValue &value : values)
    if (value.element == element && value.sides == sides)
      same.push_back(value);
    else if (value.element == element && !mapInto(value.sides, sides).empty())
      smaller.push_back(value);
  if (!same.empty() && chance(80))
    return pick(same);
  if (!smaller.empty() && chance(70))
    return broadcast(pick(smaller), sides);
  if (isFound(sides) || chance(30))
    return constant(element, sides);
  return feeds.size() < 8 ? addFeed(element, sides) : constant(element, sides);
}

TypedValue RandomGraph::anyNumber() {
  for (int tries = 0; tries < 20; ++tries)
    if (TypedValue value = pick(values);
        value.element != "i1" && !isNarrowFloat(value.element))
      return value;
  return addFeed("f32", randomSides());
}

TypedValue RandomGraph::anyFloat() {
  for (int tries = 0; tries < 20; ++tries)
    if (TypedValue value = pick(values); isFloat(value.element))
      return value;
  return addFeed("f32", randomSides());
}

bool RandomGraph::repeatsInto(Side from, Side to) {
  return from == to || from == known(1) ||
         (from == symbol(OneOrS0) && to == symbol(S0));
}

std::vector<int> RandomGraph::mapInto(const Sides &from, const Sides &to) {
  if (from.empty())
    return to.empty() ? std::vector<int>() : std::vector<int>{-1};
  std::vector<int> map;
  size_t target = to.size();
  for (size_t i = from.size(); i-- > 0;) {
    while (target > 0 && !repeatsInto(from[i], to[target - 1]))
      --target;
    if (target == 0)
      return {};
    map.insert(map.begin(), static_cast<int>(--target));
  }
  return map;
}

TypedValue RandomGraph::broadcast(const TypedValue &value, const Sides &to) {
  std::string list;
  if (!value.sides.empty())
    for (int target : mapInto(value.sides, to))
      list += (list.empty() ? "" : ", ") + std::to_string(target);
  return emit("broadcast " + value.name + " map [" + list + "]",
              type(value) + " -> " + typeOf(to, value.element), value.element,
              to);
}

TypedValue RandomGraph::pickComputed() {
  for (int tries = 0; tries < 20; ++tries)
    if (TypedValue value = pick(values); !isNarrowFloat(value.element))
      return value;
  return addFeed("f32", randomSides());
}

} // namespace kiln
