// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many threads on few sessions: snapshots, lost updates, new signatures,
// growing graphs, closing and destroying, in seconds instead of hours.
#include "test/unit/QueueFixture.h"
#include "test/unit/Together.h"

#include <atomic>
#include <barrier>
#include <mutex>
#include <random>
#include <thread>

namespace kiln {
namespace {

using testing::isOk;
using testing::together;
using testing::valuesOf;

constexpr DType f32 = DType::Float32, i64 = DType::Int64;

/// u, v: 1000 floats each, set to p by `set` in one run; lowest and highest of
/// each. n: counted up by `count`. q: a queue of numbers.
std::shared_ptr<Graph> stateGraph() {
  testing::QueueWriter writer;
  constexpr int64_t size = 1000;
  writer.placeholder("p", f32, {});
  writer.constant("dims", testing::tensorOf<int32_t>({1}, {size}));
  writer.constant("axis", testing::tensorOf<int32_t>({1}, {0}));
  writer.add("filled", "Fill", {"dims", "p"},
             {{"T", f32}, {"index_type", DType::Int32}});
  for (std::string v : {"u", "v"}) {
    writer.variable(v, *Tensor::zeros(f32, {size}));
    writer.add("set" + v, "Assign", {v, "filled"}, {{"T", f32}});
    for (std::string op : {"Min", "Max"})
      writer.add(op + v, op, {v + "/read", "axis"},
                 {{"T", f32}, {"Tidx", DType::Int32}, {"keep_dims", false}});
  }
  writer.add("set", "NoOp", {"^setu", "^setv"});
  writer.variable("n", Tensor::scalar<int64_t>(0));
  writer.constant("one", Tensor::scalar<int64_t>(1));
  writer.binary("count", "AssignAdd", "n", "one", i64);
  writer.queue("q", 2, {i64}, {Shape()});
  writer.enqueue("put", "q", {"one"}, {i64});
  writer.dequeue("take", "q", {i64});
  writer.add("countTaken", "AssignAdd", {"n", "take"}, {{"T", i64}});
  writer.add("init", "NoOp", {"^u/Assign", "^v/Assign", "^n/Assign"});
  return writer.graph;
}

class Concurrency : public testing::SessionTest {
protected:
  std::unique_ptr<kiln::Session> openReady(std::shared_ptr<Graph> graph) {
    auto session = open(std::move(graph));
    EXPECT_THAT(session->run({}, {}, {"init"}), isOk());
    return session;
  }
  /// True when the run saw one value in both variables.
  static bool seesOneValue(kiln::Session &session) {
    auto got = session.run({}, {"Minu:0", "Maxu:0", "Minv:0", "Maxv:0", "u:0"});
    if (!got.ok())
      return false;
    float value = (*got)[0].data<float>()[0];
    bool same = true;
    for (const Tensor &tensor : *got)
      for (float element : tensor.data<float>())
        same &= element == value;
    return same;
  }
  static Feed p(int value) {
    return {"p:0", Tensor::scalar(static_cast<float>(value))};
  }
};

INSTANTIATE_TEST_SUITE_P(Modes, Concurrency,
                         ::testing::Values(ExecutionMode::Auto,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

TEST_P(Concurrency, EveryRunSeesOneSnapshotAndNoUpdateIsLost) {
  constexpr int threads = 64, runs = 40;
  auto session = openReady(stateGraph());
  std::atomic<int> failed = 0, torn = 0;
  together(threads, [&](int t) {
    for (int i = 0; i < runs; ++i) {
      failed += !session->run({p(t * runs + i)}, {}, {"set", "count"}).ok();
      torn += !seesOneValue(*session);
    }
  });
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(torn, 0);
  auto count = session->run({}, {"n:0"});
  EXPECT_THAT(valuesOf<int64_t>((*count)[0]),
              ::testing::ElementsAre(threads * runs));
}

/// What a run read lies between what was there before it and after it.
TEST_P(Concurrency, CountsGrowForEveryReader) {
  auto session = openReady(stateGraph());
  std::atomic<int> failed = 0;
  together(16, [&](int t) {
    int64_t last = 0;
    for (int i = 0; i < 50; ++i) {
      auto got = session->run({}, {"n:0"},
                              t % 2 == 0 ? std::vector<OperationId>()
                                         : std::vector<OperationId>{"count"});
      int64_t now = got.ok() ? (*got)[0].data<int64_t>()[0] : -1;
      failed += now < last + t % 2;
      last = now;
    }
  });
  EXPECT_EQ(failed, 0);
}

TEST_P(Concurrency, MixedSignaturesOnSeveralSessionsWhileOthersCompile) {
  constexpr int numSessions = 4, threads = 64, runs = 12;
  auto graph = stateGraph();
  std::vector<std::unique_ptr<kiln::Session>> sessions;
  for (int i = 0; i < numSessions; ++i)
    sessions.push_back(openReady(graph));
  unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::atomic<int> failed = 0;
  std::atomic<int64_t> counted = 0;
  together(threads, [&](int t) {
    std::mt19937 random(seed + static_cast<unsigned>(t));
    for (int i = 0; i < runs; ++i) {
      kiln::Session &session = *sessions[random() % numSessions];
      switch (random() % 5) {
      case 0:
        failed += !session.run({p(t)}, {}, {"set"}).ok();
        break;
      case 1:
        failed += !seesOneValue(session);
        break;
      case 2:
        failed += !session.run({}, {"n:0"}, {"count"}).ok();
        ++counted;
        break;
      case 3: // through the queue, which has room or an element in turn
        failed += !session.run({}, {}, {"put", "countTaken"}).ok();
        ++counted;
        break;
      default: { // a set of fetches that may be new
        const char *names[] = {"Minu:0", "Maxv:0", "u/read:0"};
        failed +=
            !session.run({}, {names[random() % 3], names[random() % 3]}).ok();
      }
      }
    }
  });
  EXPECT_EQ(failed, 0);
  int64_t total = 0;
  for (auto &session : sessions)
    total += (*session->run({}, {"n:0"}))[0].data<int64_t>()[0];
  EXPECT_EQ(total, counted);
}

TEST_P(Concurrency, GraphGrowsWhileOthersRun) {
  auto graph = stateGraph();
  auto session = openReady(graph);
  std::mutex adding; // one thread at a time may add
  std::atomic<int> failed = 0;
  together(8, [&](int t) {
    for (int i = 0; i < 15; ++i) {
      if (t >= 2) {
        failed += !session->run({p(i)}, {"n:0"}, {"set"}).ok();
        continue;
      }
      std::string name = "more" + std::to_string(t) + "_" + std::to_string(i);
      {
        std::lock_guard lock(adding);
        failed += !graph
                       ->addNode({.name = name,
                                  .op = "AddV2",
                                  .inputs = {"Minu", "Maxu"},
                                  .attrs = {{"T", f32}}})
                       .ok();
      }
      failed += !session->run({}, {name + ":0"}).ok();
    }
  });
  EXPECT_EQ(failed, 0);
}

TEST_P(Concurrency, DestroyingTheSessionEndsCallsThatWait) {
  for (int round = 0; round < 10; ++round) {
    auto session = openReady(stateGraph());
    auto take = session->makeCallable({}, {"take:0"});
    auto count = session->makeCallable({}, {}, {"count"});
    ASSERT_THAT(take, isOk());
    ASSERT_THAT(count, isOk());
    std::atomic<int> strange = 0;
    together(17, [&](int t) {
      if (t == 16) {
        session.reset();
        return;
      }
      Tensor results[1];
      for (Status status; status.ok();) {
        status = t % 2 == 0 ? (*take)({}, results) : (*count)({}, {});
        strange += !status.ok() && status.code() != StatusCode::Cancelled &&
                   status.code() != StatusCode::FailedPrecondition;
      }
    });
    EXPECT_EQ(strange, 0);
  }
}

} // namespace
} // namespace kiln
