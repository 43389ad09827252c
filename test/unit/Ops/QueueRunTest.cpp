// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs with queues, from one thread: values, batches, errors with TensorFlow's
// texts (checked against 2.21), time limits; natively and in the evaluator.
#include "test/unit/QueueFixture.h"

namespace kiln {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::fails;
using testing::failsAt;
using ::testing::HasSubstr;
using testing::isOk;
using testing::tensorOf;
using testing::valuesOf;

constexpr DType f32 = DType::Float32, i32 = DType::Int32;
constexpr RunOptions shortly{.timeout = std::chrono::milliseconds(50)};

/// q holds 3 pairs: a float32 [2] and an int32 scalar. any holds 2 tensors of
/// any shape. w is a variable.
std::shared_ptr<Graph> queueGraph() {
  testing::QueueWriter writer;
  writer.placeholder("x", f32, Shape::unknownRank());
  writer.placeholder("k", i32, Shape::unknownRank());
  writer.placeholder("n", i32, {});
  writer.variable("w", tensorOf<float>({2}, {10, 20}));
  writer.queue("q", 3, {f32, i32}, {Shape({2}), Shape()});
  writer.queue("any", 2, {f32}, {});
  writer.enqueue("put", "q", {"x", "k"}, {f32, i32});
  writer.enqueueMany("putMany", "q", {"x", "k"}, {f32, i32});
  writer.dequeue("take", "q", {f32, i32});
  writer.dequeueMany("takeMany", "q", "n", {f32, i32});
  writer.dequeueUpTo("takeUpTo", "q", "n", {f32, i32});
  writer.size("size", "q");
  writer.isClosed("isClosed", "q");
  writer.close("close", "q");
  writer.close("cancel", "q", true);
  writer.enqueue("putAny", "any", {"x"}, {f32});
  writer.enqueueMany("putManyAny", "any", {"x"}, {f32});
  writer.dequeue("takeAny", "any", {f32});
  writer.dequeueMany("takeManyAny", "any", "n", {f32});
  writer.binary("scaled", "Mul", "take", "w/read", f32);
  writer.binary("bump", "AssignAdd", "w", "take", f32);
  writer.binary("double", "AddV2", "takeAny", "takeAny", f32);
  return writer.graph;
}

class QueueRun : public testing::SessionTest {
protected:
  QueueRun() : session(open(queueGraph())) {
    EXPECT_THAT(session->run({}, {}, {"w/Assign"}), isOk());
  }
  std::vector<Feed> pair(float a, float b, int32_t k) const {
    return {{"x:0", tensorOf<float>({2}, {a, b})}, {"k:0", Tensor::scalar(k)}};
  }
  std::vector<Feed> pairs(int64_t count) const {
    std::vector<float> x;
    std::vector<int32_t> k;
    for (int64_t i = 0; i < count; ++i) {
      x.insert(x.end(), {float(i), float(-i)});
      k.push_back(int32_t(i));
    }
    return {{"x:0", tensorOf<float>({count, 2}, x)},
            {"k:0", tensorOf<int32_t>({count}, k)}};
  }
  Feed number(int32_t n) const { return {"n:0", Tensor::scalar(n)}; }
  Status put(float a, float b, int32_t k) {
    return session->run(pair(a, b, k), {}, {"put"}).status();
  }
  int32_t size() {
    auto got = session->run({}, {"size:0"});
    EXPECT_THAT(got, isOk());
    return got.ok() ? (*got)[0].data<int32_t>()[0] : -1;
  }
  StatusOr<std::vector<Tensor>> take() {
    return session->run({}, {"take:0", "take:1"});
  }

