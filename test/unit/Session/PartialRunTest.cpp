// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs in steps: what is done when, and TensorFlow's errors (its texts are of
// TensorFlow 2.21).
#include "test/unit/QueueFixture.h"
#include "test/unit/Together.h"

#include <atomic>

namespace kiln {
namespace {

using ::testing::_;
using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::fails;
using testing::failsAt;
using testing::isOk;
using testing::modeName;
using testing::valuesOf;

constexpr DType f32 = DType::Float32;

/// sum = x + y; product = sum * z; low = (v) + x, high = v + y with a variable
/// v; `bump`: v += 1; `draw` - x and `draw` - y of one random number; `bad`:
/// divides integers a / b; `taken`: x + what a queue gives, filled by `put`;
/// `read` after `sum`: `text`, which was written to an array.
class PartialRunTest : public testing::SessionTest {
protected:
  void SetUp() override {
    testing::QueueWriter writer;
    for (const char *name : {"x", "y", "z"})
      writer.placeholder(name, f32, Shape());
    writer.binary("sum", "AddV2", "x", "y", f32);
    writer.binary("product", "Mul", "sum", "z", f32);
    writer.variable("v", Tensor::scalar<float>(0));
    writer.binary("low", "AddV2", "v/read", "x", f32);
    writer.binary("high", "AddV2", "v/read", "y", f32);
    writer.constant("one", Tensor::scalar<float>(1));
    writer.binary("bump", "AssignAdd", "v", "one", f32);
    writer.binary("raise", "AssignAdd", "v", "x", f32);
    writer.constant("shape", testing::tensorOf<int32_t>({0}, {}));
    writer.add("draw", "RandomUniform", {"shape"},
               {{"T", DType::Int32},
                {"dtype", f32},
                {"seed", int64_t(3)},
                {"seed2", int64_t(4)}});
    writer.binary("drawn_x", "Sub", "draw", "x", f32);
    writer.binary("drawn_y", "Sub", "draw", "y", f32);
    writer.placeholder("a", DType::Int32, Shape());
    writer.placeholder("b", DType::Int32, Shape());
    writer.binary("bad", "FloorDiv", "a", "b", DType::Int32);
    writer.queue("q", 10, {f32}, {Shape()});
    writer.enqueue("put", "q", {"x"}, {f32});
    writer.dequeue("take", "q", {f32});
    writer.binary("taken", "AddV2", "take", "y", f32);
    writer.constant("0", Tensor::scalar<int32_t>(0));
    writer.constant("size", Tensor::scalar<int32_t>(1));
    writer.add("array", "TensorArrayV3", {"size"},
               {{"dtype", DType::String}, {"tensor_array_name", "array"}});
    writer.placeholder("text", DType::String, Shape());
    writer.add("write", "TensorArrayWriteV3", {"array", "0", "text", "array:1"},
               {{"T", DType::String}});
    writer.add("written", "TensorArraySizeV3", {"array", "write"});
    writer.add("ready", "Identity", {"write", "^sum"}, {{"T", f32}});
    writer.add("read", "TensorArrayReadV3", {"array", "0", "ready"},
               {{"dtype", DType::String}});
    session = open(writer.graph);
    ASSERT_THAT(session->run({}, {}, {"v/Assign"}), isOk());
  }
  std::string setUp(const std::vector<Fetch> &fetches,
                    const std::vector<TensorId> &feeds) {
    auto handle = session->partialRunSetup(feeds, fetches);
    EXPECT_THAT(handle, isOk());
    return handle.ok() ? *handle : "";
  }
  static Feed feed(const char *name, float value) {
    return {std::string(name) + ":0", Tensor::scalar(value)};
  }
  StatusOr<float> step(const std::string &handle, const char *fetch,
                       const std::vector<Feed> &feeds = {}) {
    auto got = session->partialRun(handle, feeds, {fetch});
    if (!got.ok())
      return got.status();
    return (*got)[0].data<float>()[0];
  }
  float value(const char *fetch) {
    auto got = session->run({}, {fetch});
    EXPECT_THAT(got, isOk());
    return got.ok() ? (*got)[0].data<float>()[0] : -1;
  }

