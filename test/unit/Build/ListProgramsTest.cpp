// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of control flow version 2 whose TensorArrays are lists: graphs,
// functions and values are those of TensorFlow's Python, recorded by
// test/golden_kiln/make_list_program_cases.py.
#include "kiln/BuildOps.h"
#include "kiln/Gradients.h"
#include "kiln/Optimizers.h"
#include "kiln/Rnn.h"
#include "test/unit/Build/CompareFunctions.h"
#include "test/unit/ProgramFixture.h"

namespace kiln {
namespace {

class ListPrograms : public ProgramFixture {
protected:
  ListPrograms() {
    useResourceVariables();
    enableControlFlowV2();
    comparison.ignores = isOfGradients;
  }

  static Output recurrent(bool hasLengths) {
    setRandomSeed(3);
    Output x = ops::placeholder(DType::Float32, {-1, -1, 2}, {.name = "x"});
    Output lengths = ops::placeholder(DType::Int32, {-1}, {.name = "lengths"});
    BasicLstmCell cell(3);
    RnnOptions options;
    if (hasLengths)
      options.sequenceLength = lengths;
    return dynamicRnn(cell, x, options).outputs;
  }

  void expectProgram(const std::string &program) {
    ASSERT_EQ(graph.status(), okStatus());
    auto written = toGraphDef(*graph.graph());
    ASSERT_EQ(written.status(), okStatus());
    auto read = loadGraphDef(*written);
    ASSERT_EQ(read.status(), okStatus());
    std::shared_ptr<Graph> golden = load(program);
    EXPECT_THAT(FunctionsCompared(**read, *golden, comparison).differences(),
                ::testing::IsEmpty());
    expectValues(program);
  }

  void expectValues(const std::string &program) {
    ASSERT_EQ(graph.status(), okStatus());
    auto recorded = golden::readCase(folder(program));
    ASSERT_EQ(recorded.status(), okStatus());
    golden::CaseResult result = golden::runCase(*recorded, {}, graph.graph());
    EXPECT_EQ(result.failure, "");
    EXPECT_FALSE(result.steps.empty());
    for (const golden::StepResult &step : result.steps)
      EXPECT_EQ(step.failure, "");
  }
};

TEST_F(ListPrograms, RecurrentNetwork) {
  recurrent(false);
  globalVariablesInitializer();
  expectProgram("lists_recurrent");
}

TEST_F(ListPrograms, StepsOfARecurrentNetwork) {
  Output outputs = recurrent(true);
  Output loss = ops::reduceSum(ops::square(outputs), {.name = "loss"});
  GradientDescentOptimizer(0.3).minimize(loss);
  globalVariablesInitializer();
  expectValues("lists_recurrent_steps");
}

TEST_F(ListPrograms, AllFunctionsOfArrays) {
  Output x = ops::placeholder(DType::Float32, {-1, 2}, {.name = "x"});
  Output n = ops::placeholder(DType::Int32, {}, {.name = "n"});
  TensorArray rows =
      TensorArray(DType::Float32, n, {.elementShape = {2}}).unstack(x);
  TensorArray out(DType::Float32, 1,
                  {.dynamicSize = true, .inferShape = false, .name = "out"});
  Outputs done = ops::whileLoop(
      [&](const Outputs &v) { return v[0] < n; },
      [&](const Outputs &v) {
        Output next = v[0] + 1;
        Output square = ops::square(rows.read(v[0]));
        return Outputs{next, out.withFlow(v[1]).write(v[0], square).flow()};
      },
      {0, out.flow()});
  out = out.withFlow(done[1]);
  TensorArray numbers = TensorArray(DType::Int32, 3, {.elementShape = Shape{}})
                            .scatter({2, 0}, {5, 7});
  TensorArray parts =
      TensorArray(DType::Float32, 2, {.inferShape = false}).split(x, {1, 2});
  std::vector<Output> shown{out.stack({.name = "all"}), out.size(),
                            rows.gather({1, 0}), rows.size(), numbers.read(2)};
  shown.push_back(numbers.write(1, 3).stack());
  shown.push_back(parts.concat());
  shown.push_back(parts.read(1));
  shown.push_back(gradients({ops::reduceSum(out.stack())}, {x})[0].toTensor());
  for (const Output &each : shown)
    ops::identity(each, {.name = "shown"});
  expectProgram("lists_arrays");
}

TEST_F(ListPrograms, FunctionsOfRows) {
  Output x = ops::placeholder(DType::Float32, {-1, 2}, {.name = "x"});
  Variable w = getVariable(
      "w", {.shape = {2}, .initializer = constantInitializer({0.5, -1.5})});
  Output a = ops::mapFn(
      [&](const Outputs &row) { return ops::reduceSum(row[0] * w); }, {x});
  Output b =
      ops::scan([](const Outputs &value,
                   const Outputs &row) { return value[0] * 0.5 + row[0]; },
                {x});
  Output first = ops::reduceSum(ops::square(a));
  Output loss = first + ops::reduceSum(ops::square(b));
  GradientDescentOptimizer(0.1).minimize(loss);
  globalVariablesInitializer();
  expectProgram("lists_mapped");
}

} // namespace
} // namespace kiln