  std::unique_ptr<kiln::Session> session;
};

INSTANTIATE_TEST_SUITE_P(Modes, QueueRun,
                         ::testing::Values(ExecutionMode::Auto,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

TEST_P(QueueRun, ElementsComeOutAsTheyWentIn) {
  ASSERT_THAT(put(1, 2, 3), isOk());
  ASSERT_THAT(put(4, 5, 6), isOk());
  EXPECT_EQ(size(), 2);
  auto got = take();
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(1, 2));
  EXPECT_THAT(valuesOf<int32_t>((*got)[1]), ElementsAre(3));
  got = session->run({}, {"scaled:0"});
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(40, 100));
  EXPECT_EQ(size(), 0);
}

TEST_P(QueueRun, ElementIsNotTheMemoryThatWasFed) {
  auto feeds = pair(1, 2, 3);
  ASSERT_THAT(session->run(feeds, {}, {"put"}), isOk());
  feeds[0].value.mutableData<float>()[0] = 99;
  auto got = take();
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(1, 2));
  EXPECT_TRUE((*got)[0].isUnique());
}

TEST_P(QueueRun, BatchesAreCutAndJoined) {
  ASSERT_THAT(session->run(pairs(3), {}, {"putMany"}), isOk());
  auto got = session->run({number(2)}, {"takeMany:0", "takeMany:1"});
  ASSERT_THAT(got, isOk());
  EXPECT_EQ((*got)[0].shape(), Shape({2, 2}));
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(0, 0, 1, -1));
  EXPECT_THAT(valuesOf<int32_t>((*got)[1]), ElementsAre(0, 1));
  EXPECT_EQ(size(), 1);
  ASSERT_THAT(session->run(pairs(0), {}, {"putMany"}), isOk());
  got = session->run({number(0)}, {"takeMany:0"});
  ASSERT_THAT(got, isOk());
  EXPECT_EQ((*got)[0].shape(), Shape({0, 2}));
  EXPECT_EQ(size(), 1);
}

TEST_P(QueueRun, QueueWithoutShapesTakesAnyAndTheNextPartFitsEach) {
  Tensor matrix = testing::countingMatrix(2, 2);
  ASSERT_THAT(session->run({{"x:0", matrix}}, {}, {"putAny"}), isOk());
  ASSERT_THAT(session->run({{"x:0", Tensor::scalar(7.0f)}}, {}, {"putAny"}),
              isOk());
  auto got = session->run({}, {"double:0"});
  ASSERT_THAT(got, isOk());
  EXPECT_EQ((*got)[0].shape(), Shape({2, 2}));
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(0, 2, 4, 6));
  got = session->run({}, {"double:0"});
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(14));
  ASSERT_THAT(session->run({{"x:0", matrix}}, {}, {"putManyAny"}), isOk());
  got = session->run({}, {"takeAny:0"});
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(0, 1));
  EXPECT_THAT(session->run({number(1)}, {"takeManyAny:0"}),
              AllOf(fails(StatusCode::InvalidArgument,
                          "FIFOQueue's DequeueMany and DequeueUpTo require "
                          "the components to have specified shapes."),
                    failsAt("takeManyAny")));
}

TEST_P(QueueRun, EnqueueAndDequeueInOneRunPassEmptyAndFullQueues) {
  auto got = session->run(pair(1, 1, 1), {"take:1"}, {"put"});
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<int32_t>((*got)[0]), ElementsAre(1));
  ASSERT_THAT(session->run(pairs(3), {}, {"putMany"}), isOk());
  got = session->run(pair(9, 9, 9), {"take:1"}, {"put"});
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<int32_t>((*got)[0]), ElementsAre(0));
  EXPECT_EQ(size(), 3);
}

TEST_P(QueueRun, WrongShapesAreRefused) {
  auto refused = [&](std::string_view op, Tensor x, Tensor k,
                     std::string_view text) {
    EXPECT_THAT(session->run({{"x:0", x}, {"k:0", k}}, {}, {std::string(op)}),
                AllOf(fails(StatusCode::InvalidArgument, std::string(text)),
                      failsAt(op)));
  };
  Tensor one = Tensor::scalar<int32_t>(1);
  Tensor three = tensorOf<float>({3}, {1, 2, 3});
  refused("put", three, one,
          "Shape mismatch in tuple component 0. Expected [2], got [3]");
  refused("put", tensorOf<float>({2}, {1, 2}), tensorOf<int32_t>({1}, {1}),
          "Shape mismatch in tuple component 1. Expected [], got [1]");
  refused("putMany", three, one,
          "Shape mismatch in tuple component 0. Expected [3,2], got [3]");
  refused("putMany", tensorOf<float>({1, 2}, {1, 2}),
          tensorOf<int32_t>({3}, {1, 2, 3}),
          "Shape mismatch in tuple component 1. Expected [1], got [3]");
  EXPECT_THAT(session->run({number(-1)}, {"takeMany:0"}),
              AllOf(fails(StatusCode::InvalidArgument,
                          "DequeueManyOp requested -1 < 0 elements"),
                    failsAt("takeMany")));
  EXPECT_EQ(size(), 0);
}

