// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Abort: ends the run, never the process, and only where it is reached.
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

namespace kiln {
namespace {

using namespace kiln::testing;
using ::testing::HasSubstr;

class AbortRun : public SessionTest {
protected:
  GraphWriter writer;
};

INSTANTIATE_TEST_SUITE_P(Modes, AbortRun,
                         ::testing::Values(ExecutionMode::Auto,
                                           ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         modeName);

TEST_P(AbortRun, EndsTheRunWithItsMessage) {
  writer.add("fails", "Abort", {}, {{"error_msg", std::string("no power")}});
  writer.add(
      "exits", "Abort", {},
      {{"error_msg", std::string("all done")}, {"exit_without_error", true}});
  writer.add("plain", "Abort", {}, {});
  auto session = open(writer.graph);
  EXPECT_THAT(session->run({}, {}, {"fails"}).status(),
              AllOf(fails(StatusCode::Aborted,
                          HasSubstr("Abort_op intentional failure; no power")),
                    failsAt("fails")));
  EXPECT_THAT(session->run({}, {}, {"exits"}).status(),
              AllOf(fails(StatusCode::Aborted,
                          HasSubstr("Exiting the process: all done")),
                    failsAt("exits")));
  EXPECT_THAT(
      session->run({}, {}, {"plain"}).status(),
      fails(StatusCode::Aborted, HasSubstr("Abort_op intentional failure; ")));
}

TEST_P(AbortRun, DoesNothingInABranchThatIsNotTaken) {
  writer.placeholder("broken", DType::Bool, {});
  writer.constant("one", Tensor::scalar(1.0f));
  writer.add("switch", "Switch", {"one", "broken"}, {{"T", DType::Float32}});
  writer.add("taken", "Identity", {"switch:1"}, {{"T", DType::Float32}});
  writer.add("abort", "Abort", {"^taken"}, {});
  auto session = open(writer.graph);
  EXPECT_THAT(session->run({{"broken:0", Tensor::scalar(false)}}, {}, {"abort"})
                  .status(),
              isOk());
  EXPECT_THAT(session->run({{"broken:0", Tensor::scalar(true)}}, {}, {"abort"})
                  .status(),
              fails(StatusCode::Aborted, HasSubstr("intentional failure")));
}

TEST_P(AbortRun, StaysOutOfRunsThatDoNotReachIt) {
  writer.constant("one", Tensor::scalar(1.0f));
  writer.add("abort", "Abort", {"^one"}, {});
  EXPECT_THAT(open(writer.graph)->run({}, {"one:0"}), isOk());
}

} // namespace
} // namespace kiln
