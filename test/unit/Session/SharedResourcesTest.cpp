// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sessions that share a resource manager: what they see of each other, resets,
// and threads that do both.
#include "test/unit/QueueFixture.h"
#include "test/unit/Together.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

using ::testing::_;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using testing::fails;
using testing::failsAt;
using testing::isOk;
using testing::modeName;
using testing::tensorOf;
using testing::valuesOf;

constexpr DType i64 = DType::Int64;

/// `count` in the default container and `other` in container "c", each with an
/// op that adds one and both initialized by "init"; queues `named` and
/// `unnamed`; `draw`, a random number.
std::shared_ptr<Graph> stateGraph() {
  testing::QueueWriter writer;
  writer.constant("zero", Tensor::scalar<int64_t>(0));
  writer.constant("one", Tensor::scalar<int64_t>(1));
  for (std::string name : {"count", "other"}) {
    writer.add(name, "VariableV2", {},
               {{"dtype", i64},
                {"shape", Shape()},
                {"container", std::string(name == "other" ? "c" : "")}});
    writer.add(name + "/init", "Assign", {name, "zero"}, {{"T", i64}});
    writer.binary(name + "/increment", "AssignAdd", name, "one", i64);
  }
  writer.add("init", "NoOp", {"^count/init", "^other/init"});
  for (std::string name : {"named", "unnamed"}) {
    writer.queue(name, 100, {i64}, {Shape()}, name == "named" ? "jobs" : "");
    writer.enqueue(name + "/put", name, {"one"}, {i64});
    writer.dequeue(name + "/take", name, {i64});
    writer.size(name + "/size", name);
  }
  writer.constant("shape", tensorOf<int32_t>({1}, {2}));
  writer.add("draw", "RandomUniform", {"shape"},
             {{"T", DType::Int32},
              {"dtype", DType::Float32},
              {"seed", int64_t(3)},
              {"seed2", int64_t(4)}});
  return writer.graph;
}

class SharedResourcesTest : public ::testing::TestWithParam<ExecutionMode> {
protected:
  std::unique_ptr<Session> open() { return open(manager, graph); }
  std::unique_ptr<Session> open(std::shared_ptr<ResourceManager> resources,
                                std::shared_ptr<Graph> of) {
    SessionOptions options;
    options.mode = GetParam();
    options.resources = std::move(resources);
    auto made = Session::create(std::move(of), options);
    EXPECT_THAT(made, isOk());
    return *std::move(made);
  }
  template <class T>
  static std::vector<T> get(Session &session, const char *tensor) {
    auto got = session.run({}, {tensor});
    EXPECT_THAT(got, isOk());
    return got.ok() ? valuesOf<T>((*got)[0]) : std::vector<T>();
  }

  std::shared_ptr<ResourceManager> manager =
      std::make_shared<ResourceManager>();
  std::shared_ptr<Graph> graph = stateGraph();
};

TEST_P(SharedResourcesTest, ValuesAreSharedAndOutliveTheirSession) {
  auto first = open(), second = open(manager, stateGraph());
  ASSERT_THAT(first->run({}, {}, {"init"}), isOk());
  ASSERT_THAT(second->run({}, {}, {"count/increment"}), isOk());
  EXPECT_THAT(get<int64_t>(*first, "count:0"), ElementsAre(1));
  first.reset();
  EXPECT_THAT(get<int64_t>(*second, "count:0"), ElementsAre(1));
  second.reset();
  EXPECT_THAT(get<int64_t>(*open(), "count:0"), ElementsAre(1));
}

TEST_P(SharedResourcesTest, WithoutAManagerNothingIsShared) {
  auto first = open(nullptr, graph), second = open(nullptr, graph),
       third = open();
  ASSERT_THAT(first->run({}, {}, {"init", "named/put"}), isOk());
  for (Session *other : {second.get(), third.get()}) {
    EXPECT_THAT(other->run({}, {"count:0"}),
                fails(StatusCode::FailedPrecondition,
                      "Attempting to use uninitialized value count"));
    EXPECT_THAT(get<int32_t>(*other, "named/size:0"), ElementsAre(0));
  }
}

TEST_P(SharedResourcesTest, QueuesAreSharedByNameAlone) {
  auto first = open(), second = open();
  ASSERT_THAT(first->run({}, {}, {"named/put", "unnamed/put"}), isOk());
  EXPECT_THAT(get<int32_t>(*second, "named/size:0"), ElementsAre(1));
  EXPECT_THAT(get<int32_t>(*second, "unnamed/size:0"), ElementsAre(0));
  first.reset();
  EXPECT_THAT(get<int32_t>(*second, "named/size:0"), ElementsAre(1));
}

TEST_P(SharedResourcesTest, StreamsAreTheSessions) {
  auto first = open(), second = open();
  auto numbers = get<float>(*first, "draw:0");
  EXPECT_NE(get<float>(*first, "draw:0"), numbers);
  EXPECT_EQ(get<float>(*second, "draw:0"), numbers);
}

