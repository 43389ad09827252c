// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What becomes of a request when a compilation ends in an error of Kiln's own.
#include "lib/Compile/ProgramCompiler.h"

#include "lib/Exec/Program.h"
#include "lib/Exec/SessionServices.h"
#include "test/unit/Requests.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <algorithm>

namespace kiln {
namespace {

using testing::fails;
using ::testing::HasSubstr;
using testing::isOk;

/// Ends a compilation before one step, so often.
class FailingControl : public CompileControl {
public:
  FailingControl(std::string_view step, int failures, Status failure)
      : step(step), failures(failures), failure(std::move(failure)) {}
  Status check(std::string_view next) const override {
    return next == step && failures-- > 0 ? failure : okStatus();
  }

private:
  const std::string_view step;
  mutable int failures;
  const Status failure;
};

class CompileFallback : public ::testing::Test {
protected:
  CompileFallback() {
    writer.placeholder("x", DType::Float32, {4});
    writer.add("y", "Neg", {"x"}, {{"T", DType::Float32}});
  }
  StatusOr<ProgramPtr> compiled(const CompileControl &control,
                                ExecutionMode mode = ExecutionMode::Auto) {
    SessionOptions options;
    options.mode = mode;
    services = std::make_unique<SessionServices>(
        options, std::make_shared<ResourceTable>());
    auto request = testing::resolveNames(*writer.graph, {"x:0"}, {"y:0"});
    if (!request.ok())
      return request.status();
    return compileProgram(
        *writer.graph, *request, std::vector<FeedView>{FeedView(x)},
        {.isNeeded = true}, false, {*services, nullptr}, control);
  }
  /// What became of the ops.
  static RunStats countsOf(const Program &program) {
    RunStats stats;
    setOpCounters(stats, program.function.ops);
    return stats;
  }

  const Tensor x = testing::tensorOf<float>({4}, {1, 2, 3, 4});
  testing::GraphWriter writer;
  std::unique_ptr<SessionServices> services;
};

TEST_F(CompileFallback, AnInternalErrorIsFollowedByCodeWithoutFusion) {
  for (std::string_view step : {"fuse", "optimization", "code generation"}) {
    auto program = compiled(FailingControl(step, 1, internalError("a defect")));
    ASSERT_THAT(program, isOk());
    EXPECT_EQ((*program)->stats.degraded, "without fusion: INTERNAL: a defect");
    EXPECT_EQ(countsOf(**program).opsNative, 1) << step;
  }
}

TEST_F(CompileFallback, TheSecondOneByTheEvaluator) {
  auto program =
      compiled(FailingControl("code generation", 2, internalError("a defect")));
  ASSERT_THAT(program, isOk());
  EXPECT_EQ((*program)->stats.degraded, "evaluated: INTERNAL: a defect");
  EXPECT_EQ(countsOf(**program).opsEvaluator, 1);
}

TEST_F(CompileFallback, OneThatNothingAvoidsIsReported) {
  EXPECT_THAT(compiled(FailingControl("simplify", 9, internalError("first"))),
              fails(StatusCode::Internal, HasSubstr("first")));
}

TEST_F(CompileFallback, OtherErrorsAndNativeSessionsHaveNoFallback) {
  EXPECT_THAT(
      compiled(FailingControl("code generation", 1, cancelledError("stopped"))),
      fails(StatusCode::Cancelled, HasSubstr("stopped")));
  EXPECT_THAT(
      compiled(FailingControl("code generation", 1, internalError("a defect")),
               ExecutionMode::NativeOnly),
      fails(StatusCode::Internal, HasSubstr("a defect")));
}

} // namespace
} // namespace kiln
