// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What keeps a region from running, and nodes that had better not run.
#include "test/fuzz/graphs/Guards.h"

#include "test/fuzz/graphs/Recipes.h"

#include <cmath>
#include <functional>

namespace kiln::fuzz {
namespace {

using Made = std::optional<Value>;

Made first(std::optional<std::vector<Value>> outputs) {
  return outputs && !outputs->empty() ? Made(outputs->front()) : Made();
}

Sets where(const Extent &extent, const std::function<bool(int64_t)> &holds) {
  Sets sets;
  for (size_t set = 0; set < numSets; ++set)
    sets[set] = holds(extent.of[set]);
  return sets;
}

Sets opposite(Sets sets) {
  for (bool &is : sets)
    is = !is;
  return sets;
}

Extent numberOf(const Sets &sets) {
  Extent number;
  for (size_t set = 0; set < numSets; ++set)
    number.of[set] = sets[set];
  return number;
}

/// The number of elements of some tensor, rather of one that the sets have
/// different ones of; and that number.
std::optional<std::pair<Value, Extent>> someSize(Maker &maker) {
  std::vector<Value> list;
  for (int pass = 0; pass < 2 && list.empty(); ++pass)
    for (const Value &value : maker.scope->values)
      if (value.isKnown && value.rank() > 0 && !value.isRef &&
          (pass == 1 || !numElements(value.dims).isFixed()))
        list.push_back(value);
  Value of = list.empty() || maker.random.chance(30)
                 ? maker.fresh(DType::Float32, maker.dimsOfRank(1))
                 : maker.random.pick(list);
  Made size = first(
      maker.add("Size", {of}, {{"T", of.dtype}, {"out_type", DType::Int32}}));
  if (!size)
    return {};
  Extent number = numElements(of.dims);
  return std::pair(maker.following(*size, {number}), number);
}

struct Comparison {
  const char *op;
  std::function<bool(int64_t, int64_t)> holds;
};

const Comparison comparisons[] = {
    {"Equal", std::equal_to<int64_t>()},
    {"NotEqual", std::not_equal_to<int64_t>()},
    {"Less", std::less<int64_t>()},
    {"LessEqual", std::less_equal<int64_t>()},
    {"Greater", std::greater<int64_t>()},
    {"GreaterEqual", std::greater_equal<int64_t>()},
};

Guard ofSize(Maker &maker) {
  auto size = someSize(maker);
  if (!size)
    return {maker.fresh(DType::Bool, {})};
  const Extent &number = size->second;
  Random &random = maker.random;
  int64_t bound =
      random.among<int64_t>({number.of[0], number.of[1], 0, number.of[0] - 1});
  const Comparison *comparison = &random.pick(comparisons);
  auto holds = [&](int64_t n) { return comparison->holds(n, bound); };
  for (int trial = 0; trial < 5 && holds(number.of[0]) == holds(number.of[1]);
       ++trial)
    comparison = &random.pick(comparisons);
  Sets ifTrue = where(number, holds);
  Made pred = first(maker.add(
      comparison->op, {size->first, maker.scalarInteger(DType::Int32, bound)},
      {{"T", DType::Int32}}));
  if (!pred)
    return {maker.fresh(DType::Bool, {})};
  return {maker.following(*pred, {numberOf(ifTrue)}), ifTrue, opposite(ifTrue)};
}

Guard ofFeed(Maker &maker) {
  Sets ifTrue = maker.random.among<Sets>({{true, false},
                                          {false, true},
                                          {true, false},
                                          {false, true},
                                          {false, false},
                                          {true, true}});
  Value pred = maker.fed(DType::Bool, {}, exactly({numberOf(ifTrue)}));
  return {pred, ifTrue, opposite(ifTrue)};
}

} // namespace

Guard chooseGuard(Maker &maker) {
  Guard guard = maker.random.chance(50) ? ofFeed(maker) : ofSize(maker);
  if (maker.options.mayFail && maker.random.chance(4)) {
    std::swap(guard.ifTrue, guard.ifFalse);
    maker.program.mayFailAnywhere = true;
  }
  return guard;
}

Iterations chooseIterations(Maker &maker, int64_t start) {
  Random &random = maker.random;
  Iterations iterations;
  Extent limit = random.below(5);
  if (maker.style.guards && random.chance(75)) {
    limit.of[size_t(random.below(int(numSets)))] = random.below(2);
    iterations.limit = maker.fed(DType::Int32, {}, exactly({limit}));
    if (auto size = someSize(maker);
        size && random.chance(40) &&
        size->second.of[0] + size->second.of[1] < 20) {
      Extent less = size->second.least();
      limit = size->second - less;
      Made made = first(maker.add(
          "Sub", {size->first, maker.scalarInteger(DType::Int32, less)},
          {{"T", DType::Int32}}));
      if (made)
        iterations.limit = maker.following(*made, {limit});
    }
  } else {
    iterations.limit =
        maker.constant(Tensor::scalar<int32_t>(int(limit.of[0])));
  }
  iterations.any = where(limit, [&](int64_t n) { return n > start; });
  return iterations;
}

namespace {

/// What a risky node is made of.
struct Risk {
  Maker &maker;
  const Sets &runsIn = maker.scope->runsIn;

