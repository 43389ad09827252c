// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random functions of all tensor ops, compiled and evaluated: the bits must be the same.
//
// KILN_RANDOM_GRAPHS is how many functions to try from each of two stages (150), KILN_RANDOM_SEED the seed of the first;
// a failure prints its own seed, which with KILN_RANDOM_GRAPHS=1 gives the same function again.
#include "test/unit/NativeHarness.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>
#include <random>

namespace kiln {
namespace {

using Sides = std::vector<Side>;

/// Symbols of every function: two free ones, one that is 1 or s0, and what concat and reshape need.
enum Symbol : int { S0, S1, OneOrS0, S0TimesS1, TwiceS0, numSymbols };

Side known(int64_t extent) { return {extent}; }
Side symbol(Symbol id) { return {0, id}; }

struct TypedValue {
  std::string name, element;
  Sides sides;
};

class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  void generate() {
    for (int i = 0, count = 1 + below(3); i < count; ++i)
      addFeed(randomElement(), randomSides());
    for (int i = 0, count = below(3); i < count; ++i)
      addVariable(randomElement(), randomSides());
    int ops = 3 + below(23);
    for (int tries = 0; numOps < ops && tries < 500; ++tries)
      addOp();
    for (int i = 0, count = 1 + below(4); i < count; ++i)
      returned.push_back(pick(values));
  }

  std::string source() const {
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

  /// Elements of the largest value or variable.
  int64_t largest(int64_t s0, int64_t s1) const {
    const int64_t symbols[numSymbols] = {s0, s1, s0, s0 * s1, 2 * s0};
    int64_t most = 0;
    for (const auto *list : {&values, &variables})
      for (const TypedValue &value : *list) {
        int64_t elements = 1;
        for (const Side &side : value.sides)
          elements *= side.symbol < 0 ? side.extent : symbols[side.symbol];
        most = std::max(most, elements);
      }
    return most;
  }

  NativeInputs inputs(int64_t s0, int64_t s1, bool isOne, unsigned seed) const {
    NativeInputs inputs;
    inputs.symbols = {s0, s1, isOne ? 1 : s0, s0 * s1, 2 * s0};
    for (size_t i = 0; i < feeds.size(); ++i)
      inputs.feeds.push_back(contents(feeds[i], inputs.symbols, indexLimits[i], seed++));
    for (const TypedValue &variable : variables)
      inputs.variables.push_back(contents(variable, inputs.symbols, 0, seed++));
    for (const TypedValue &constant : constants)
      inputs.constants.push_back(contents(constant, inputs.symbols, 0, ++seed));
    inputs.numStreams = numStreams;
    return inputs;
  }

private:
  //===--- Random choices --------------------------------------------------------------------------------------===//

  int below(int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); }
  bool chance(int percent) { return below(100) < percent; }
  template <class T> T pick(const std::vector<T> &list) {
    return list[static_cast<size_t>(below(static_cast<int>(list.size())))];
  }
  std::string randomElement() { return pick<std::string>({"f32", "f32", "f32", "f32", "f64", "i32", "i64", "i1"}); }
  std::string randomNumber() { return pick<std::string>({"f32", "f32", "f64", "i32", "i64"}); }
  Side randomSide() {
    return chance(55) ? symbol(pick<Symbol>({S0, S0, S1})) : known(pick<int64_t>({1, 1, 2, 3, 3, 7, 16, 17, 33, 70}));
  }
  Sides randomSides() {
    Sides sides;
    for (int i = 0, rank = pick<int>({0, 1, 1, 2, 2, 2, 3}); i < rank; ++i)
      sides.push_back(randomSide());
    return sides;
  }

  static Tensor contents(const TypedValue &value, const std::vector<int64_t> &symbols, int64_t limit, unsigned seed) {
    Sides sides = value.sides;
    for (Side &side : sides)
      if (side.symbol >= 0)
        side.extent = symbols[static_cast<size_t>(side.symbol)];
    Tensor tensor = seed % 7 == 0 ? edgeTensor(value.element, sides, seed) : randomTensor(value.element, sides, seed);
    for (int32_t &index : tensor.mutableData<int32_t>())
      if (limit > 0)
        index = static_cast<int32_t>(static_cast<uint32_t>(index) % static_cast<uint32_t>(limit));
    return tensor;
  }

