// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs whose conditionals and loops call functions: the graphs are those of
// TensorFlow's Python, functions included; gradients are those of loops of
// Switch and Merge.
#include "kiln/BuildOps.h"
#include "kiln/Functions.h"
#include "kiln/Gradients.h"
#include "kiln/Optimizers.h"
#include "kiln/Session.h"
#include "test/unit/Build/CompareFunctions.h"
#include "test/unit/ProgramFixture.h"

namespace kiln {
namespace {

class FunctionPrograms : public ProgramFixture {
protected:
  void expectProgram(const std::string &program) {
    ASSERT_EQ(graph.status(), okStatus());
    auto written = toGraphDef(*graph.graph());
    ASSERT_EQ(written.status(), okStatus());
    auto read = loadGraphDef(*written);
    ASSERT_EQ(read.status(), okStatus());
    std::shared_ptr<Graph> golden = load(program);
    EXPECT_THAT(FunctionsCompared(**read, *golden, comparison).differences(),
                ::testing::IsEmpty());
  }

  /// What TensorFlow's program gave, the same nodes give.
  void expectValues(const std::string &program) {
    auto recorded = golden::readCase(folder(program));
    ASSERT_EQ(recorded.status(), okStatus());
    for (ExecutionMode mode :
         {ExecutionMode::NativeOnly, ExecutionMode::EvaluatorOnly}) {
      golden::CaseResult result =
          golden::runCase(*recorded, {.mode = mode}, graph.graph());
      EXPECT_EQ(result.failure, "");
      EXPECT_FALSE(result.steps.empty());
      for (const golden::StepResult &step : result.steps)
        EXPECT_EQ(step.failure, "");
    }
  }
};

TEST_F(FunctionPrograms, FunctionCall) {
  DefinedFunction inner =
      defun("inner", {{DType::Float32, "x"}},
            [](const Outputs &v) { return Outputs(ops::sin(v[0]) * 2.); });
  DefinedFunction outer =
      defun("outer", {{DType::Float32, "x"}, {DType::Float32, "y"}},
            [&](const Outputs &v) {
              Output first = inner({v[0]});
              Output second = inner({v[1]});
              return Outputs(first + second * v[1]);
            });
  Output a = ops::placeholder(DType::Float32, {-1}, {.name = "a"});
  Output first = outer({a, a + 1.});
  Output second = outer({a * 2., a});
  ops::add(first, second, {.name = "o"});
  expectProgram("res_function_call");
  expectValues("res_function_call");
}

TEST_F(FunctionPrograms, CondAndWhile) {
  useResourceVariables();
  enableControlFlowV2();
  Output p = ops::placeholder(DType::Int32, {}, {.name = "p"});
  Variable v(0, {.name = "v"});
  ops::cond(
      p > 3, [&] { return v.assignAdd(1) * 2; },
      [&] { return ops::identity(p) - 1; });
  ops::whileLoop([&](const Outputs &x) { return x[0] < p; },
                 [](const Outputs &x) {
                   Output next = x[0] + 1;
                   Output isEven = ops::equal(x[0] % 2, 0);
                   return Outputs{next, ops::cond(
                                            isEven, [&] { return x[1] * 1.5; },
                                            [&] { return x[1] + 1.; })};
                 },
                 {0, 1.f});
  globalVariablesInitializer();
  v.readValue();
  expectProgram("res_cond_while");
  expectValues("res_cond_while");
}

TEST_F(FunctionPrograms, RecurrentGradient) {
  std::string program = "res_rnn_gradient";
  useResourceVariables();
  enableControlFlowV2();
  Output x = ops::placeholder(DType::Float32, {-1, -1, 3}, {.name = "X"});
  Variable wx(constantOf(program, "wx/Initializer/initial_value"),
              {.name = "wx"});
  Variable wh(constantOf(program, "wh/Initializer/initial_value"),
              {.name = "wh"});
  Output xt = ops::transpose(x, {1, 0, 2});
  Output n = ops::shape(xt)[0];
  Output rows = ops::shape(x)[0];
  Output start = ops::zeros({rows, 4});
  Outputs results =
      ops::whileLoop([&](const Outputs &v) { return v[0] < n; },
                     [&](const Outputs &v) {
                       Output next = v[0] + 1;
                       Output left = ops::matMul(ops::gather(xt, v[0]), wx);
                       Output right = ops::matMul(v[1], wh);
                       return Outputs{next, ops::tanh(left + right)};
                     },
                     {0, start});
  Output loss = ops::reduceSum(ops::square(results[1]));
  gradients({loss}, {wx, wh});
  GradientDescentOptimizer(.05).minimize(loss);
  globalVariablesInitializer();
  comparison.ignores = isOfGradients;
  expectProgram(program);
  expectValues(program);
}

/// Gradients of what `build` gives, in a graph of each kind of control flow.
class FunctionGradients : public ::testing::Test {
protected:
  using Program = std::function<Output(const Output &x, const Output &k)>;