  std::unique_ptr<Session> session;
  decltype(fails(StatusCode::InvalidArgument, "")) over =
      fails(StatusCode::InvalidArgument,
            "Must run 'setup' before performing partial runs!");
};

TEST_P(PartialRunTest, FeedsComeLater) {
  std::string run = setUp({"sum:0", "product:0"}, {"x:0", "y:0", "z:0"});
  EXPECT_EQ(*step(run, "sum:0", {feed("x", 1), feed("y", 2)}), 3);
  EXPECT_EQ(*step(run, "product:0", {feed("z", 17)}), 51);
  EXPECT_THAT(step(run, "product:0", {feed("z", 17)}), over);
}

TEST_P(PartialRunTest, StepsMayFeedOrFetchAlone) {
  std::string run = setUp({"sum:0"}, {"x:0", "y:0"});
  EXPECT_THAT(session->partialRun(run, {feed("y", 2)}, {}), isOk());
  EXPECT_THAT(session->partialRun(run, {feed("x", 1)}, {}), isOk());
  EXPECT_EQ(*step(run, "sum:0"), 3);
  EXPECT_THAT(step(run, "sum:0"), over);
}

TEST_P(PartialRunTest, RunsInAnyOrderShareTheirCode) {
  int64_t before = session->stats().compilations;
  std::string first = setUp({"sum:0", "product:0"}, {"x:0", "y:0", "z:0"});
  std::string second = setUp({"sum:0", "product:0"}, {"x:0", "y:0", "z:0"});
  EXPECT_EQ(*step(first, "sum:0", {feed("x", 1), feed("y", 2)}), 3);
  EXPECT_EQ(*step(second, "sum:0", {feed("z", 3), feed("y", 2), feed("x", 3)}),
            5);
  std::string third = setUp({"sum:0", "product:0"}, {"x:0", "y:0", "z:0"});
  EXPECT_EQ(*step(first, "product:0", {feed("z", 2)}), 6);
  EXPECT_EQ(*step(second, "product:0"), 15);
  EXPECT_EQ(*step(third, "sum:0", {feed("x", 1), feed("y", 1)}), 2);
  // The plan and its two parts, which may be made twice: for the evaluator, and
  // native behind it.
  int64_t made = session->stats().compilations - before;
  if (GetParam() == ExecutionMode::Auto)
    EXPECT_LE(made, 5);
  else
    EXPECT_EQ(made, 3);
}

TEST_P(PartialRunTest, EffectsHappenOnceAndAsSoonAsTheyCan) {
  std::string run = setUp({"bump:0", "raise:0", "sum:0"}, {"x:0", "y:0"});
  EXPECT_EQ(value("v:0"), 1);
  EXPECT_THAT(session->partialRun(run, {feed("x", 10)}, {}), isOk());
  EXPECT_EQ(value("v:0"), 11);
  EXPECT_EQ(*step(run, "sum:0", {feed("y", 1)}), 11);
  EXPECT_THAT(session->partialRun(run, {}, {"bump:0", "raise:0"}), isOk());
  EXPECT_EQ(value("v:0"), 11);
}

TEST_P(PartialRunTest, NoVariableIsHeldBetweenCalls) {
  std::string run = setUp({"low:0", "high:0"}, {"x:0", "y:0"});
  EXPECT_EQ(*step(run, "low:0", {feed("x", 0)}), 0);
  EXPECT_EQ(value("bump:0"), 1);
  EXPECT_EQ(*step(run, "high:0", {feed("y", 0)}), 1);
}

TEST_P(PartialRunTest, RandomNumbersAreDrawnOnce) {
  std::string run = setUp({"drawn_x:0", "drawn_y:0"}, {"x:0", "y:0"});
  EXPECT_EQ(*step(run, "drawn_x:0", {feed("x", 0)}),
            *step(run, "drawn_y:0", {feed("y", 0)}));
}

TEST_P(PartialRunTest, StepsMayWaitAtQueues) {
  std::string run = setUp({"put", "taken:0"}, {"x:0", "y:0"});
  EXPECT_THAT(session->partialRun(run, {feed("y", 1)}, {}), isOk());
  EXPECT_EQ(*step(run, "taken:0", {feed("x", 4)}), 5);

  run = setUp({"taken:0"}, {"y:0"});
  auto late = session->partialRun(run, {feed("y", 1)}, {"taken:0"},
                                  {.timeout = std::chrono::milliseconds(20)});
  EXPECT_THAT(late, fails(StatusCode::DeadlineExceeded, _));
  EXPECT_THAT(late, failsAt("take"));
  EXPECT_THAT(step(run, "taken:0"), over);
  // What it did not take is there for the next one.
  std::string other = setUp({"put", "taken:0"}, {"x:0", "y:0"});
  EXPECT_EQ(*step(other, "taken:0", {feed("x", 6), feed("y", 1)}), 7);
}

TEST_P(PartialRunTest, MistakesLeaveTheRunAsItIs) {
  std::string run = setUp({"sum:0", "product:0"}, {"x:0", "y:0", "z:0"});
  auto refused = [&](const char *text) {
    return fails(StatusCode::InvalidArgument, text);
  };
  EXPECT_THAT(step(run, "sum:0", {feed("x", 1)}),
              refused("Fetch y:0 can't be computed from the feeds that have "
                      "been fed so far."));
  EXPECT_THAT(step(run, "low:0", {feed("x", 1)}),
              refused("The fetch low:0 was not specified in "
                      "partial_run_setup."));
  EXPECT_THAT(step(run, "sum:0", {feed("low", 1)}),
              refused("The feed low:0 was not specified in "
                      "partial_run_setup."));
  EXPECT_THAT(
      session->partialRun(run, {{"x:0", Tensor::scalar<int32_t>(1)}}, {}),
      fails(StatusCode::InvalidArgument, _));
  EXPECT_EQ(*step(run, "sum:0", {feed("x", 1), feed("y", 2)}), 3);
  EXPECT_THAT(step(run, "sum:0"),
              refused("The fetch sum:0 has already been fetched."));
  // The words end with the reason, as TensorFlow's: no node stands behind them.
  EXPECT_EQ(step(run, "sum:0").status().node(), "");
  EXPECT_THAT(step(run, "product:0", {feed("x", 1), feed("z", 1)}),
              refused("The feed x:0 has already been fed."));
  EXPECT_EQ(*step(run, "product:0", {feed("z", 2)}), 6);
}

TEST_P(PartialRunTest, SetUpRefusesWhatCannotRun) {
  EXPECT_THAT(session->partialRunSetup({"x:0"}, {}),
              fails(StatusCode::InvalidArgument,
                    "Must specify at least one target to fetch or execute."));
  EXPECT_THAT(session->partialRunSetup({"x:0", "x:0"}, {"sum:0"}),
              fails(StatusCode::InvalidArgument, _));
  EXPECT_THAT(session->partialRun("nope", {}, {"sum:0"}), over);
}

TEST_P(PartialRunTest, APlaceholderThatIsNoFeedFailsTheFirstStep) {
  std::string run = setUp({"sum:0", "v/read:0"}, {"x:0"});
  EXPECT_THAT(session->partialRun(run, {}, {"low:0"}),
              fails(StatusCode::InvalidArgument,
                    "The fetch low:0 was not specified in "
                    "partial_run_setup."));
  EXPECT_THAT(session->partialRun(run, {}, {"v/read:0"}),
              AllOf(fails(StatusCode::InvalidArgument,
                          "You must feed a value for placeholder tensor 'y' "
                          "with dtype float"),
                    failsAt("y")));
  EXPECT_THAT(session->partialRun(run, {}, {"v/read:0"}), over);
}

TEST_P(PartialRunTest, TensorArraysLiveBetweenSteps) {
  constexpr std::string_view text = "too long a string to lie in its handle";
  for (int round = 0; round < 3; ++round) {
    std::string run =
        setUp({"written:0", "sum:0", "read:0"}, {"text:0", "x:0", "y:0"});
    auto size = session->partialRun(run, {{"text:0", Tensor::scalar(text)}},
                                    {"written:0"});
    ASSERT_THAT(size, isOk());
    EXPECT_EQ((*size)[0].data<int32_t>()[0], 1);
    auto read =
        session->partialRun(run, {feed("x", 1), feed("y", 2)}, {"read:0"});
    ASSERT_THAT(read, isOk());
    EXPECT_EQ((*read)[0].data<String>()[0].view(), text);
    if (round > 0)
      EXPECT_EQ(*step(run, "sum:0"), 3);
  }
  std::string run = setUp({"read:0"}, {"text:0", "x:0", "y:0"});
  ASSERT_THAT(session->partialRun(run, {feed("x", 1), feed("y", 2)}, {}),
              isOk());
  EXPECT_THAT(session->partialRun(run, {}, {"read:0"}),
              fails(StatusCode::InvalidArgument, _));
}

TEST_P(PartialRunTest, AFailingNodeEndsTheRun) {
  std::string run = setUp({"bad:0", "sum:0"}, {"a:0", "b:0", "x:0", "y:0"});
  EXPECT_THAT(session->partialRun(run,
                                  {{"a:0", Tensor::scalar<int32_t>(1)},
                                   {"b:0", Tensor::scalar<int32_t>(0)}},
                                  {}),
              failsAt("bad"));
  EXPECT_THAT(step(run, "sum:0", {feed("x", 1), feed("y", 2)}), over);
}

TEST_P(PartialRunTest, AFetchMayBeAFeedAndMayBeListedTwice) {
  std::string run = setUp({"x:0", "sum:0", "sum:0"}, {"x:0", "y:0"});
  EXPECT_EQ(*step(run, "x:0", {feed("x", 4)}), 4);
  auto both = session->partialRun(run, {feed("y", 1)}, {"sum:0", "sum:0"});
  ASSERT_THAT(both, isOk());
  EXPECT_EQ(valuesOf<float>((*both)[0]), valuesOf<float>((*both)[1]));
}

TEST_P(PartialRunTest, CloseEndsIt) {
  std::string run = setUp({"sum:0"}, {"x:0", "y:0"});
  session->close();
  EXPECT_THAT(step(run, "sum:0", {feed("x", 1), feed("y", 2)}),
              fails(StatusCode::FailedPrecondition, _));
}

TEST_P(PartialRunTest, ManyThreadsTakeStepsOfOneRunAndOfTheirOwn) {
  constexpr int numThreads = 4;
  std::string shared = setUp({"sum:0", "product:0"}, {"x:0", "y:0", "z:0"});
  ASSERT_THAT(session->partialRun(shared, {feed("x", 1), feed("y", 2)}, {}),
              isOk());
  std::atomic<int> fetched = 0;
  testing::together(numThreads, [&](int thread) {
    fetched += step(shared, "sum:0").ok();
    auto number = static_cast<float>(thread);
    for (int i = 0; i < 20; ++i) {
      std::string own = setUp({"sum:0", "product:0"}, {"x:0", "y:0", "z:0"});
      EXPECT_EQ(*step(own, "sum:0", {feed("x", number), feed("y", 1)}),
                number + 1);
      EXPECT_EQ(*step(own, "product:0", {feed("z", 2)}), 2 * number + 2);
    }
  });
  EXPECT_EQ(fetched, 1);
}

INSTANTIATE_TEST_SUITE_P(Modes, PartialRunTest,
                         ::testing::Values(ExecutionMode::Auto,
                                           ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         modeName);

} // namespace
} // namespace kiln