TEST_P(QueueRun, ClosedQueueSaysSoInTensorFlowsWords) {
  ASSERT_THAT(put(1, 2, 3), isOk());
  ASSERT_THAT(session->run({}, {}, {"close"}), isOk());
  auto closed = session->run({}, {"isClosed:0"});
  ASSERT_THAT(closed, isOk());
  EXPECT_THAT(valuesOf<bool>((*closed)[0]), ElementsAre(true));
  EXPECT_THAT(put(1, 2, 3),
              AllOf(fails(StatusCode::Cancelled, "FIFOQueue '_0_q' is closed."),
                    failsAt("put")));
  EXPECT_THAT(session->run(pairs(0), {}, {"putMany"}), isOk());
  auto got = session->run({number(5)}, {"takeUpTo:1"});
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<int32_t>((*got)[0]), ElementsAre(3));
  EXPECT_THAT(take(), AllOf(fails(StatusCode::OutOfRange,
                                  "FIFOQueue '_0_q' is closed and has "
                                  "insufficient elements (requested 1, current "
                                  "size 0)"),
                            failsAt("take")));
  EXPECT_THAT(session->run({}, {}, {"close"}),
              fails(StatusCode::Cancelled, "Queue '_0_q' is already closed."));
  EXPECT_THAT(session->run({}, {}, {"cancel"}), isOk());
}

TEST_P(QueueRun, TimeLimitEndsAWaitAndNothingIsLost) {
  auto timedOut = [](std::string_view node) {
    return AllOf(fails(StatusCode::DeadlineExceeded,
                       "Timed out waiting for notification"),
                 failsAt(node));
  };
  EXPECT_THAT(session->run({}, {"take:0"}, {}, shortly), timedOut("take"));
  ASSERT_THAT(put(1, 2, 3), isOk());
  EXPECT_THAT(session->run({number(2)}, {"takeMany:0"}, {}, shortly),
              timedOut("takeMany"));
  EXPECT_EQ(size(), 1);
  EXPECT_THAT(session->run(pairs(5), {}, {"putMany"}, shortly),
              timedOut("putMany"));
  EXPECT_EQ(size(), 3); // what fitted went in, as in TensorFlow
  EXPECT_THAT(session->run(pair(1, 1, 1), {}, {"put"}, shortly),
              timedOut("put"));
  EXPECT_THAT(take(), isOk());
}

TEST_P(QueueRun, FailedRunKeepsWhatItHadAssigned) {
  testing::QueueWriter more;
  more.graph = session->graph();
  more.binary("early", "AssignAdd", "w", "w/initial", f32);
  EXPECT_THAT(session->run({}, {"scaled:0"}, {"early"}, shortly),
              failsAt("take"));
  auto got = session->run({}, {"w:0"});
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(20, 40));
}

TEST_P(QueueRun, UpdateBehindADequeueIsOneStep) {
  ASSERT_THAT(put(1, 2, 3), isOk());
  auto got = session->run({}, {"scaled:0", "w:0"}, {"bump"});
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(10, 40));
  EXPECT_THAT(valuesOf<float>((*got)[1]), ElementsAre(11, 22));
}