  static std::vector<std::vector<float>> gradientsBy(const Program &build,
                                                     bool callsFunctions) {
    GraphBuilder graph;
    GraphScope scope(graph);
    enableControlFlowV2(callsFunctions);
    Output x = ops::placeholder(DType::Float32, {3}, {.name = "x"});
    Output k = ops::placeholder(DType::Int32, {}, {.name = "k"});
    Output y = build(x, k);
    Output slope = gradients({y}, {x})[0];
    EXPECT_EQ(graph.status(), okStatus());
    std::vector<std::vector<float>> all;
    for (ExecutionMode mode :
         {ExecutionMode::NativeOnly, ExecutionMode::EvaluatorOnly}) {
      auto session = Session::create(graph.graph(), {.mode = mode});
      EXPECT_EQ(session.status(), okStatus());
      if (!session.ok())
        return all;
      for (int32_t iterations : {0, 1, 3, 4}) {
        auto result = (*session)->run(
            {{"x:0", *Tensor::fromValues<float>({3}, {0.5f, -1.25f, 2.f})},
             {"k:0", *Tensor::fromValues<int32_t>({}, {iterations})}},
            {slope.name(), y.name()});
        EXPECT_EQ(result.status(), okStatus());
        if (!result.ok())
          return all;
        for (const Tensor &tensor : *result) {
          auto values = tensor.data<float>();
          all.emplace_back(values.begin(), values.end());
        }
      }
    }
    return all;
  }

  static void expectSame(const Program &build) {
    auto expected = gradientsBy(build, false), got = gradientsBy(build, true);
    ASSERT_EQ(expected.size(), got.size());
    ASSERT_FALSE(got.empty());
    for (size_t i = 0; i < got.size(); ++i)
      EXPECT_THAT(got[i], ::testing::Pointwise(::testing::FloatNear(1e-4f),
                                               expected[i]));
  }