  //===--- Values ----------------------------------------------------------------------------------------------===//

  /// \p limit: an i32 feed of indices below it.
  TypedValue addFeed(const std::string &element, const Sides &sides, int64_t limit = 0) {
    TypedValue feed{"%x" + std::to_string(feeds.size()), element, sides};
    feeds.push_back(feed);
    indexLimits.push_back(limit);
    values.push_back(feed);
    return feed;
  }

  void addVariable(const std::string &element, const Sides &sides) {
    TypedValue variable{"@v" + std::to_string(variables.size()), element, sides};
    module += "kiln.variable " + variable.name + " index " + std::to_string(variables.size()) + " : " +
              typeOf(sides, element) + "\n";
    variables.push_back(variable);
  }

  static std::string type(const TypedValue &value) { return typeOf(value.sides, value.element); }

  /// Appends `%n = kiln.<text> : <types>`.
  TypedValue emit(const std::string &text, const std::string &types, const std::string &element, const Sides &sides) {
    TypedValue value{"%" + std::to_string(numOps), element, sides};
    body += "  " + value.name + " = kiln." + text + " : " + types + " loc(\"n" + std::to_string(numOps) + "\")\n";
    ++numOps;
    values.push_back(value);
    return value;
  }

  /// A value of this type: one that exists, or a new broadcast, feed or constant.
  TypedValue valueOf(const std::string &element, const Sides &sides) {
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
    if (chance(30))
      return constant(element, sides);
    return feeds.size() < 8 ? addFeed(element, sides) : constant(element, sides);
  }

  TypedValue anyNumber() {
    for (int tries = 0; tries < 20; ++tries)
      if (TypedValue value = pick(values); value.element != "i1")
        return value;
    return addFeed("f32", randomSides());
  }
  TypedValue anyFloat() {
    for (int tries = 0; tries < 20; ++tries)
      if (TypedValue value = pick(values); value.element[0] == 'f')
        return value;
    return addFeed("f32", randomSides());
  }

  TypedValue constant(const std::string &element, const Sides &sides) {
    std::string number = element == "i1"     ? pick<std::string>({"true", "false"})
                         : element[0] == 'f' ? pick<std::string>({"0.0", "-0.0", "1.0", "0.1", "-2.5", "2.0"})
                                             : pick<std::string>({"0", "1", "-1", "2", "-7", "1000"});
    return emit("constant dense<" + number + "> : tensor<" + element + ">", typeOf(sides, element), element, sides);
  }

  //===--- Broadcasts ------------------------------------------------------------------------------------------===//

