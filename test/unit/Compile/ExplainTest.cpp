// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explaining is compiling: with the session's limits and the run's sizes, and
// without anything that stays.
#include "passes/Passes.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

namespace kiln {
namespace {

using testing::countingMatrix;
using testing::fails;
using ::testing::HasSubstr;
using testing::isOk;
using testing::scaleGraph;

StatusOr<std::string> explain(const SessionOptions &options,
                              const std::string &stage,
                              Session **opened = nullptr) {
  static std::unique_ptr<Session> session;
  session = *Session::create(scaleGraph(), options);
  if (opened)
    *opened = session.get();
  return session->explain({{"x:0", Shape({4, 3})}}, {"rows:0"}, {},
                          {.stopAfter = stage});
}

TEST(Explain, HasTheSessionsLimits) {
  SessionOptions options;
  options.limits.maxOps = 1;
  EXPECT_THAT(explain(options, "decompose"),
              fails(StatusCode::ResourceExhausted,
                    HasSubstr("at most 1 operations after import")));
  options = {};
  options.limits.maxNodes = 1;
  EXPECT_THAT(explain(options, "import"), fails(StatusCode::ResourceExhausted,
                                                HasSubstr("at most 1 nodes")));
  options = {};
  options.limits.maxCodeBytes = 1;
  EXPECT_THAT(explain(options, "fuse"), isOk()); // there is no code yet
}

TEST(Explain, TellsPassesTheSizesOfTheRun) {
  const std::string name = passes::sizesName.str();
  auto fused = explain({}, "fuse"), decomposed = explain({}, "decompose");
  ASSERT_THAT(fused, isOk());
  ASSERT_THAT(decomposed, isOk());
  EXPECT_THAT(*fused, HasSubstr(name));
  EXPECT_THAT(*decomposed, ::testing::Not(HasSubstr(name)));
}

TEST(Explain, LeavesTheSessionAsItWas) {
  Session *session = nullptr;
  EXPECT_THAT(explain({}, "assembly", &session), isOk());
  EXPECT_EQ(session->stats().variableBytes, 0);
  EXPECT_EQ(session->stats().compilations, 0);
  EXPECT_EQ(session->stats().cacheEntries, 0);
}

} // namespace
} // namespace kiln
