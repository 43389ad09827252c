// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings through sessions: every string stays as long as a run may read it,
// and no longer, however a run ends.
#include "test/unit/QueueFixture.h"

#include <barrier>
#include <thread>

namespace kiln {
namespace {

using namespace kiln::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr DType str = DType::String;

String stringFrom(std::string_view text) { return *String::create(text); }

std::vector<std::string> textsOf(const Tensor &tensor) {
  std::vector<std::string> texts;
  for (std::string_view text : tensor.data<String>())
    texts.emplace_back(text);
  return texts;
}

/// x: [?, 2] strings; flipped = reverse(x, [0]); v: variable [2] of strings;
/// set: v = x[0]; swap: v = reverse(v); twice = add(x, x); picked = gather of x
/// at `at`; setPicked: v = picked.
std::shared_ptr<Graph> stringGraph() {
  GraphWriter writer;
  writer.placeholder("x", str, {-1, 2});
  writer.constant("axis", tensorOf<int32_t>({1}, {0}));
  AttrMap reversed = {{"T", str}, {"Tidx", DType::Int32}};
  writer.add("flipped", "ReverseV2", {"x", "axis"}, reversed);
  writer.variable("v", *Tensor::fromStrings({2}, {"left", "right"}));
  writer.placeholder("at", DType::Int32, {});
  writer.constant("zero", Tensor::scalar<int32_t>(0));
  writer.add(
      "picked", "GatherV2", {"x", "at", "zero"},
      {{"Tparams", str}, {"Tindices", DType::Int32}, {"Taxis", DType::Int32}});
  writer.add("set", "Assign", {"v", "picked"}, {{"T", str}});
  writer.add("turned", "ReverseV2", {"v/read", "axis"}, reversed);
  writer.add("swap", "Assign", {"v", "turned"}, {{"T", str}});
  writer.binary("twice", "Add", "x", "x", str);
  writer.binary("same", "Equal", "x", "v/read", str);
  return writer.graph;
}

/// A closed session may live a moment longer in the thread that compiled for
/// it. Hangs, until the test's limit, when a run keeps the text.
void waitUntilAlone(const String &text) {
  while (text.useCount() != 1)
    std::this_thread::yield();
}

class StringSession : public SessionTest {
protected:
  void SetUp() override {
    session = open(stringGraph());
    ASSERT_THAT(run({}, {}, {"v/Assign"}), isOk());
  }
  StatusOr<std::vector<Tensor>> run(std::vector<Feed> feeds,
                                    std::vector<Fetch> fetches,
                                    std::vector<OperationId> targets = {}) {
    return session->run(feeds, fetches, targets);
  }
  std::unique_ptr<Session> session;
  Tensor x = *Tensor::fromStrings({2, 2}, {"a", "bb", "", "d"});
};

INSTANTIATE_TEST_SUITE_P(Modes, StringSession,
                         ::testing::Values(ExecutionMode::Auto,
                                           ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         modeName);

TEST_P(StringSession, FeedsMovesAndFetches) {
  auto results = run({{"x:0", x}}, {"flipped:0", "x:0", "v:0", "same:0"});
  ASSERT_THAT(results, isOk());
  EXPECT_THAT(textsOf((*results)[0]), ElementsAre("", "d", "a", "bb"));
  EXPECT_THAT(textsOf((*results)[1]), ElementsAre("a", "bb", "", "d"));
  EXPECT_THAT(textsOf((*results)[2]), ElementsAre("left", "right"));
  EXPECT_THAT(valuesOf<bool>((*results)[3]),
              ElementsAre(false, false, false, false));
}

TEST_P(StringSession, HandlesOfStacksNameThem) {
  GraphWriter writer;
  for (const char *name : {"one", "two"})
    writer.add(name, "Stack", {},
               {{"elem_type", DType::Float32}, {"stack_name", "pile"}});
  session = open(writer.graph);
  auto handles = session->run({}, {"one:0", "two:0"});
  ASSERT_THAT(handles, isOk());
  auto one = textsOf((*handles)[0]), two = textsOf((*handles)[1]);
  EXPECT_THAT(one, ElementsAre("_stacks", HasSubstr("pile_")));
  EXPECT_THAT(two, ElementsAre("_stacks", HasSubstr("pile_")));
  EXPECT_NE(one, two);
}

TEST_P(StringSession, ResultsOutliveFeedsAndSession) {
  String text = stringFrom("text");
  Tensor result;
  {
    Tensor fed = *Tensor::fromValues<String>({1, 2}, {text, text});
    result = run({{"x:0", fed}}, {"flipped:0"})->front();
    EXPECT_EQ(text.useCount(), 5);
  }
  session.reset();
  EXPECT_EQ(text.useCount(), 3);
  EXPECT_THAT(textsOf(result), ElementsAre("text", "text"));
  result = Tensor();
  EXPECT_EQ(text.useCount(), 1);
}

TEST_P(StringSession, WhatARunMakesBelongsToItsResultsAlone) {
  Tensor twice = run({{"x:0", x}}, {"twice:0"})->front();
  EXPECT_THAT(textsOf(twice), ElementsAre("aa", "bbbb", "", "dd"));
  EXPECT_EQ(twice.data<String>()[0].useCount(), 1);
}

TEST_P(StringSession, VariablesOwnTheirValue) {
  String text = stringFrom("text");
  Tensor fed = *Tensor::fromValues<String>({1, 2}, {text, String()});
  Feed at{"at:0", Tensor::scalar<int32_t>(0)};
  ASSERT_THAT(run({{"x:0", fed}, at}, {}, {"set"}), isOk());
  EXPECT_EQ(text.useCount(), 3);
  Tensor before = run({}, {"v/read:0"})->front();
  ASSERT_THAT(run({}, {}, {"swap"}), isOk());
  EXPECT_EQ(text.useCount(), 4);
  EXPECT_THAT(textsOf(run({}, {"v:0"})->front()), ElementsAre("", "text"));
  EXPECT_THAT(textsOf(before), ElementsAre("text", ""));
  ASSERT_THAT(run({{"x:0", x}, at}, {}, {"set"}), isOk());
  EXPECT_EQ(text.useCount(), 3);
}

TEST_P(StringSession, AResultMayBeWhatTheRunOverwrites) {
  auto results = run({}, {"turned:0", "v:0", "swap"});
  ASSERT_THAT(results, isOk());
  EXPECT_THAT(textsOf((*results)[0]), ElementsAre("right", "left"));
  EXPECT_THAT(textsOf((*results)[1]), ElementsAre("right", "left"));
  EXPECT_EQ((*results)[0].data<String>()[0].useCount(), 4)
      << "expected the constant's, the variable's and two results'";
}

TEST_P(StringSession, AFailedRunLeavesEverythingOwnedOnce) {
  String text = stringFrom("text");
  Tensor fed = *Tensor::fromValues<String>({1, 2}, {text, text});
  auto failed = run({{"x:0", fed}, {"at:0", Tensor::scalar<int32_t>(7)}},
                    {"picked:0", "twice:0", "set"});
  EXPECT_THAT(failed, fails(StatusCode::InvalidArgument,
                            HasSubstr("indices = 7 is not in [0, 1)")));
  EXPECT_EQ(text.useCount(), 3);
  EXPECT_THAT(textsOf(run({}, {"v:0"})->front()), ElementsAre("left", "right"));
}

TEST_P(StringSession, ACancelledRunLeavesEverythingOwnedOnce) {
  Cancellation cancel;
  cancel.cancel();
  String text = stringFrom("text");
  Tensor fed = *Tensor::fromValues<String>({1, 2}, {text, text});
  RunOptions options;
  options.cancel = &cancel;
  EXPECT_THAT(session->run({{"x:0", fed}}, {"twice:0"}, {}, options),
              fails(StatusCode::Cancelled, "Step was cancelled"));
  EXPECT_EQ(text.useCount(), 3);
}

TEST_P(StringSession, CallablesUseResultsAgain) {
  auto callable =
      session->makeCallable({"x:0"}, {"flipped:0", "twice:0", "v:0"});
  ASSERT_THAT(callable, isOk());
  // Native code writes results again.
  ASSERT_THAT(session->prepare({{"x:0"}}, {"flipped:0", "twice:0", "v:0"}),
              isOk());
  String text = stringFrom("t");
  Tensor fed = *Tensor::fromValues<String>({1, 2}, {text, text});
  std::vector<Tensor> results(3);
  for (int i = 0; i < 3; ++i) {
    const void *before = results[0].rawData();
    ASSERT_THAT((*callable)({&fed, 1}, results), isOk());
    EXPECT_EQ(text.useCount(), 5);
    EXPECT_THAT(textsOf(results[1]), ElementsAre("tt", "tt"));
    EXPECT_EQ(results[1].data<String>()[0].useCount(), 1);
    if (i > 0 && GetParam() != ExecutionMode::EvaluatorOnly) {
      EXPECT_EQ(results[0].rawData(), before);
    }
  }
  // Feed and result in one, and another shape.
  std::swap(fed, results[1]);
  ASSERT_THAT((*callable)({&fed, 1}, results), isOk());
  EXPECT_THAT(textsOf(results[1]), ElementsAre("tttt", "tttt"));
  ASSERT_THAT((*callable)({&x, 1}, results), isOk());
  EXPECT_THAT(textsOf(results[0]), ElementsAre("", "d", "a", "bb"));
  results.assign(3, Tensor());
  fed = Tensor();
  EXPECT_EQ(text.useCount(), 1);
}

TEST_P(StringSession, StringsThatARunMakesCountToItsLimit) {
  SessionOptions options;
  options.mode = GetParam();
  options.limits.maxRunBytes = 100'000;
  auto limited = *Session::create(stringGraph(), options);
  Tensor large = *Tensor::fromStrings({1, 2}, {std::string(40'000, 'x'), "y"});
  EXPECT_THAT(limited->run({{"x:0", large}}, {"twice:0"}), isOk());
  large = *Tensor::fromStrings({1, 2}, {std::string(60'000, 'x'), "y"});
  auto failed = limited->run({{"x:0", large}}, {"twice:0"});
  EXPECT_THAT(
      failed,
      fails(StatusCode::ResourceExhausted,
            HasSubstr("of at most 100000 bytes, got 0 and 120000 more")));
  EXPECT_THAT(failed, failsAt("twice"));
  EXPECT_THAT(limited->run({{"x:0", x}}, {"twice:0"}), isOk());
}

TEST_P(StringSession, ReadersBesideAWriterSeeWholeValues) {
  constexpr int numReaders = 3, numWrites = 60;
  String one = stringFrom("one"), two = stringFrom("two");
  Tensor values[] = {*Tensor::fromValues<String>({1, 2}, {one, one}),
                     *Tensor::fromValues<String>({1, 2}, {two, two})};
  Feed at{"at:0", Tensor::scalar<int32_t>(0)};
  ASSERT_THAT(run({{"x:0", values[0]}, at}, {}, {"set"}), isOk());
  std::barrier start(numReaders + 1);
  std::atomic<bool> isDone{false};
  std::atomic<int> torn{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < numReaders; ++i)
    readers.emplace_back([&] {
      start.arrive_and_wait();
      for (int k = 0; k < numWrites || !isDone; ++k) {
        auto read = run({}, {"v/read:0", "turned:0"});
        auto texts = read.ok() ? textsOf(read->front())
                               : std::vector<std::string>{"", "?"};
        torn += texts[0] != texts[1] || texts != textsOf(read->back());
      }
    });
  start.arrive_and_wait();
  for (int k = 0; k < numWrites; ++k)
    ASSERT_THAT(run({{"x:0", values[k % 2]}, at}, {}, {"set"}), isOk());
  isDone = true;
  for (std::thread &reader : readers)
    reader.join();
  EXPECT_EQ(torn, 0);
  session.reset();
  for (Tensor &value : values)
    value = Tensor();
  waitUntilAlone(one);
  waitUntilAlone(two);
}

/// Batches are cut into elements and put together again.
TEST_P(StringSession, QueuesHoldStrings) {
  QueueWriter writer;
  writer.queue("q", 10, {str}, {Shape{2}});
  writer.placeholder("x", str, {-1, 2});
  writer.enqueueMany("put", "q", {"x"}, {str});
  writer.constant("n", Tensor::scalar<int32_t>(2));
  writer.dequeueMany("take", "q", "n", {str});
  auto other = open(writer.graph);
  String text = stringFrom("text");
  Tensor fed = *Tensor::fromValues<String>(
      {3, 2}, {text, String(), text, text, stringFrom("last"), text});
  ASSERT_THAT(other->run({{"x:0", fed}}, {}, {"put"}), isOk());
  EXPECT_EQ(text.useCount(), 9);
  auto taken = other->run({}, {"take:0"});
  ASSERT_THAT(taken, isOk());
  EXPECT_THAT(textsOf(taken->front()), ElementsAre("text", "", "text", "text"));
  fed = Tensor();
  *taken = {};
  EXPECT_EQ(text.useCount(), 2);
  other.reset();
  waitUntilAlone(text);
}

//===--- What TensorFlow has no kernel for --------------------------------===//

TEST(StringErrors, SchemasThatExcludeStringsSaySo) {
  auto graph = std::make_shared<Graph>(makeNodeChecker());
  auto add = [&](std::string name, std::string op,
                 std::vector<NodeInput> inputs, AttrMap attrs) {
    return graph
        ->addNode({.name = std::move(name),
                   .op = std::move(op),
                   .inputs = std::move(inputs),
                   .attrs = std::move(attrs)})
        .status();
  };
  ASSERT_THAT(add("s", "Placeholder", {}, {{"dtype", str}}), isOk());
  for (const char *op : {"AddV2", "Less", "Maximum", "Mul"})
    EXPECT_THAT(add("bad", op, {"s", "s"}, {{"T", str}}),
                fails(StatusCode::InvalidArgument,
                      HasSubstr("Value for attr 'T' of string is not in the "
                                "list of allowed values: ")))
        << op;
  EXPECT_THAT(add("neg", "Neg", {"s"}, {{"T", str}}),
              fails(StatusCode::InvalidArgument, HasSubstr("'T' of string")));
}

TEST_P(StringSession, KernelsThatTensorFlowLacksAreErrorsOfTheRun) {
  GraphWriter writer;
  writer.constant("s", Tensor::scalar("1"));
  writer.constant("f", Tensor::scalar(1.0f));
  writer.add("snapshot", "Snapshot", {"s"}, {{"T", str}});
  writer.add("from", "Cast", {"s"}, {{"SrcT", str}, {"DstT", DType::Float32}});
  writer.add("to", "Cast", {"f"}, {{"SrcT", DType::Float32}, {"DstT", str}});
  writer.add("stays", "Cast", {"s"}, {{"SrcT", str}, {"DstT", str}});
  auto other = open(writer.graph);
  auto fetch = [&](std::string name) { return other->run({}, {name + ":0"}); };
  EXPECT_THAT(fetch("snapshot"),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("No OpKernel was registered to support Op "
                              "'Snapshot' with these attrs: [T=DT_STRING]")));
  EXPECT_THAT(fetch("from"),
              fails(StatusCode::Unimplemented,
                    HasSubstr("Cast string to float is not supported")));
  EXPECT_THAT(fetch("to"),
              fails(StatusCode::Unimplemented,
                    HasSubstr("Cast float to string is not supported")));
  EXPECT_THAT(textsOf(fetch("stays")->front()), ElementsAre("1"));
}

} // namespace
} // namespace kiln