  static Output loop(const Output &iterations, const Output &start,
                     const std::function<Output(const Outputs &)> &iteration) {
    return ops::whileLoop(
        [&](const Outputs &v) { return v[0] < iterations; },
        [&](const Outputs &v) { return Outputs{v[0] + 1, iteration(v)}; },
        {0, start})[1];
  }
};

TEST_F(FunctionGradients, OfAConditional) {
  expectSame([](const Output &x, const Output &k) {
    return ops::reduceSum(Output(ops::cond(
        k > 1, [&] { return ops::sin(x) * x; },
        [&] { return ops::square(x) * 3.f; })));
  });
}

TEST_F(FunctionGradients, OfAConditionalWhoseBranchUsesNothing) {
  expectSame([](const Output &x, const Output &k) {
    return ops::reduceSum(x +
                          Output(ops::cond(
                              k > 1, [&] { return ops::exp(x * 0.5f); },
                              [&] { return ops::constant({1.f, 2.f, 3.f}); })));
  });
}

TEST_F(FunctionGradients, OfALoopOfAsManyIterationsAsFed) {
  expectSame([](const Output &x, const Output &k) {
    return ops::reduceSum(loop(
        k, x, [&](const Outputs &v) { return ops::sin(v[1] * x) + v[1]; }));
  });
}

TEST_F(FunctionGradients, OfALoopInALoop) {
  expectSame([](const Output &x, const Output &k) {
    return ops::reduceSum(loop(k, x, [&](const Outputs &v) {
      Output inner = loop(v[0] + 1, v[1], [&](const Outputs &u) {
        return ops::tanh(u[1] * x) + x;
      });
      return inner * 0.5f + v[1];
    }));
  });
}

TEST_F(FunctionGradients, OfAConditionalInALoop) {
  expectSame([](const Output &x, const Output &k) {
    return ops::reduceSum(loop(k, x, [&](const Outputs &v) {
      return Output(ops::cond(
          ops::equal(v[0] % 2, 0), [&] { return ops::sin(v[1]) * x; },
          [&] { return v[1] * v[1] * 0.5f; }));
    }));
  });
}

TEST_F(FunctionGradients, OfALoopInAConditional) {
  expectSame([](const Output &x, const Output &k) {
    return ops::reduceSum(Output(ops::cond(
        k > 1,
        [&] {
          return loop(k, x,
                      [&](const Outputs &v) { return ops::cos(v[1] * x); });
        },
        [&] { return x * 3.f; })));
  });
}

TEST_F(FunctionGradients, OfCallsByNameAndOfPartitionedCalls) {
  auto twice = [](const Outputs &v) {
    return Outputs(ops::sin(v[0]) * v[0] * 2.f);
  };
  auto build = [&](const Output &x, const Output &k, bool byName, bool calls) {
    Output scaled = x * ops::cast(k, DType::Float32);
    if (!calls)
      return ops::reduceSum(Output(twice({scaled})));
    DefinedFunction f = byName ? defun("twice", {{DType::Float32}}, twice)
                               : function("twice", {{DType::Float32}}, twice);
    return ops::reduceSum(Output(f({scaled})));
  };
  auto programOf = [&](bool byName, bool calls) {
    return [&build, byName, calls](const Output &x, const Output &k) {
      return build(x, k, byName, calls);
    };
  };
  auto expected = gradientsBy(programOf(false, false), true);
  for (bool byName : {true, false}) {
    auto got = gradientsBy(programOf(byName, true), true);
    ASSERT_EQ(got.size(), expected.size());
    for (size_t i = 0; i < got.size(); ++i)
      EXPECT_THAT(got[i], ::testing::Pointwise(::testing::FloatNear(1e-4f),
                                               expected[i]));
  }
}

TEST_F(FunctionGradients, OfACallOfACallAndOfAnArgumentWithoutEffect) {
  GraphBuilder graph;
  GraphScope scope(graph);
  const std::vector<FunctionArgument> two{{DType::Float32}, {DType::Float32}};
  DefinedFunction inner = defun(
      "inner", two, [](const Outputs &v) { return Outputs(v[0] * v[0]); });
  DefinedFunction outer = defun(
      "outer", two, [&](const Outputs &v) { return inner({v[0], v[1]}); });
  Output x = ops::constant(3.f), y = ops::constant(4.f);
  std::vector<Gradient> slopes = gradients({outer({x, y})[0]}, {x, y});
  ASSERT_EQ(graph.status(), okStatus());
  ASSERT_FALSE(slopes[1].isNone()); // as TensorFlow: zeros, not nothing
  auto session = Session::create(graph.graph());
  ASSERT_EQ(session.status(), okStatus());
  auto result = (*session)->run(
      {}, {slopes[0].tensor().name(), slopes[1].tensor().name()});
  ASSERT_EQ(result.status(), okStatus());
  EXPECT_EQ((*result)[0].data<float>()[0], 6.f);
  EXPECT_EQ((*result)[1].data<float>()[0], 0.f);
}

TEST_F(FunctionGradients, OfACallInAGraphThatWasRead) {
  std::string text;
  {
    GraphBuilder graph;
    GraphScope scope(graph);
    DefinedFunction f =
        defun("f", {{DType::Float32, "x"}, {DType::Float32, "y"}},
              [](const Outputs &v) { return Outputs(v[0] * v[0] * v[1]); });
    Output x = ops::placeholder(DType::Float32, {2}, {.name = "x"});
    ops::reduceSum(Output(f({x, x + 1.f})), {.name = "y"});
    ASSERT_EQ(graph.status(), okStatus());
    text = *toGraphDef(*graph.graph());
  }
  auto read = loadGraphDef(text);
  ASSERT_EQ(read.status(), okStatus());
  GraphBuilder graph(*read);
  GraphScope scope(graph);
  Output slope = gradients({Output{(*read)->lookup("y"), 0}},
                           {Output{(*read)->lookup("x"), 0}})[0];
  ASSERT_EQ(graph.status(), okStatus());
  ASSERT_TRUE(slope.node);
  auto session = Session::create(*read, {.mode = ExecutionMode::NativeOnly});
  ASSERT_EQ(session.status(), okStatus());
  auto result = (*session)->run(
      {{"x:0", *Tensor::fromValues<float>({2}, {1.f, 2.f})}}, {slope.name()});
  ASSERT_EQ(result.status(), okStatus());
  // The derivative of x x (x + 1) is 3 x x + 2 x.
  EXPECT_THAT((*result)[0].data<float>(), ::testing::ElementsAre(5.f, 16.f));
}

TEST_F(FunctionGradients, OfSwitchCase) {
  auto results = gradientsBy(
      [](const Output &x, const Output &k) {
        return ops::reduceSum(Output(ops::switchCase(
            k, {[&] { return x * 2.f; }, [&] { return ops::square(x); },
                [&] { return x * x * x; }})));
      },
      true);
  ASSERT_EQ(results.size(), 16u);
  const std::vector<float> first{2, 2, 2}, second{1, -2.5f, 4},
      last{0.75f, 4.6875f, 12};
  for (size_t i : {0u, 8u}) {
    EXPECT_EQ(results[i], first);
    EXPECT_EQ(results[i + 2], second);
    EXPECT_EQ(results[i + 4], last);
    EXPECT_EQ(results[i + 6], last);
  }
}

TEST_F(FunctionGradients, OfALoopWhoseGraphASessionRunsAlready) {
  GraphBuilder graph;
  GraphScope scope(graph);
  enableControlFlowV2();
  Output x = ops::placeholder(DType::Float32, {3}, {.name = "x"});
  Output k = ops::placeholder(DType::Int32, {}, {.name = "k"});
  Output y = loop(k, x, [&](const Outputs &v) { return v[1] * x; });
  auto session = Session::create(graph.graph());
  ASSERT_EQ(session.status(), okStatus());
  std::vector<Feed> feeds{
      {"x:0", *Tensor::fromValues<float>({3}, {1.f, 2.f, 3.f})},
      {"k:0", *Tensor::fromValues<int32_t>({}, {2})}};
  auto runs = [&](const Output &output) {
    auto result = (*session)->run(feeds, {output.name()});
    EXPECT_EQ(result.status(), okStatus());
    std::vector<float> all;
    if (result.ok())
      for (float value : (*result)[0].data<float>())
        all.push_back(value);
    return all;
  };
  EXPECT_EQ(runs(y), (std::vector<float>{1, 8, 27}));
  Output first = gradients({y}, {x})[0];
  EXPECT_EQ(runs(first), (std::vector<float>{3, 12, 27}));
  EXPECT_EQ(runs(y), (std::vector<float>{1, 8, 27}));
  Output second = gradients({y * 2.f}, {x})[0];
  EXPECT_EQ(runs(second), (std::vector<float>{6, 24, 54}));
  ASSERT_EQ(graph.status(), okStatus());
}

class FunctionErrors : public ::testing::Test {
protected:
  FunctionErrors() { enableControlFlowV2(); }
  void expectError(const std::string &text) {
    Status status = graph.takeStatus();
    EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
    EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr(text));
  }
  GraphBuilder graph;
  GraphScope scope{graph};
  Output p = ops::placeholder(DType::Bool, {}, {.name = "p"});
  Output x = ops::placeholder(DType::Float32, {2}, {.name = "x"});
};

TEST_F(FunctionErrors, BranchesOfOtherTypes) {
  ops::cond(p, [&] { return x; }, [&] { return ops::constant(1); });
  expectError("true_fn and false_fn arguments to tf.cond must have the same "
              "number, type, and overall structure of return values.");
}

TEST_F(FunctionErrors, BranchesOfOtherNumbers) {
  ops::cond(p, [&] { return Outputs{x, x}; }, [&] { return Outputs{x}; });
  expectError("true_fn and false_fn arguments to tf.cond must have the same "
              "number, type, and overall structure of return values.");
}

TEST_F(FunctionErrors, ATensorOfTheOtherBranch) {
  Output inside;
  ops::cond(p, [&] { return inside = x * 2.f; }, [&] { return inside + 1.f; });
  expectError("Tensor mul:0 in true_fn is accessed from false_fn.");
}

TEST_F(FunctionErrors, ATensorOfABodyInside) {
  ops::cond(
      p,
      [&] {
        Output inside;
        ops::cond(p, [&] { return inside = x * 2.f; }, [&] { return x; });
        return inside + 1.f;
      },
      [&] { return x; });
  expectError("is out of scope and cannot be used here. Use return values, "
              "explicit Python locals or TensorFlow collections to access it.");
}

TEST_F(FunctionErrors, AnErrorInABranchIsTheGraphs) {
  ops::cond(
      p, [&] { return ops::add(x, ops::constant({1.f, 2.f, 3.f})); },
      [&] { return x; });
  expectError("with input shapes: [2], [3].");
}

TEST_F(FunctionErrors, ALoopThatChangesAShape) {
  ops::whileLoop(
      [](const Outputs &v) { return ops::reduceSum(v[0]) < 1.f; },
      [](const Outputs &v) { return Outputs(ops::concat({v[0], v[0]}, 0)); },
      {x});
  expectError("Input tensor `x:0` enters the loop with shape (2,), but has "
              "shape (4,) after one iteration.");
}

TEST_F(FunctionErrors, ALoopThatChangesAType) {
  ops::whileLoop(
      [](const Outputs &v) { return ops::reduceSum(v[0]) < 1.f; },
      [](const Outputs &v) { return Outputs(ops::cast(v[0], DType::Float64)); },
      {x});
  expectError("Loop var x:0 enters the loop with type <dtype: 'float32'> but "
              "has type <dtype: 'float64'> after 1 iteration.");
}

TEST_F(FunctionErrors, ALoopOfOtherNumbers) {
  ops::whileLoop([](const Outputs &v) { return ops::reduceSum(v[0]) < 1.f; },
                 [](const Outputs &v) { return Outputs{v[0], v[0]}; }, {x});
  expectError("The two structures don't have the same nested structure");
}

TEST_F(FunctionErrors, CasesOfAnIndexThatIsNoInteger) {
  ops::switchCase(x, {[&] { return x; }});
  expectError("'branch_index' must be an integer Tensor, got <dtype: "
              "'float32'>");
  ops::switchCase(ops::constant(0), {});
  expectError("Must provide at least one item in 'branch_fns'");
}

TEST_F(FunctionErrors, CallsOfOtherArguments) {
  DefinedFunction f = defun("f", {{DType::Float32, "x"}},
                            [](const Outputs &v) { return Outputs(v[0]); });
  f({x, x});
  expectError("Expected number of arguments: 1, received: 2");
}

TEST_F(FunctionErrors, AnotherFunctionOfAWholeName) {
  auto once = [](const Outputs &v) { return Outputs(v[0] * 2.f); };
  const DefunOptions whole{.isNameWhole = true};
  EXPECT_EQ(defun("f", {{DType::Float32, "x"}}, once, whole).name(), "f");
  EXPECT_EQ(defun("f", {{DType::Float32, "x"}}, once, whole).name(), "f");
  defun(
      "f", {{DType::Float32, "x"}},
      [](const Outputs &v) { return Outputs(v[0] * 3.f); }, whole);
  expectError("Cannot add function 'f' because a different function with the "
              "same name already exists.");
}

TEST_F(FunctionErrors, CopiesOfWhatKeepsState) {
  Output w = ops::constant(2.f) + 1.f;
  auto scaled = [&](const Outputs &v) { return Outputs(v[0] * w); };
  const DefunOptions copies{.copiesCaptures = true};
  EXPECT_EQ(defun("f", {{DType::Float32, "x"}}, scaled).captures(),
            std::vector<Output>{w});
  EXPECT_TRUE(
      defun("g", {{DType::Float32, "x"}}, scaled, copies).captures().empty());
  w = ops::randomUniform({2});
  defun("h", {{DType::Float32, "x"}}, scaled, copies);
  expectError("Cannot capture a stateful node");
}

} // namespace
} // namespace kiln