TEST_P(QueueRun, CallableRunsItAgainAndAgain) {
  auto step = session->makeCallable({"x:0", "k:0"}, {"scaled:0"}, {"put"});
  ASSERT_THAT(step, isOk());
  // Native code writes results again.
  ASSERT_THAT(session->prepare({{"x:0", Shape({2})}, {"k:0", Shape()}},
                               {"scaled:0"}, {"put"}),
              isOk());
  Tensor results[1];
  const void *memory = nullptr;
  for (int32_t i = 0; i < 3; ++i) {
    Tensor feeds[] = {tensorOf<float>({2}, {float(i), 1}), Tensor::scalar(i)};
    ASSERT_THAT((*step)(feeds, results), isOk());
    EXPECT_THAT(valuesOf<float>(results[0]), ElementsAre(10 * float(i), 20));
    if (i > 0 && GetParam() != ExecutionMode::EvaluatorOnly)
      EXPECT_EQ(results[0].rawData(), memory); // written again
    memory = results[0].rawData();
  }
}

TEST_P(QueueRun, ConstantsFeedsAndRepeatedFetchesAreCopies) {
  testing::QueueWriter more;
  more.graph = session->graph();
  more.constant("c", tensorOf<float>({2}, {5, 6}));
  more.constant("one", Tensor::scalar<int32_t>(1));
  more.enqueue("putConstant", "q", {"c", "one"}, {f32, i32});
  Tensor x = tensorOf<float>({2}, {1, 2});
  auto got = session->run({{"x:0", x}}, {"take:0", "take:0", "c:0", "x:0"},
                          {"putConstant"});
  ASSERT_THAT(got, isOk());
  for (const Tensor &tensor : *got)
    EXPECT_TRUE(tensor.isUnique());
  EXPECT_THAT(valuesOf<float>((*got)[1]), ElementsAre(5, 6));
  EXPECT_THAT(valuesOf<float>((*got)[2]), ElementsAre(5, 6));
  EXPECT_THAT(valuesOf<float>((*got)[3]), ElementsAre(1, 2));
}

TEST_P(QueueRun, StatisticsCountOpsAndTheWait) {
  ASSERT_THAT(put(1, 2, 3), isOk());
  RunStats stats;
  ASSERT_THAT(session->run({}, {"scaled:0"}, {}, {}, &stats), isOk());
  EXPECT_FALSE(stats.cacheHit);
  EXPECT_EQ(stats.opsRuntime, 1);
  EXPECT_EQ(stats.opsNative + stats.opsEvaluator, 1);
  EXPECT_GT(stats.importNs, 0);
  EXPECT_EQ(stats.waitNs, 0);
  EXPECT_THAT(session->run({}, {"scaled:0"}, {}, shortly, &stats),
              failsAt("take"));
  EXPECT_TRUE(stats.cacheHit);
  EXPECT_GE(stats.waitNs, 40'000'000);
}

TEST_P(QueueRun, SharedQueuesMustBeMadeAlike) {
  testing::QueueWriter more;
  more.graph = session->graph();
  more.queue("s1", 3, {f32}, {Shape()}, "shared");
  more.queue("s2", 3, {f32}, {Shape()}, "shared");
  more.queue("s3", 4, {f32}, {Shape()}, "shared");
  more.queue("s4", 3, {i32}, {Shape()}, "shared");
  more.queue("s5", 3, {f32}, {}, "shared");
  more.queue("s6", 3, {f32}, {Shape()}, "_shared");
  more.constant("half", Tensor::scalar(0.5f));
  more.enqueue("put1", "s1", {"half"}, {f32});
  for (std::string i : {"1", "2", "3", "4", "5", "6"})
    more.size("size" + i, "s" + i);
  ASSERT_THAT(session->run({}, {}, {"put1"}), isOk());
  auto got = session->run({}, {"size2:0"});
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<int32_t>((*got)[0]), ElementsAre(1));
  auto refused = [&](std::string node, std::string text) {
    EXPECT_THAT(
        session->run({}, {"size" + node + ":0"}),
        AllOf(fails(StatusCode::InvalidArgument, text), failsAt("s" + node)));
    // Without an op on it, too.
    EXPECT_THAT(
        session->run({}, {}, {"s" + node}),
        AllOf(fails(StatusCode::InvalidArgument, text), failsAt("s" + node)));
  };
  refused("3", "Shared queue 'shared' has capacity 3 but requested capacity "
               "was 4");
  refused("4", "Shared queue 'shared' has component types float but requested "
               "component types were int32");
  refused("5", "Shared queue 'shared' has component shapes [[]] but requested "
               "component shapes were []");
  refused("6", "shared_name cannot start with '_':_shared");
}