  static bool repeatsInto(Side from, Side to) {
    return from == to || from == known(1) || (from == symbol(OneOrS0) && to == symbol(S0));
  }
  /// A random-free greedy map of dimensions; {-1} where the operand is a scalar, empty where there is none.
  static std::vector<int> mapInto(const Sides &from, const Sides &to) {
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
  TypedValue broadcast(const TypedValue &value, const Sides &to) {
    std::string list;
    if (!value.sides.empty())
      for (int target : mapInto(value.sides, to))
        list += (list.empty() ? "" : ", ") + std::to_string(target);
    return emit("broadcast " + value.name + " map [" + list + "]", type(value) + " -> " + typeOf(to, value.element),
                value.element, to);
  }

  //===--- Ops -------------------------------------------------------------------------------------------------===//

  void addOp() {
    using Method = void (Generator::*)();
    static constexpr std::pair<int, Method> methods[] = {
        {14, &Generator::addUnary},  {24, &Generator::addBinary},   {4, &Generator::addCompare},
        {4, &Generator::addSelect},  {6, &Generator::addCast},      {10, &Generator::addBroadcast},
        {18, &Generator::addReduce}, {6, &Generator::addTranspose}, {5, &Generator::addReshape},
        {5, &Generator::addSlice},   {3, &Generator::addConcat},    {2, &Generator::addPad},
        {4, &Generator::addGather},  {3, &Generator::addIota},      {3, &Generator::addRandom},
        {3, &Generator::addMatmul},  {2, &Generator::addArgReduce}, {3, &Generator::addGenerated},
        {7, &Generator::addRead},    {7, &Generator::addWrite},     {2, &Generator::addFlag}};
    int total = 0;
    for (auto [weight, method] : methods)
      total += weight;
    int at = below(total);
    for (auto [weight, method] : methods)
      if ((at -= weight) < 0)
        return (this->*method)();
  }

  void addUnary() {
    TypedValue x = pick(values);
    std::string op = x.element == "i1" ? "not" : pick<std::string>({"neg", "abs", "sign"});
    if (x.element[0] == 'f' && chance(70))
      op = pick<std::string>({"sqrt", "rsqrt", "exp", "log", "tanh", "sigmoid", "floor", "ceil", "round_even", "sin",
                              "erf", "softplus", "log1p", "expm1", "asin", "acosh", "atanh", "erfc"});
    emit(op + " " + x.name, type(x), x.element, x.sides);
  }

  void addBinary() {
    TypedValue x = pick(values), y = valueOf(x.element, x.sides);
    std::string op = pick<std::string>({"add", "sub", "mul", "max", "min", "add", "mul"});
    if (x.element == "i1")
      op = pick<std::string>({"and", "or"});
    else if (x.element[0] == 'f' && chance(25))
      op = pick<std::string>({"div", "floor_div", "floor_mod", "rem", "pow", "atan2"});
    bool fails = x.element[0] == 'i' && x.element != "i1" &&
                 !std::exchange(canFail, true); // one failing op: which of two comes first?
    if (fails)
      op = pick<std::string>({"div", "floor_div", "floor_mod", "rem", "pow"});
    TypedValue result = emit(op + " " + x.name + ", " + y.name, type(x), x.element, x.sides);
    if (fails)
      returned.push_back(result); // a dead op fails only in the evaluator
  }

  void addCompare() {
    TypedValue x = pick(values), y = valueOf(x.element, x.sides);
    std::string predicate = pick<std::string>({"eq", "ne", "lt", "le", "gt", "ge"});
    emit("compare " + predicate + " " + x.name + ", " + y.name, type(x) + " -> " + typeOf(x.sides, "i1"), "i1",
         x.sides);
  }

  void addSelect() {
    TypedValue x = pick(values), y = valueOf(x.element, x.sides), c = valueOf("i1", x.sides);
    emit("select " + c.name + ", " + x.name + ", " + y.name, type(c) + ", " + type(x), x.element, x.sides);
  }

  void addCast() {
    TypedValue x = pick(values);
    std::string to = randomElement();
    if (to != x.element)
      emit("cast " + x.name, type(x) + " -> " + typeOf(x.sides, to), to, x.sides);
  }

  void addBroadcast() {
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

  void addReduce() {
    TypedValue x = pick(values);
    if (x.sides.empty())
      return;
    std::string kind = x.element == "i1" ? pick<std::string>({"all", "any"})
                                         : pick<std::string>({"sum", "sum", "sum", "max", "min", "prod"});
    int rank = static_cast<int>(x.sides.size()), first = below(rank), last = first + below(rank - first);
    Sides kept;
    std::string list;
    for (int i = 0; i < rank; ++i)
      if (i < first || i > last)
        kept.push_back(x.sides[static_cast<size_t>(i)]);
      else
        list += (list.empty() ? "" : ", ") + std::to_string(i);
    emit("reduce " + kind + " " + x.name + " axes [" + list + "]", type(x) + " -> " + typeOf(kept, x.element),
         x.element, kept);
  }

  void addTranspose() {
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
    emit("transpose " + x.name + " permutation [" + list + "]", type(x) + " -> " + typeOf(sides, x.element), x.element,
         sides);
  }

  void addReshape() {
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
    emit("reshape " + x.name, type(x) + " -> " + typeOf(to, x.element), x.element, to);
  }

  void addSlice() {
    TypedValue x = pick(values);
    Sides sides = x.sides;
    std::string starts, strides;
    for (Side &side : sides) {
      int64_t start = 0, stride = 1;
      if (side.symbol < 0 && side.extent > 1) {
        start = below(static_cast<int>(side.extent));
        stride = pick<int64_t>({1, 1, 2, 3, -1, -1, -2});
        int64_t most = stride > 0 ? (side.extent - start + stride - 1) / stride : start / -stride + 1;
        side.extent = 1 + below(static_cast<int>(most));
      }
      starts += (starts.empty() ? "" : ", ") + std::to_string(start);
      strides += (strides.empty() ? "" : ", ") + std::to_string(stride);
    }
    if (!sides.empty())
      emit("slice " + x.name + " starts [" + starts + "] strides [" + strides + "]",
           type(x) + " -> " + typeOf(sides, x.element), x.element, sides);
  }

  void addConcat() {
    TypedValue x = pick(values);
    if (x.sides.empty())
      return;
    auto axis = static_cast<size_t>(below(static_cast<int>(x.sides.size())));
    Sides other = x.sides, joined = x.sides;
    if (x.sides[axis].symbol < 0) {
      other[axis] = known(1 + below(20));
      joined[axis] = known(x.sides[axis].extent + other[axis].extent);
    } else if (x.sides[axis] == symbol(S0)) {
      joined[axis] = symbol(TwiceS0);
    } else {
      return;
    }
    TypedValue y = valueOf(x.element, other);
    emit("concat " + x.name + ", " + y.name + " axis " + std::to_string(axis),
         type(x) + ", " + type(y) + " -> " + typeOf(joined, x.element), x.element, joined);
  }

  void addPad() {
    TypedValue x = pick(values);
    if (x.sides.empty())
      return;
    TypedValue padding = valueOf(x.element, {});
    Sides sides = x.sides;
    std::string low;
    for (Side &side : sides) {
      int before = side.symbol < 0 ? below(4) : 0;
      side.extent += side.symbol < 0 ? before + below(5) : 0;
      low += (low.empty() ? "" : ", ") + std::to_string(before);
    }
    emit("pad " + x.name + ", " + padding.name + " low [" + low + "]",
         type(x) + ", " + type(padding) + " -> " + typeOf(sides, x.element), x.element, sides);
  }

  void addGather() {
    TypedValue x = pick(values);
    if (x.sides.empty() || feeds.size() > 8)
      return;
    auto axis = static_cast<size_t>(below(static_cast<int>(x.sides.size())));
    if (x.sides[axis].symbol >= 0)
      return;
    int64_t limit = x.sides[axis].extent + (!canFail && chance(20)); // beyond the end, at times
    Sides indices = pick<Sides>({{}, {known(5)}, {symbol(S1)}, {symbol(S0), known(2)}}), sides = x.sides;
    sides.erase(sides.begin() + static_cast<int>(axis));
    sides.insert(sides.begin() + static_cast<int>(axis), indices.begin(), indices.end());
    if (sides.size() > 4)
      return;
    TypedValue index = addFeed("i32", indices, limit);
    TypedValue result = emit("gather " + x.name + ", " + index.name + " axis " + std::to_string(axis),
                             type(x) + ", " + type(index) + " -> " + typeOf(sides, x.element), x.element, sides);
    if (limit > x.sides[axis].extent) {
      canFail = true;
      returned.push_back(result);
    }
  }

  void addIota() {
    std::string element = randomNumber();
    Sides sides = randomSides();
    if (sides.empty())
      return;
    TypedValue start = valueOf(element, {}), step = valueOf(element, {});
    emit("iota " + start.name + ", " + step.name + " axis " + std::to_string(below(static_cast<int>(sides.size()))),
         type(start) + " -> " + typeOf(sides, element), element, sides);
  }

  void addRandom() {
    std::string element = pick<std::string>({"f32", "f64"}), list;
    Sides sides = randomSides();
    for (const Side &side : sides)
      list += (list.empty() ? "" : ", ") +
              (side.symbol < 0 ? std::to_string(side.extent) : "s" + std::to_string(side.symbol));
    TypedValue state =
        emit("random_reserve " + std::to_string(numStreams++) + " [" + list + "]", "tensor<6xi32>", "i32", {known(6)});
    emit("random " + pick<std::string>({"uniform", "normal"}) + " " + state.name,
         "tensor<6xi32> -> " + typeOf(sides, element), element, sides);
  }

  void addMatmul() {
    TypedValue x = anyNumber();
    if (x.sides.size() != 2 || x.sides[0] == known(1)) // a product with a vector is summed in another order
      return;
    Side columns = pick<Side>({symbol(S0), symbol(S1), known(5), known(33)});
    bool transposed = chance(40);
    TypedValue y = valueOf(x.element, transposed ? Sides{columns, x.sides[1]} : Sides{x.sides[1], columns});
    Sides sides = {x.sides[0], columns};
    emit("matmul " + x.name + ", " + y.name + (transposed ? " transposed" : ""),
         type(x) + ", " + type(y) + " -> " + typeOf(sides, x.element), x.element, sides);
  }

  void addArgReduce() {
    TypedValue x = pick(values);
    if (x.sides.empty())
      return;
    auto axis = static_cast<size_t>(below(static_cast<int>(x.sides.size())));
    if (x.sides[axis].symbol >= 0 || x.sides[axis].extent == 0)
      return;
    Sides sides = x.sides;
    sides.erase(sides.begin() + static_cast<int>(axis));
    std::string element = pick<std::string>({"i32", "i64"});
    emit("arg_reduce " + x.name + " axis " + std::to_string(axis) + " {smallest = " + (chance(50) ? "true" : "false") +
             "}",
         type(x) + " -> " + typeOf(sides, element), element, sides);
  }

  void addGenerated() {
    if (chance(30)) {
      emit("dims [s1, 9, s0]", "tensor<3xi32>", "i32", {known(3)});
    } else if (chance(30)) {
      emit("dims [s1]", "tensor<i64>", "i64", {});
    } else if (chance(30)) {
      emit("constant dense<[1.5, -2.0, 0.25]> : tensor<3xf32>", "tensor<3xf32>", "f32", {known(3)});
    } else if (chance(50)) {
      constant(randomElement(), randomSides());
    } else {
      std::string element = randomElement();
      Sides sides = {pick<Side>({known(3), known(7), known(17)})};
      constants.push_back({"", element, sides});
      emit("constant_ref " + std::to_string(constants.size() - 1), typeOf(sides, element), element, sides);
    }
  }

  void addRead() {
    if (variables.empty())
      return;
    TypedValue variable = pick(variables);
    emit("var_read " + variable.name, type(variable), variable.element, variable.sides);
  }

  void addWrite() {
    if (variables.empty())
      return;
    TypedValue variable = pick(variables), value = valueOf(variable.element, variable.sides);
    body += "  kiln.var_write " + variable.name + ", " + value.name + " : " + type(value) + "\n";
  }

  void addFlag() {
    if (!variables.empty())
      emit("var_is_initialized " + pick(variables).name, "tensor<i1>", "i1", {});
  }

  std::mt19937 random;
  std::vector<TypedValue> feeds, variables, constants, values, returned;
  std::vector<int64_t> indexLimits;
  std::string module, body;
  int numOps = 0;
  int numStreams = 0;
  bool canFail = false;
};

int numberFrom(const char *name, int otherwise) {
  const char *text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

class RandomGraphs : public testing::TestWithParam<passes::Stage> {};

TEST_P(RandomGraphs, GiveTheBitsOfTheEvaluator) {
  auto first = static_cast<unsigned>(numberFrom("KILN_RANDOM_SEED", 20250));
  auto count = static_cast<unsigned>(numberFrom("KILN_RANDOM_GRAPHS", 150));
  std::printf("seeds %u to %u\n", first, first + count - 1);
  int failures = 0;
  for (unsigned seed = first; seed < first + count && failures < 20; ++seed) {
    SCOPED_TRACE("KILN_RANDOM_SEED=" + std::to_string(seed));
    Generator generator(seed);
    generator.generate();
    NativeProgram program(generator.source(), GetParam());
    const int64_t sizes[][2] = {{3, 5}, {1, 17}, {33, 2}, {0, 3}, {40, 70}, {1100, 3}, {2, 1500}, {260, 300}};
    for (auto [s0, s1] : sizes)
      if (generator.largest(s0, s1) < 200'000 && !program.agrees(generator.inputs(s0, s1, seed & 1, seed))) {
        ++failures;
        break;
      }
  }
  EXPECT_EQ(failures, 0);
}

INSTANTIATE_TEST_SUITE_P(From, RandomGraphs, testing::Values(passes::Stage::Fuse, passes::Stage::Simplify),
                         [](const auto &info) { return passes::stageName(info.param).str(); });

} // namespace
} // namespace kiln
