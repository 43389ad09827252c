// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and branches that hold queues: waits in them, their ends, many runs.
#include "test/unit/QueueFixture.h"

#include <atomic>
#include <thread>

namespace kiln {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::fails;
using testing::failsAt;
using testing::isOk;
using testing::valuesOf;

constexpr DType i32 = DType::Int32;
/// So that a run that fails ends those that wait for it.
constexpr RunOptions patient{.timeout = std::chrono::seconds(60)};

/// q and r: queues of two numbers. put: puts p into q. sum: the sum of n
/// elements of q, each of which the loop adds to w and passes on to r. either:
/// an element of q where b is true, else p.
std::shared_ptr<Graph> drivenGraph() {
  testing::QueueWriter writer;
  writer.placeholder("n", i32, {});
  writer.placeholder("p", i32, {});
  writer.placeholder("b", DType::Bool, {});
  writer.constant("zero", Tensor::scalar<int32_t>(0));
  writer.variable("w", Tensor::scalar<int32_t>(0));
  for (std::string q : {"q", "r"})
    writer.queue(q, 2, {i32}, {Shape()});
  writer.enqueue("put", "q", {"p"}, {i32});
  writer.dequeue("get", "r", {i32});
  writer.size("size", "q");

  std::vector<NodeSpec> loop;
  auto add = [&](std::string name, std::string op,
                 std::vector<NodeInput> inputs, AttrMap attrs) {
    loop.push_back({.name = std::move(name),
                    .op = std::move(op),
                    .inputs = std::move(inputs),
                    .attrs = std::move(attrs)});
  };
  auto enter = [&](std::string name, std::string input, DType dtype,
                   bool isConstant) {
    add(std::move(name), input == "w" ? "RefEnter" : "Enter", {input},
        {{"T", dtype}, {"frame_name", "loop"}, {"is_constant", isConstant}});
  };
  enter("i", "zero", i32, false);
  enter("s", "zero", i32, false);
  enter("limit", "n", i32, true);
  enter("from", "q", DType::Resource, true);
  enter("to", "r", DType::Resource, true);
  enter("wRef", "w", i32, true);
  for (std::string v : {"i", "s"}) {
    add(v + "/merge", "Merge", {v, v + "/next"}, {{"T", i32}, {"N", 2}});
    add(v + "/switch", "Switch", {v + "/merge", "while"}, {{"T", i32}});
    add(v + "/exit", "Exit", {v + "/switch"}, {{"T", i32}});
    add(v + "/iteration", "Identity", {v + "/switch:1"}, {{"T", i32}});
    add(v + "/next", "NextIteration", {v + "/done"}, {{"T", i32}});
  }
  add("less", "Less", {"i/merge", "limit"}, {{"T", i32}});
  add("while", "LoopCond", {"less"}, {});
  add("one", "Const", {"^i/iteration"},
      {{"dtype", i32}, {"value", Tensor::scalar<int32_t>(1)}});
  add("take", "QueueDequeueV2", {"from", "^i/iteration"},
      {{"component_types", std::vector<DType>{i32}}});
  add("pass", "QueueEnqueueV2", {"to", "take"},
      {{"Tcomponents", std::vector<DType>{i32}}});
  add("note", "AssignAdd", {"wRef", "take"}, {{"T", i32}});
  add("i/done", "AddV2", {"i/iteration", "one"}, {{"T", i32}});
  add("s/sum", "AddV2", {"s/iteration", "take"}, {{"T", i32}});
  add("s/done", "Identity", {"s/sum", "^pass", "^note"}, {{"T", i32}});
  EXPECT_THAT(writer.graph->addNodes(std::move(loop)), isOk());

  writer.add("q/switch", "Switch", {"q", "b"}, {{"T", DType::Resource}});
  writer.add("p/switch", "Switch", {"p", "b"}, {{"T", i32}});
  writer.dequeue("branch", "q/switch:1", {i32});
  writer.add("either", "Merge", {"p/switch", "branch"}, {{"T", i32}, {"N", 2}});
  return writer.graph;
}

class DrivenRegions : public testing::SessionTest {
protected:
  DrivenRegions() : session(open(drivenGraph())) {
    EXPECT_THAT(session->run({}, {}, {"w/Assign"}), isOk());
  }
  static Feed fed(std::string name, int32_t value) {
    return {name + ":0", Tensor::scalar(value)};
  }
  StatusOr<std::vector<int32_t>> run(const std::vector<Feed> &feeds,
                                     std::string fetch,
                                     const RunOptions &options = {},
                                     std::vector<std::string> targets = {}) {
    auto got = session->run(feeds, {fetch + ":0"},
                            {targets.begin(), targets.end()}, options);
    if (!got.ok())
      return got.status();
    return valuesOf<int32_t>((*got)[0]);
  }
  void put(int32_t value) {
    EXPECT_THAT(session->run({fed("p", value)}, {}, {"put"}, patient), isOk());
  }
  int32_t get(std::string name) {
    auto got = run({}, std::move(name), patient);
    EXPECT_THAT(got, isOk());
    return got.ok() ? (*got)[0] : -1;
  }