  Value fed(DType dtype, const Extents &dims, const Fill &good,
            const Fill &bad) const {
    return maker.fed(dtype, dims, either(runsIn, good, bad));
  }
  Value scalar(int64_t good, int64_t bad) const {
    return fed(DType::Int32, {}, exactly({good}), exactly({bad}));
  }
  Value vector(const Extents &good, const Extents &bad) const {
    return fed(DType::Int32, {int64_t(good.size())}, exactly(good),
               exactly(bad));
  }
  /// Three numbers.
  Value numbers() const {
    return maker.fresh(DType::Float32, {3}, between(-2, 2));
  }
};

AttrMap typed(DType dtype) { return {{"T", dtype}}; }

using Way = Made (*)(const Risk &);

const Way risks[] = {
    [](const Risk &risk) {
      return first(risk.maker.add(
          risk.maker.random.among({"FloorDiv", "FloorMod", "TruncateDiv"}),
          {risk.maker.fresh(DType::Int32, {3}, between(1, 9)),
           risk.scalar(2, 0)},
          typed(DType::Int32)));
    },
    [](const Risk &risk) {
      return first(risk.maker.add(
          "Cholesky",
          {risk.fed(DType::Float32, {2, 2}, exactly({2, 0, 0, 2}),
                    exactly({-2, 0, 0, -2}))},
          typed(DType::Float32)));
    },
    [](const Risk &risk) {
      return first(
          risk.maker.add("MatrixInverse",
                         {risk.fed(DType::Float32, {2, 2},
                                   exactly({2, 0, 0, 2}), between(0, 0))},
                         {{"T", DType::Float32}, {"adjoint", false}}));
    },
    [](const Risk &risk) {
      return first(risk.maker.add(
          "StringToNumber",
          {risk.fed(DType::String, {2}, texts({"1", "2"}), texts({"x"}))},
          {{"out_type", DType::Float32}}));
    },
    [](const Risk &risk) {
      Fill nan = {[](Tensor &tensor, size_t, Random &) {
        for (float &element : tensor.mutableData<float>())
          element = std::nanf("");
      }};
      return first(risk.maker.add(
          "CheckNumerics", {risk.fed(DType::Float32, {2}, between(-1, 1), nan)},
          {{"T", DType::Float32}, {"message", "risky"}}));
    },
    [](const Risk &risk) {
      return first(risk.maker.add(
          "GatherV2",
          {risk.numbers(),
           risk.vector({2, 0},
                       {risk.maker.random.among<int64_t>({-1, 3, 1000000}), 1}),
           risk.maker.constant(Tensor::scalar<int32_t>(0))},
          {{"Tparams", DType::Float32},
           {"Tindices", DType::Int32},
           {"Taxis", DType::Int32},
           {"batch_dims", int64_t(0)}}));
    },
    [](const Risk &risk) {
      return first(risk.maker.add(
          "Fill",
          {risk.vector({2}, {-1}), risk.maker.fresh(DType::Float32, {})},
          {{"T", DType::Float32}, {"index_type", DType::Int32}}));
    },
    [](const Risk &risk) {
      return first(risk.maker.add(
          "Tile", {risk.numbers(), risk.vector({2}, {-1})},
          {{"T", DType::Float32}, {"Tmultiples", DType::Int32}}));
    },
    [](const Risk &risk) {
      Value bad = risk.vector(
          {3, 1}, {2, risk.maker.random.among<int64_t>({-1, 0, 5})});
      return first(
          risk.maker.add("Reshape", {risk.numbers(), bad},
                         {{"T", DType::Float32}, {"Tshape", DType::Int32}}));
    },
    [](const Risk &risk) {
      return first(risk.maker.add(
          "Slice",
          {risk.numbers(), risk.vector({1}, {2}),
           risk.vector({1},
                       {risk.maker.random.among<int64_t>({7, 2, 1 << 30})})},
          {{"T", DType::Float32}, {"Index", DType::Int32}}));
    },
    [](const Risk &risk) {
      return first(risk.maker.add("Range",
                                  {risk.maker.scalarInteger(DType::Int32, 0),
                                   risk.maker.scalarInteger(DType::Int32, 4),
                                   risk.scalar(2, 0)},
                                  {{"Tidx", DType::Int32}}));
    },
    [](const Risk &risk) {
      return first(
          risk.maker.add("UnsortedSegmentSum",
                         {risk.numbers(), risk.vector({0, 1, 1}, {0, 9, 1}),
                          risk.maker.scalarInteger(DType::Int32, 2)},
                         {{"T", DType::Float32},
                          {"Tindices", DType::Int32},
                          {"Tnumsegments", DType::Int32}}));
    },
    [](const Risk &risk) {
      return first(risk.maker.add("InvertPermutation",
                                  {risk.vector({1, 0}, {1, 1})},
                                  typed(DType::Int32)));
    },
    [](const Risk &risk) {
      Value is = risk.fed(DType::Bool, {}, exactly({1}), exactly({0}));
      Maker &maker = risk.maker;
      auto made = maker.add("Assert", {is, risk.numbers()},
                            {{"T", std::vector<DType>{DType::Float32}},
                             {"summarize", int64_t(3)}});
      if (!made)
        return Made();
      const Graph &graph = *maker.scope->graph;
      return first(maker.add("Identity", {risk.numbers()},
                             typed(DType::Float32),
                             {graph.node(graph.numNodes() - 1)->name()}));
    },
    [](const Risk &risk) { // of three elements where it runs, of any elsewhere
      Extent size = 3;
      for (size_t set = 0; set < numSets; ++set)
        if (!risk.runsIn[set])
          size.of[set] = risk.maker.random.among<int64_t>({0, 1, 2, 4, 5});
      Value x = risk.maker.fed(DType::Float32, {size});
      return first(risk.maker.add(
          "EnsureShape", {x}, {{"T", DType::Float32}, {"shape", Shape{3}}}));
    },
    [](const Risk &risk) {
      Extent size = 3;
      for (size_t set = 0; set < numSets; ++set)
        if (!risk.runsIn[set])
          size.of[set] = risk.maker.random.among<int64_t>({0, 2, 4, 5});
      Value x = risk.maker.fed(DType::Float32, {size});
      return first(
          risk.maker.add("AddV2", {x, risk.numbers()}, typed(DType::Float32)));
    },
};

} // namespace

bool addRisky(Maker &maker) {
  return maker.random.pick(risks)({maker}).has_value();
}

} // namespace kiln::fuzz
