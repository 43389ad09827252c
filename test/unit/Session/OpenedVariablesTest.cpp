// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables declared with a static shape to which something assigns another:
// what was compiled for the static one, callables, threads, the disk cache.
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"
#include "test/unit/TemporaryFolder.h"
#include "test/unit/Together.h"

#include <algorithm>
#include <atomic>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::isOk;
using testing::tensorOf;
using testing::valuesOf;

constexpr DType f32 = DType::Float32;

/// v: [2], 1 and 2 after `init`; `set` gives it what is fed to x, of any shape;
/// `doubled` is twice its value.
std::shared_ptr<Graph> assignedGraph() {
  testing::GraphWriter writer;
  writer.placeholder("x", f32, Shape::unknownRank());
  writer.add("v", "VarHandleOp", {},
             {{"dtype", f32}, {"shape", Shape{2}}, {"shared_name", "v"}});
  writer.constant("initial", tensorOf<float>({2}, {1, 2}));
  writer.add("init", "AssignVariableOp", {"v", "initial"}, {{"dtype", f32}});
  writer.add("set", "AssignVariableOp", {"v", "x"}, {{"dtype", f32}});
  writer.add("read", "ReadVariableOp", {"v"}, {{"dtype", f32}});
  writer.binary("doubled", "AddV2", "read", "read", f32);
  return writer.graph;
}

class OpenedVariables : public testing::SessionTest {
protected:
  std::unique_ptr<Session> openReady() {
    auto session = open(assignedGraph());
    EXPECT_THAT(session->run({}, {}, {"init"}), isOk());
    return session;
  }
  static Status set(Session &session, Tensor value) {
    return session.run({{"x:0", std::move(value)}}, {}, {"set"}).status();
  }
  /// The number `value`, so many times.
  static Tensor filled(int64_t count, float value) {
    return tensorOf<float>(
        {count}, std::vector<float>(static_cast<size_t>(count), value));
  }
};

INSTANTIATE_TEST_SUITE_P(Modes, OpenedVariables,
                         ::testing::Values(ExecutionMode::Auto,
                                           ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

TEST_P(OpenedVariables, ACallableOfTheStaticShapeGoesOnWithAnother) {
  auto session = openReady();
  auto doubled = session->makeCallable({}, {"doubled:0"}, {});
  auto put = session->makeCallable({"x:0"}, {}, {"set"});
  ASSERT_THAT(doubled, isOk());
  ASSERT_THAT(put, isOk());
  for (int64_t count : {2, 3, 0, 5, 2}) {
    std::vector<Tensor> feeds = {filled(count, 4)}, results(1);
    ASSERT_THAT((*put)(feeds, {}), isOk());
    ASSERT_THAT((*doubled)({}, results), isOk());
    EXPECT_EQ(results[0].shape(), Shape({count}));
    EXPECT_TRUE(std::ranges::all_of(results[0].data<float>(),
                                    [](float each) { return each == 8; }));
  }
}

TEST_P(OpenedVariables, AnAssignmentOfTheStaticShapeCompilesNothingAnew) {
  auto session = openReady();
  for (int run = 0; run < 3; ++run) {
    ASSERT_THAT(set(*session, filled(2, 7)), isOk());
    RunStats stats;
    auto got = session->run({}, {"doubled:0"}, {}, {}, &stats);
    ASSERT_THAT(got, isOk());
    EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(14, 14));
    if (run == 2)
      EXPECT_TRUE(stats.cacheHit);
  }
  // Native code that is made in the background meanwhile would be for the
  // shape that the variable then has, which may be the next one.
  if (GetParam() != ExecutionMode::EvaluatorOnly)
    ASSERT_THAT(session->prepare({}, {"doubled:0"}), isOk());
  ASSERT_THAT(set(*session, filled(3, 7)), isOk());
  RunStats stats;
  EXPECT_THAT(session->run({}, {"doubled:0"}, {}, {}, &stats), isOk());
  EXPECT_FALSE(stats.cacheHit);
}

TEST_P(OpenedVariables, AnotherSessionKeepsTheStaticShape) {
  auto session = openReady(), other = openReady();
  ASSERT_THAT(set(*session, filled(3, 7)), isOk());
  auto got = other->run({}, {"doubled:0"});
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(2, 4));
}

/// Begins with programs of the static shape in use.
TEST_P(OpenedVariables, EveryReaderSeesOneValueWholeWhileTheShapeChanges) {
  auto session = openReady();
  ASSERT_THAT(set(*session, filled(2, 2)), isOk());
  std::atomic<int> failed = 0, torn = 0;
  testing::together(4, [&](int thread) {
    for (int i = 0; i < 60; ++i) {
      if (thread == 0 && i >= 5) {
        const int64_t count = 1 + i % 7;
        failed += !set(*session, filled(count, static_cast<float>(count))).ok();
        continue;
      }
      auto got = session->run({}, {"doubled:0"});
      if (!got.ok()) {
        ++failed;
        continue;
      }
      const auto wanted = static_cast<float>(2 * (*got)[0].numElements());
      torn += !std::ranges::all_of((*got)[0].data<float>(),
                                   [&](float each) { return each == wanted; });
    }
  });
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(torn, 0);
}

/// The second session's code is the first one's, as far as that was stored.
TEST(OpenedVariablesOnDisk, StoredCodeIsForTheStaticShape) {
  testing::TemporaryFolder folder;
  SessionOptions options;
  options.mode = ExecutionMode::NativeOnly;
  options.diskCache.folder = folder.name();
  for (int round = 0; round < 2; ++round) {
    auto session = Session::create(assignedGraph(), options);
    ASSERT_THAT(session, isOk());
    ASSERT_THAT((*session)->run({}, {}, {"init"}), isOk());
    for (int64_t count : {2, 3, 2}) {
      Tensor value = tensorOf<float>(
          {count}, std::vector<float>(static_cast<size_t>(count), 3));
      ASSERT_THAT((*session)->run({{"x:0", value}}, {}, {"set"}), isOk());
      auto got = (*session)->run({}, {"doubled:0"});
      ASSERT_THAT(got, isOk());
      EXPECT_EQ((*got)[0].shape(), Shape({count}));
      EXPECT_EQ((*got)[0].data<float>()[0], 6);
    }
  }
}

} // namespace
} // namespace kiln