  std::unique_ptr<kiln::Session> session;
};

INSTANTIATE_TEST_SUITE_P(Modes, DrivenRegions,
                         ::testing::Values(ExecutionMode::Auto,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

TEST_P(DrivenRegions, ALoopTakesAndGivesIterationByIteration) {
  put(3);
  put(4);
  auto got = run({fed("n", 2)}, "s/exit");
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(*got, ElementsAre(7));
  EXPECT_EQ(get("w/read"), 7);
  EXPECT_EQ(get("get"), 3);
  EXPECT_EQ(get("get"), 4);
  got = run({fed("n", 0)}, "s/exit");
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(*got, ElementsAre(0));
}

TEST_P(DrivenRegions, OnlyTheBranchThatIsTakenTakes) {
  put(5);
  std::vector<Feed> feeds = {fed("p", 9), {"b:0", Tensor::scalar(false)}};
  auto got = run(feeds, "either");
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(*got, ElementsAre(9));
  EXPECT_EQ(get("size"), 1);
  feeds[1] = {"b:0", Tensor::scalar(true)};
  got = run(feeds, "either");
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(*got, ElementsAre(5));
  EXPECT_EQ(get("size"), 0);
}

TEST_P(DrivenRegions, AWaitInALoopGoesOnWithWhatThisRunPutsIn) {
  // The loop waits for an element that an op outside of it gives.
  put(1);
  auto got = run({fed("n", 2), fed("p", 6)}, "s/exit", patient, {"put"});
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(*got, ElementsAre(7));
}

TEST_P(DrivenRegions, ThreadsFeedALoopThatHoldsNoLock) {
  constexpr int32_t count = 200;
  std::thread giver([&] {
    for (int32_t i = 1; i <= count; ++i)
      put(i);
  });
  std::atomic<int64_t> passed = 0;
  std::thread taker([&] {
    for (int32_t i = 1; i <= count; ++i) {
      passed += get("get");
      // No run waits for the variable that the loop writes.
      EXPECT_GE(get("w/read"), 0);
    }
  });
  auto got = run({fed("n", count)}, "s/exit");
  giver.join();
  taker.join();
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(*got, ElementsAre(count * (count + 1) / 2));
  EXPECT_EQ(passed, (*got)[0]);
  EXPECT_EQ(get("w/read"), (*got)[0]);
}

TEST_P(DrivenRegions, TimeLimitEndsAWaitAndCompletedIterationsStay) {
  put(8);
  EXPECT_THAT(
      run({fed("n", 2)}, "s/exit", {.timeout = std::chrono::milliseconds(50)}),
      AllOf(fails(StatusCode::DeadlineExceeded, ::testing::_),
            failsAt("take")));
  EXPECT_EQ(get("w/read"), 8);
  EXPECT_EQ(get("get"), 8);
  // Nothing of that run waits any more.
  put(2);
  EXPECT_EQ(get("size"), 1);
  auto got = run({fed("n", 1)}, "s/exit");
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(*got, ElementsAre(2));
}

TEST_P(DrivenRegions, CancellationEndsAWaitInALoop) {
  Cancellation cancel;
  std::atomic<bool> begins = false;
  std::thread other([&] {
    while (!begins)
      std::this_thread::yield();
    cancel.cancel();
  });
  begins = true;
  EXPECT_THAT(run({fed("n", 1)}, "s/exit", {.cancel = &cancel}),
              fails(StatusCode::Cancelled, ::testing::_));
  other.join();
}

TEST_P(DrivenRegions, CallablesAndPartialRunsDriveThem) {
  auto callable = session->makeCallable({"n:0", "p:0"}, {"s/exit:0"}, {"put"});
  ASSERT_THAT(callable, isOk());
  std::vector<Tensor> results(1);
  for (int32_t i = 0; i < 1000; ++i) {
    std::vector<Tensor> feeds = {Tensor::scalar<int32_t>(1), Tensor::scalar(i)};
    ASSERT_THAT((*callable)(feeds, results), isOk());
    ASSERT_THAT(valuesOf<int32_t>(results[0]), ElementsAre(i));
    ASSERT_EQ(get("get"), i);
  }
  auto handle =
      session->partialRunSetup({"n:0", "p:0"}, {"s/exit:0", "size:0"}, {"put"});
  ASSERT_THAT(handle, isOk());
  EXPECT_THAT(session->partialRun(*handle, {fed("n", 1)}, {}), isOk());
  auto got = session->partialRun(*handle, {fed("p", 11)}, {"s/exit:0"});
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<int32_t>((*got)[0]), ElementsAre(11));
}

TEST_P(DrivenRegions, ExplainShowsTheUnitsOfEachBlock) {
  auto text =
      session->explain({{"n:0"}}, {"s/exit:0"}, {}, {.stopAfter = "import"});
  ASSERT_THAT(text, isOk());
  for (const char *part : {": while 'while'", ".b.", "QueueDequeueV2 'take'",
                           "QueueEnqueueV2 'pass'"})
    EXPECT_NE(text->find(part), std::string::npos) << *text;
}

} // namespace
} // namespace kiln
