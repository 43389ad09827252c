// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of branches and loops that TensorFlow's Python built and
// differentiated, written in C++: the graphs are the same node by node, but for
// what is inside of gradients, and values, gradients and steps with them are
// the same. test/golden_kiln/make_recurrent_cases.py.
#include "kiln/BuildOps.h"
#include "kiln/Gradients.h"
#include "kiln/Optimizers.h"
#include "kiln/TensorArray.h"
#include "test/unit/ProgramFixture.h"

namespace kiln {
namespace {

/// A program of x, n and a variable w.
class LoopPrograms : public ProgramFixture {
protected:
  LoopPrograms() {
    setRandomSeed(3);
    comparison.ignores = [](const Node &node) {
      // An IdentityN names its gradient, by a number of all that there are.
      return node.name().find("gradients") != std::string::npos ||
             node.op() == "IdentityN";
    };
    x = ops::placeholder(DType::Float32, {-1, 2}, {.name = "x"});
    n = ops::placeholder(DType::Int32, {}, {.name = "n"});
    w = getVariable(
        "w", {.shape = {2}, .initializer = constantInitializer({0.5, -1.5})});
  }

  /// Minimizes the squares of y, and differentiates them by x.
  void end(const Output &y, const std::string &name) {
    Output loss = ops::reduceSum(ops::square(y), {.name = "loss"});
    Output dx = gradients({loss}, {x})[0].toTensor();
    ops::identity(dx, {.name = "dx"});
    GradientDescentOptimizer(0.01).minimize(loss);
    globalVariablesInitializer();
    expectGraph("program_" + name);
  }

  Output below(const Outputs &v) { return v[0] < n; }
  auto isBelow() {
    return [this](const Outputs &v) { return below(v); };
  }

