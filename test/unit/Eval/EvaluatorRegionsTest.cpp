// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches and loops in the evaluator: values across iterations, effects,
// memory and cancellation.
#include "test/unit/Eval/EvaluatorFixture.h"

#include "runtime/abi/RunState.h"

#include "gmock/gmock.h"

#include <thread>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using EvaluatorRegions = Evaluator;

Tensor scalar(int32_t value) { return Tensor::scalar(value); }

/// func @f(%n, %x) -> x after n iterations of `iteration`, which makes %y of
/// %b.
std::string loop(const std::string &type, const std::string &iteration,
                 const std::string &module = "") {
  return module + "func.func @f(%n: tensor<i32>, %x: " + type + ") -> " + type +
         R"( { %zero = kiln.constant dense<0> : tensor<i32> : tensor<i32>
    %one = kiln.constant dense<1> : tensor<i32> : tensor<i32>
    %r:2 = kiln.while (%i: tensor<i32> = %zero, %a: )" +
         type + " = %x) -> (tensor<i32>, " + type +
         R"() { %c = kiln.compare lt %i, %n : tensor<i32> -> tensor<i1>
      kiln.condition %c, %i, %a : tensor<i32>, )" +
         type + " } do (%j: tensor<i32>, %b: " + type + ") { " + iteration +
         R"( %k = kiln.add %j, %one : tensor<i32>
      kiln.yield %k, %y : tensor<i32>, )" +
         type + " } return %r#1 : " + type + " }";
}

TEST_F(EvaluatorRegions, ALoopIteratesAsOftenAsItsConditionHolds) {
  std::string text =
      loop("tensor<2xf32>", "%y = kiln.add %b, %b : tensor<2xf32>");
  for (int iterations : {0, 1, 5}) {
    auto results = run(text, {scalar(iterations), vector<float>({1, 3})});
    ASSERT_TRUE(results.ok()) << results.status().toString();
    float factor = static_cast<float>(1 << iterations);
    EXPECT_THAT(elements<float>((*results)[0]),
                ElementsAre(factor, 3 * factor));
  }
}

// Each iteration's values go before the next one's come: three vectors are
// enough, one of them %x, which lives behind the loop.
TEST_F(EvaluatorRegions, IterationsUseTheirMemoryAgain) {
  environment.maxBytes = 3 * 4000 + 100;
  auto results =
      run(loop("tensor<1000xf32>", "%s = kiln.neg %b : tensor<1000xf32> "
                                   "%t = kiln.abs %s : tensor<1000xf32> "
                                   "%y = kiln.add %t, %x : tensor<1000xf32>"),
          {scalar(50), vector(std::vector<float>(1000, 1.0f))});
  ASSERT_TRUE(results.ok()) << results.status().toString();
  EXPECT_EQ((*results)[0].data<float>()[999], 51.0f);
}

TEST_F(EvaluatorRegions, TheBranchNotTakenDoesNothing) {
  const char *text = R"(module { kiln.variable @v index 0 : tensor<i32>
    func.func @f(%a: tensor<i32>, %zero: tensor<i32>) -> tensor<i32> {
      %c = kiln.compare ne %zero, %zero : tensor<i32> -> tensor<i1>
      %r = kiln.if %c -> (tensor<i32>) {
        %q = kiln.div %a, %zero : tensor<i32>
        kiln.var_write @v, %q : tensor<i32>
        kiln.yield %q : tensor<i32>
      } else { kiln.yield %a : tensor<i32> }
      return %r : tensor<i32> } })";
  variables.values[0] = scalar(5);
  auto results = run(text, {scalar(7), scalar(0)});
  ASSERT_TRUE(results.ok()) << results.status().toString();
  EXPECT_THAT(elements<int32_t>((*results)[0]), ElementsAre(7));
  EXPECT_THAT(elements<int32_t>(variables.values[0]), ElementsAre(5));
}

// A value read before the loop is what it was, one read in an iteration sees
// the iterations before.
TEST_F(EvaluatorRegions, ReadsInALoopSeeTheWritesOfEarlierIterations) {
  const char *text = R"(
      %now = kiln.var_read @v : tensor<2xf32>
      %next = kiln.add %now, %now : tensor<2xf32>
      kiln.var_write @v, %next : tensor<2xf32>
      %y = kiln.add %b, %now : tensor<2xf32>)";
  variables.values[0] = vector<float>({1, 10});
  auto results = run(
      loop("tensor<2xf32>", text, "kiln.variable @v index 0 : tensor<2xf32>\n"),
      {scalar(3), vector<float>({0, 0})});
  ASSERT_TRUE(results.ok()) << results.status().toString();
  EXPECT_THAT(elements<float>((*results)[0]), ElementsAre(7, 70));
  EXPECT_THAT(elements<float>(variables.values[0]), ElementsAre(8, 80));
}

TEST_F(EvaluatorRegions,
       AnErrorInAnIterationNamesItsNodeAndKeepsEarlierWrites) {
  const char *text = R"(
      kiln.var_write @v, %j : tensor<i32>
      %two = kiln.constant dense<2> : tensor<i32> : tensor<i32>
      %left = kiln.sub %two, %j : tensor<i32>
      %y = kiln.div %b, %left : tensor<i32> loc("ratio")
  )";
  variables.values[0] = scalar(5);
  auto results =
      run(loop("tensor<i32>", text, "kiln.variable @v index 0 : tensor<i32>\n"),
          {scalar(9), scalar(8)});
  EXPECT_THAT(results.status().toString(),
              HasSubstr("Integer division by zero [[{{node ratio}}]]"));
  EXPECT_THAT(elements<int32_t>(variables.values[0]), ElementsAre(2));
}

TEST_F(EvaluatorRegions, AnEndlessLoopOfNothingIsCancelled) {
  KilnRunState state = makeRunState(nullptr);
  environment.state = &state;
  std::jthread other([&] { requestCancel(&state, StatusCode::Cancelled); });
  auto results = run(R"(func.func @f(%c: tensor<i1>) {
      kiln.while () { kiln.condition %c } do () { kiln.yield }
      return })",
                     {Tensor::scalar(true)});
  EXPECT_EQ(results.status().code(), StatusCode::Cancelled);
}

} // namespace
} // namespace kiln