TEST_P(SharedResourcesTest, ResetClearsItsContainersAndEndsAllSessions) {
  auto first = open(), second = open();
  auto callable = second->makeCallable({}, {"count:0"});
  ASSERT_THAT(callable, isOk());
  ASSERT_THAT(first->run({}, {}, {"init", "named/put"}), isOk());
  Tensor result;
  ASSERT_THAT((*callable)({}, {&result, 1}), isOk());
  ASSERT_THAT(Session::reset(*manager, {"c", "no such container"}), isOk());
  auto ended = fails(StatusCode::Aborted,
                     "the session was ended by a reset of the resource "
                     "containers that it shared");
  EXPECT_THAT(first->run({}, {"count:0"}), ended);
  EXPECT_THAT((*callable)({}, {&result, 1}), ended);
  EXPECT_TRUE(second->isClosed());

  auto third = open();
  EXPECT_THAT(get<int64_t>(*third, "count:0"), ElementsAre(0));
  EXPECT_THAT(get<int32_t>(*third, "named/size:0"), ElementsAre(1));
  EXPECT_THAT(third->run({}, {"other:0"}),
              fails(StatusCode::FailedPrecondition,
                    "Attempting to use uninitialized value other"));
}

TEST_P(SharedResourcesTest, TheDefaultContainerHasTwoNamesAndIsResetByNone) {
  testing::GraphWriter writer;
  for (std::string container : {"", "localhost"}) {
    std::string name = "v" + container;
    writer.add(name, "VariableV2", {},
               {{"dtype", i64},
                {"shape", Shape()},
                {"container", container},
                {"shared_name", std::string("v")}});
  }
  writer.constant("one", Tensor::scalar<int64_t>(1));
  writer.add("assign", "Assign", {"v", "one"}, {{"T", i64}});
  for (std::vector<std::string> containers :
       {std::vector<std::string>(), {""}, {"localhost"}}) {
    auto session = open(manager, writer.graph);
    ASSERT_THAT(session->run({}, {}, {"assign"}), isOk());
    EXPECT_THAT(get<int64_t>(*session, "vlocalhost:0"), ElementsAre(1));
    ASSERT_THAT(Session::reset(*manager, containers), isOk());
    EXPECT_THAT(open(manager, writer.graph)->run({}, {"vlocalhost:0"}),
                fails(StatusCode::FailedPrecondition,
                      "Attempting to use uninitialized value v"));
  }
}

TEST_P(SharedResourcesTest, GraphsThatDisagreeAreRefused) {
  testing::GraphWriter writer;
  writer.variable("count", tensorOf<int64_t>({2}, {1, 2}));
  auto first = open(), second = open(manager, writer.graph);
  ASSERT_THAT(first->run({}, {}, {"init"}), isOk());
  EXPECT_THAT(second->run({}, {"count:0"}),
              AllOf(fails(StatusCode::InvalidArgument,
                          "expected variable int64 [], got int64 [2]"),
                    failsAt("count")));
}

TEST_P(SharedResourcesTest, ResetEndsRunsThatWait) {
  auto first = open(), second = open();
  testing::together(3, [&](int thread) {
    if (thread == 0) {
      ASSERT_THAT(Session::reset(*manager), isOk());
      return;
    }
    // Would wait forever; ABORTED where it comes too late.
    Session &session = thread == 1 ? *first : *second;
    EXPECT_THAT(
        session.run({}, {"named/take:0"}),
        AnyOf(fails(StatusCode::Cancelled, _), fails(StatusCode::Aborted, _)));
  });
}

TEST_P(SharedResourcesTest, NoUpdateOfManySessionsIsLost) {
  constexpr int numThreads = 4, runs = 200;
  ASSERT_THAT(open()->run({}, {}, {"init"}), isOk());
  testing::together(numThreads, [&](int) {
    auto session = open();
    for (int i = 0; i < runs; ++i)
      ASSERT_THAT(session->run({}, {}, {"count/increment"}), isOk());
  });
  EXPECT_THAT(get<int64_t>(*open(), "count:0"), ElementsAre(numThreads * runs));
}

TEST_P(SharedResourcesTest, ResetsBesideSessionsThatComeAndGo) {
  constexpr int numThreads = 4, rounds = 30;
  testing::together(numThreads, [&](int thread) {
    for (int i = 0; i < rounds; ++i) {
      if (thread == 0) {
        ASSERT_THAT(Session::reset(*manager), isOk());
        continue;
      }
      auto session = open();
      Status status =
          session->run({}, {}, {"init", "count/increment"}).status();
      if (status.ok()) {
        auto count = session->run({}, {"count:0"});
        status = count.status();
        if (count.ok()) {
          EXPECT_GE(valuesOf<int64_t>((*count)[0])[0], 0);
        }
      }
      // Never a value of before the reset: the session had ended.
      EXPECT_TRUE(status.ok() || status.code() == StatusCode::Aborted ||
                  status.code() == StatusCode::Cancelled)
          << status.toString();
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Modes, SharedResourcesTest,
                         ::testing::Values(ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         modeName);

} // namespace
} // namespace kiln