TEST_P(QueueRun, WrongTypesAreRefused) {
  testing::QueueWriter more;
  more.graph = session->graph();
  more.enqueue("bad", "q", {"k", "k"}, {i32, i32});
  more.dequeue("worse", "q", {f32});
  EXPECT_THAT(session->run(pair(1, 2, 3), {}, {"bad"}),
              AllOf(fails(StatusCode::InvalidArgument,
                          "Signature mismatch, have: resource, int32, int32-> "
                          "expected: resource, float, int32->"),
                    failsAt("bad")));
  EXPECT_THAT(session->run({}, {"worse:0"}),
              AllOf(fails(StatusCode::InvalidArgument,
                          "Signature mismatch, have: resource->float expected: "
                          "resource->float, int32"),
                    failsAt("worse")));
}

TEST_P(QueueRun, QueuesOfSessionsAreTheirOwn) {
  ASSERT_THAT(put(1, 2, 3), isOk());
  auto other = open(session->graph());
  auto got = other->run({}, {"size:0"});
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<int32_t>((*got)[0]), ElementsAre(0));
}

TEST_P(QueueRun, ReferencesOfTensorFlowOneWorkAlike) {
  testing::GraphWriter writer;
  writer.placeholder("p", f32, {});
  writer.add("q", "FIFOQueue", {},
             {{"component_types", std::vector<DType>{f32}},
              {"shapes", std::vector<Shape>{Shape()}},
              {"capacity", int64_t(2)}});
  writer.add("put", "QueueEnqueue", {"q", "p"},
             {{"Tcomponents", std::vector<DType>{f32}}});
  writer.add("take", "QueueDequeue", {"q"},
             {{"component_types", std::vector<DType>{f32}}});
  writer.binary("double", "AddV2", "take", "take", f32);
  auto other = open(writer.graph);
  auto got = other->run({{"p:0", Tensor::scalar(3.0f)}}, {"double:0"}, {"put"});
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(6));
  EXPECT_EQ(writer.graph->lookup("take")->outputShape(0), Shape());
}

// FIFOQueue.from_list: the constant index says which queue.
TEST_P(QueueRun, HandlesArePickedFromLists) {
  testing::QueueWriter writer;
  for (const char *name : {"q0", "q1"})
    writer.queue(name, 4, {f32}, {Shape()});
  writer.add("list", "Pack", {"q0", "q1"},
             {{"T", DType::Resource}, {"N", int64_t(2)}});
  writer.constant("axis", Tensor::scalar<int32_t>(0));
  writer.placeholder("p", f32, {});
  writer.enqueue("put", "q1", {"p"}, {f32});
  auto pick = [&](const std::string &name, int32_t index) {
    writer.constant(name + "/index", Tensor::scalar(index));
    writer.add(name + "/handle", "GatherV2", {"list", name + "/index", "axis"},
               {{"Tparams", DType::Resource},
                {"Tindices", DType::Int32},
                {"Taxis", DType::Int32}});
    writer.size(name, name + "/handle");
  };
  pick("first", 0);
  pick("second", 1);
  pick("none", 2);
  auto other = open(writer.graph);
  ASSERT_THAT(other->run({{"p:0", Tensor::scalar(3.0f)}}, {}, {"put"}), isOk());
  auto sizes = other->run({}, {"first:0", "second:0"});
  ASSERT_THAT(sizes, isOk());
  EXPECT_THAT(valuesOf<int32_t>((*sizes)[0]), ElementsAre(0));
  EXPECT_THAT(valuesOf<int32_t>((*sizes)[1]), ElementsAre(1));
  EXPECT_THAT(
      other->run({}, {"none:0"}),
      AllOf(fails(StatusCode::InvalidArgument, "indices = 2 is not in [0, 2)"),
            failsAt("none/handle")));
}

} // namespace
} // namespace kiln