  Output x, n;
  Variable w;
};

TEST_F(LoopPrograms, Cond) {
  end(ops::cond(
          n > 0, [&] { return x * w; }, [&] { return ops::sin(x) - w; },
          {.name = "chosen"}),
      "cond");
}

TEST_F(LoopPrograms, CondInACond) {
  Variable count(0.0, {.trainable = false, .name = "count"});
  auto inner = [&] {
    ControlScope after({count.assignAdd(1.0)});
    return ops::exp(x * w);
  };
  end(ops::cond(
          n > 0,
          [&] { return ops::cond(n > 1, inner, [&] { return x * 3.0; }); },
          [&] { return x + w; }),
      "cond_nested");
}

TEST_F(LoopPrograms, FunctionsOfRows) {
  Output mapped = ops::mapFn(
      [&](const Outputs &row) {
        Variable bias = getVariable(
            "bias", {.shape = {2}, .initializer = onesInitializer()});
        return ops::tanh(row[0] * w) + bias;
      },
      {x});
  Outputs pairs = ops::mapFn(
      [](const Outputs &r) {
        Output sum = ops::reduceSum(r[0] * r[1]);
        return Outputs{sum, ops::cast(r[1] * 0.5, DType::Float64)};
      },
      {x, mapped},
      {.dtypes = {DType::Float32, DType::Float64},
       .parallelIterations = 3,
       .name = "pairs"});
  Output known = ops::mapFn([&](const Outputs &i) { return i[0] * n; },
                            {ops::constant({1, 2, 3})}, {.swapMemory = true});
  Output sums = mapped * ops::expandDims(pairs.at(0), 1);
  Output halves = ops::cast(pairs.at(1), DType::Float32);
  Output factor = ops::cast(ops::reduceSum(known), DType::Float32);
  Output scaled = halves * factor;
  end(sums + scaled, "map");
}

TEST_F(LoopPrograms, Folds) {
  Output left = ops::foldl(
      [&](const Outputs &a, const Outputs &r) {
        Output half = a[0] * 0.5;
        return half + r[0] * w;
      },
      {x}, {.name = "left"});
  Output right = ops::foldr(
      [&](const Outputs &a, const Outputs &r) { return a[0] * w + r[0]; }, {x},
      {.initializer = {ops::zeros({2})}});
  Output three = ops::foldl(
      [](const Outputs &a, const Outputs &r) { return a[0] * 2.0 + r[0]; },
      {ops::slice(x, {0, 0}, {3, 2})}, {.initializer = {w}});
  Output last =
      ops::foldr([](const Outputs &a, const Outputs &r) { return a[0] - r[0]; },
                 {ops::slice(x, {0, 0}, {3, 2})}, {.name = "last"});
  end(ops::stack({left, right, three, last}), "folds");
}

TEST_F(LoopPrograms, Scans) {
  Output plain = ops::scan(
      [&](const Outputs &a, const Outputs &r) { return a[0] * w + r[0]; }, {x});
  Output backwards = ops::scan(
      [](const Outputs &a, const Outputs &r) { return a[0] * 0.5 + r[0]; }, {x},
      {.reverse = true});
  Output zero = ops::constant(0.0);
  Outputs pair = ops::scan(
      [](const Outputs &a, const Outputs &r) {
        Output count = a[0] + 1.0;
        return Outputs{count, a[1] * r[0]};
      },
      {x}, {.initializer = {zero, w}, .name = "pair"});
  Output known =
      ops::scan([](const Outputs &a, const Outputs &r) { return a[0] * r[0]; },
                {ops::constant({{1.0, 2.0}, {3.0, 4.0}})},
                {.initializer = {w}, .reverse = true, .inferShape = false});
  Output product = pair.at(1) * ops::expandDims(pair.at(0), 1);
  end(ops::concat({plain, backwards, product, known}, 0), "scan");
}

TEST_F(LoopPrograms, While) {
  end(ops::whileLoop(isBelow(),
                     [&](const Outputs &v) {
                       Output next = v[0] + 1;
                       return Outputs{next, ops::tanh(v[1] * w) + x};
                     },
                     {0, x}, {.name = "turns"})[1],
      "while");
}

TEST_F(LoopPrograms, WhileAtMost) {
  end(ops::whileLoop(
          [&](const Outputs &v) { return ops::reduceSum(v[0]) < 100.0; },
          [&](const Outputs &v) {
            return Outputs(ops::square(v[0]) * w + 1.0);
          },
          {x},
          {.parallelIterations = 1,
           .swapMemory = true,
           .maximumIterations = n})[0],
      "while_at_most");
}

TEST_F(LoopPrograms, BranchInALoop) {
  end(ops::whileLoop(isBelow(),
                     [&](const Outputs &v) {
                       Output next = v[0] + 1;
                       Output isEven = ops::equal(v[0] % 2, 0);
                       Output chosen = ops::cond(
                           isEven, [&] { return v[1] * w; },
                           [&] { return ops::sin(v[1]); });
                       return Outputs{next, chosen};
                     },
                     {0, x})[1],
      "branch_in_loop");
}

TEST_F(LoopPrograms, LoopInABranch) {
  end(ops::cond(
          n > 1,
          [&] {
            return ops::whileLoop(isBelow(),
                                  [&](const Outputs &v) {
                                    Output next = v[0] + 1;
                                    return Outputs{next, v[1] * w};
                                  },
                                  {0, x})[1];
          },
          [&] { return x - w; }),
      "loop_in_branch");
}

TEST_F(LoopPrograms, LoopInALoop) {
  auto outer = [&](const Outputs &v) {
    Output next = v[0] + 1;
    Outputs inner =
        ops::whileLoop([&](const Outputs &u) { return u[0] < v[0]; },
                       [&](const Outputs &u) {
                         Output after = u[0] + 1;
                         return Outputs{after, u[1] * w + x};
                       },
                       {0, v[1]}, {.name = "inner"});
    return Outputs{next, inner.size() < 2 ? Output() : inner[1]};
  };
  end(ops::whileLoop(isBelow(), outer, {0, x}, {.name = "outer"})[1],
      "nested_loops");
}

TEST_F(LoopPrograms, Arrays) {
  Output several = ops::tile(ops::expandDims(x, 0), {4, 1, 1});
  TensorArray rows = TensorArray(DType::Float32, 4, {.name = "rows"});
  // Made first, filled then.
  rows = rows.unstack(several);
  TensorArray out(DType::Float32, 4, {.name = "out"});
  Outputs done = ops::whileLoop(
      [&](const Outputs &v) { return v[0] < 4; },
      [&](const Outputs &v) {
        Output next = v[0] + 1;
        Output squares = ops::square(rows.read(v[0])) * w;
        return Outputs{next, out.withFlow(v[1]).write(v[0], squares).flow()};
      },
      {0, out.flow()});
  end(out.withFlow(done[1]).stack({.name = "stacked"}), "arrays");
}

TEST_F(LoopPrograms, DescentInALoop) {
  end(ops::whileLoop(isBelow(),
                     [&](const Outputs &v) {
                       Output next = v[0] + 1;
                       Output squares = ops::reduceSum(ops::square(v[1] * w));
                       Output slope =
                           gradients({squares}, {v[1]})[0].toTensor();
                       return Outputs{next, v[1] - 0.1 * slope};
                     },
                     {0, x})[1],
      "descent_in_loop");
}

TEST_F(LoopPrograms, CustomGradientOfVariables) {
  auto scaled = [&](const std::vector<Output> &args) {
    auto make = [](const char *name, const Input &value) {
      return getVariable(name, {.shape = {2},
                                .initializer = constantInitializer(value),
                                .useResource = true});
    };
    Variable u = make("u", {0.25, 0.5}), v = make("v", {2.0, 3.0});
    Output product = args[0] * v;
    CustomResult result{.outputs = {product + ops::square(u)}};
    result.gradientWithVariables = [](const std::vector<Gradient> &given,
                                      const std::vector<Variable> &variables) {
      Output dy = given[0];
      CustomGradients made{.inputs = {dy * 3.0}};
      for (size_t i = 0; i < variables.size(); ++i)
        made.variables.push_back(ops::reduceSum(dy, 0) * (i == 0 ? 2.0 : 0.5));
      return made;
    };
    return result;
  };
  end(customGradient(scaled, {x})[0] * w, "custom_gradient");
}

} // namespace
} // namespace kiln
