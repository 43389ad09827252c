// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs: values, state, bad input, concurrency, closing; each as native code and
// in the evaluator.
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <barrier>
#include <cstring>
#include <thread>

namespace kiln {
namespace {

using ::testing::AllOf;
using testing::countingMatrix;
using ::testing::ElementsAre;
using testing::fails;
using testing::failsAt;
using testing::GraphWriter;
using ::testing::HasSubstr;
using testing::isOk;
using testing::scaledRows;
using testing::scaleGraph;
using testing::tensorOf;
using testing::valuesOf;

class Session : public testing::SessionTest {};

INSTANTIATE_TEST_SUITE_P(Modes, Session,
                         ::testing::Values(ExecutionMode::Auto,
                                           ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

TEST_P(Session, RunsFetchesInOrderAndGivesNothingForOperations) {
  auto session = openInitialized();
  Tensor x = countingMatrix(2, 3);
  auto got = session->run({{"x:0", x}}, {"rows:0", "init", "scaled:0"});
  ASSERT_THAT(got, isOk());
  ASSERT_EQ(got->size(), 3u);
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(8, 26));
  EXPECT_FALSE((*got)[1].isValid());
  EXPECT_THAT(valuesOf<float>((*got)[2]), ElementsAre(0, 2, 6, 3, 8, 15));
  EXPECT_EQ((*got)[2].shape(), Shape({2, 3}));
}

TEST_P(Session, FindsByHandle) {
  auto session = openInitialized();
  const Graph &graph = *session->graph();
  Output x{graph.lookup("x"), 0}, rows{graph.lookup("rows"), 0};
  auto got =
      session->run({{x, countingMatrix(2, 3)}}, {rows, graph.lookup("init")},
                   {graph.lookup("increment")});
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(8, 26));
}

TEST_P(Session, StateStaysAndResultsDoNotChange) {
  auto session = openInitialized();
  auto before = session->run({}, {"w:0"});
  ASSERT_THAT(before, isOk());
  ASSERT_THAT(session->run({}, {}, {"bump"}), isOk());
  ASSERT_THAT(session->run({}, {}, {"bump"}), isOk());
  auto after = session->run({}, {"w/read:0"});
  ASSERT_THAT(after, isOk());
  EXPECT_THAT(valuesOf<float>((*before)[0]), ElementsAre(1, 2, 3));
  EXPECT_THAT(valuesOf<float>((*after)[0]), ElementsAre(3, 4, 5));
}

TEST_P(Session, FetchedTwiceIsTwoTensors) {
  auto session = openInitialized();
  auto got = session->run({{"x:0", countingMatrix(1, 3)}},
                          {"rows:0", "rows:0", "w:0", "w:0"});
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(8));
  EXPECT_THAT(valuesOf<float>((*got)[1]), ElementsAre(8));
  EXPECT_THAT(valuesOf<float>((*got)[3]), ElementsAre(1, 2, 3));
  EXPECT_TRUE((*got)[0].isUnique());
  EXPECT_TRUE((*got)[2].isUnique());
}

TEST_P(Session, FedConstantAndFedVariableReplaceTheirValues) {
  auto session = openInitialized();
  auto got = session->run({{"x:0", countingMatrix(1, 3)},
                           {"w/read:0", tensorOf<float>({3}, {0, 0, 1})}},
                          {"rows:0"});
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(2));
  ASSERT_THAT(
      session->run({{"ones:0", tensorOf<float>({3}, {5, 5, 5})}}, {}, {"bump"}),
      isOk());
  got = session->run({}, {"w:0"});
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(6, 7, 8));
}

TEST_P(Session, FedAndFetchedGivesACopy) {
  auto session = openInitialized();
  Tensor x = countingMatrix(1, 3);
  auto got = session->run({{"x:0", x}}, {"x:0"});
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(0, 1, 2));
  EXPECT_NE((*got)[0].rawData(), x.rawData());
}

TEST_P(Session, StateSurvivesAGrowingGraph) {
  auto session = openInitialized();
  ASSERT_THAT(session->run({}, {}, {"bump"}), isOk());
  ASSERT_THAT(session->graph()->addNode({.name = "twice",
                                         .op = "AddV2",
                                         .inputs = {"w/read", "w/read"},
                                         .attrs = {{"T", DType::Float32}}}),
              isOk());
  auto got = session->run({}, {"twice:0"});
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(4, 6, 8));
}

TEST_P(Session, SessionsShareNothingButTheGraph) {
  auto first = openInitialized();
  auto second = open(first->graph());
  EXPECT_THAT(second->run({}, {"w:0"}),
              fails(StatusCode::FailedPrecondition, HasSubstr("value w")));
  ASSERT_THAT(second->run({}, {}, {"init"}), isOk());
  ASSERT_THAT(second->run({}, {}, {"bump"}), isOk());
  auto got = first->run({}, {"w:0"});
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(1, 2, 3));
}

TEST_P(Session, OperationsThatReadAResourceVariableNeedItsValue) {
  testing::GraphWriter writer;
  writer.add("v", "VarHandleOp", {},
             {{"dtype", DType::Float32}, {"shape", Shape({2})}});
  writer.add("read", "ReadVariableOp", {"v"}, {{"dtype", DType::Float32}});
  writer.add("same", "Identity", {"read"}, {{"T", DType::Float32}});
  writer.add("extents", "VariableShape", {"v"});
  writer.add("shape", "Shape", {"read"}, {{"T", DType::Float32}});
  writer.add("has", "VarIsInitializedOp", {"v"});
  writer.add("after", "NoOp", {"^read"});
  writer.constant("value", tensorOf<float>({2}, {1, 2}));
  writer.add("set", "AssignVariableOp", {"v", "value"},
             {{"dtype", DType::Float32}});
  auto session = open(writer.graph);
  auto failsOn = [](std::string node) {
    return AllOf(fails(StatusCode::FailedPrecondition,
                       HasSubstr("Could not find variable v.")),
                 failsAt(node));
  };
  for (std::string target : {"read", "same", "after"})
    EXPECT_THAT(session->run({}, {}, {target}), failsOn("read"));
  // As TensorFlow: only a read's own words are others.
  auto isMissing =
      AllOf(fails(StatusCode::NotFound, HasSubstr("Resource localhost/v/")),
            failsAt("extents"));
  EXPECT_THAT(session->run({}, {}, {"extents"}), isMissing);
  EXPECT_THAT(session->run({}, {"extents:0"}), isMissing);
  // TensorFlow knows the shape.
  EXPECT_THAT(session->run({}, {"shape:0", "has:0"}, {"shape"}), isOk());
  ASSERT_THAT(session->run({}, {}, {"set"}), isOk());
  EXPECT_THAT(session->run({}, {"extents:0"}, {"read", "same", "after"}),
              isOk());
}

TEST_P(Session, WhoeverTakesAVariablesValueNeedsOne) {
  testing::GraphWriter writer;
  writer.variable("v", tensorOf<float>({2}, {1, 2}));
  for (std::string op : {"Rank", "ZerosLike"})
    writer.add(op, op, {"v"}, {{"T", DType::Float32}});
  writer.add("size", "Size", {"v/read"}, {{"T", DType::Float32}});
  writer.add("after", "NoOp", {"^Rank"});
  auto session = open(writer.graph);
  auto failsOn = [](std::string node) {
    return AllOf(fails(StatusCode::FailedPrecondition,
                       HasSubstr("uninitialized value v")),
                 failsAt(node));
  };
  for (std::string node : {"Rank", "ZerosLike", "v/read"}) {
    EXPECT_THAT(session->run({}, {}, {node}), failsOn(node));
    EXPECT_THAT(session->run({}, {node + ":0"}), failsOn(node));
  }
  EXPECT_THAT(session->run({}, {"size:0"}), failsOn("v/read"));
  EXPECT_THAT(session->run({}, {}, {"after"}), failsOn("Rank"));
  EXPECT_THAT(session->run({}, {}, {"v"}), isOk());
  ASSERT_THAT(session->run({}, {}, {"v/Assign"}), isOk());
  EXPECT_THAT(session->run({}, {"Rank:0", "size:0"}, {"after"}), isOk());
}

TEST_P(Session, TargetsFailWhereTheirValuesDo) {
  testing::GraphWriter writer;
  writer.placeholder("x", DType::Int32, {});
  writer.constant("six", Tensor::scalar<int32_t>(6));
  writer.binary("quotient", "FloorDiv", "six", "x", DType::Int32);
  writer.add("same", "Identity", {"quotient"}, {{"T", DType::Int32}});
  writer.add("twice", "AddV2", {"same", "same"}, {{"T", DType::Int32}});
  auto session = open(writer.graph);
  for (std::string node : {"quotient", "same", "twice"}) {
    EXPECT_THAT(session->run({{"x:0", Tensor::scalar<int32_t>(0)}}, {}, {node}),
                AllOf(fails(StatusCode::InvalidArgument, HasSubstr("division")),
                      failsAt("quotient")));
    EXPECT_THAT(session->run({{"x:0", Tensor::scalar<int32_t>(2)}}, {}, {node}),
                isOk());
  }
  EXPECT_THAT(
      session->run({{"quotient:0", Tensor::scalar<int32_t>(2)}}, {}, {"twice"}),
      isOk());
}

TEST_P(Session, BorrowedFeedsOfAnyAlignmentWork) {
  auto session = openInitialized();
  alignas(8) char bytes[64] = {};
  std::vector<float> values = {1, 2, 3};
  for (size_t offset : {size_t(0), size_t(1), size_t(2), size_t(4)}) {
    std::memcpy(bytes + offset, values.data(), 12);
    auto x = Tensor::borrow(DType::Float32, {1, 3},
                            static_cast<const void *>(bytes + offset));
    ASSERT_THAT(x, isOk());
    auto got = session->run({{"x:0", *x}}, {"rows:0"});
    ASSERT_THAT(got, isOk()) << offset;
    EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(14)) << offset;
  }
}

TEST_P(Session, EveryBadInputIsAStatusAndTheSessionGoesOn) {
  auto session = open(scaleGraph());
  Tensor x = countingMatrix(1, 3);
  EXPECT_THAT(session->run({{"x:0", x}}, {"rows:0", "count:0"}),
              AllOf(fails(StatusCode::FailedPrecondition,
                          AllOf(HasSubstr("Attempting to use uninitialized "
                                          "value "),
                                HasSubstr("count"), HasSubstr("w")))));
  EXPECT_THAT(session->run({{"x:0", x}}, {"rows:0"}), failsAt("w/read"));
  ASSERT_THAT(session->run({}, {}, {"init"}), isOk());

  EXPECT_THAT(session->run({}, {"rows:0"}),
              AllOf(fails(StatusCode::InvalidArgument,
                          HasSubstr("You must feed a value for placeholder "
                                    "tensor 'x' with dtype float and shape "
                                    "[?,3]")),
                    failsAt("x")));
  EXPECT_THAT(session->run({{"nope:0", x}}, {"alsonope:0"}),
              fails(StatusCode::NotFound, HasSubstr("nope:0")));
  EXPECT_THAT(session->run({{"x:0", x}}, {"alsonope:0"}),
              fails(StatusCode::NotFound, HasSubstr("alsonope:0")));
  EXPECT_THAT(session->run({{"x:0", x}}, {}, {"nowhere"}),
              fails(StatusCode::NotFound, HasSubstr("nowhere")));
  EXPECT_THAT(
      session->run({{"x:0", x}, {"x:0", x}}, {"rows:0"}),
      AllOf(fails(StatusCode::InvalidArgument, HasSubstr("fed more than once")),
            failsAt("x")));
  EXPECT_THAT(
      session->run({{"x:0", tensorOf<double>({1, 3}, {1, 2, 3})}}, {"rows:0"}),
      AllOf(fails(StatusCode::InvalidArgument,
                  AllOf(HasSubstr("float64"), HasSubstr("float32"))),
            failsAt("x")));
  EXPECT_THAT(session->run({{"x:0", countingMatrix(1, 2)}}, {"rows:0"}),
              AllOf(fails(StatusCode::InvalidArgument,
                          HasSubstr("Cannot feed value of shape (1, 2) for "
                                    "Tensor x:0, which has shape (?, 3)")),
                    failsAt("x")));
  EXPECT_THAT(session->run({{"x:0", Tensor()}}, {"rows:0"}),
              fails(StatusCode::InvalidArgument, HasSubstr("x:0")));
  GraphWriter other;
  other.placeholder("y", DType::Float32, {});
  EXPECT_THAT(session->run({}, {Output{other.graph->node(0), 0}}),
              fails(StatusCode::InvalidArgument, HasSubstr("this graph")));

  auto got = session->run({{"x:0", x}}, {"rows:0"});
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(8));
}

TEST_P(Session, FeedsMayHaveOtherShapesWhereNobodyChecks) {
  GraphWriter writer;
  writer.placeholder("x", DType::Float32, {-1, 2});
  writer.binary("twice", "AddV2", "x", "x", DType::Float32);
  kiln::SessionOptions options;
  options.mode = GetParam();
  options.checksFeedShapes = false;
  auto session = kiln::Session::create(writer.graph, options);
  ASSERT_THAT(session, isOk());
  auto call = (*session)->makeCallable({"x:0"}, {"twice:0"});
  ASSERT_THAT(call, isOk());
  for (const Shape &shape : {Shape({1, 2}), Shape({2}), Shape({1, 2})}) {
    Tensor values[] = {tensorOf<float>(shape, {1, 2})}, result[1];
    auto got = (*session)->run({{"x:0", values[0]}}, {"twice:0"});
    ASSERT_THAT(got, isOk());
    EXPECT_EQ((*got)[0].shape(), shape);
    EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(2, 4));
    ASSERT_THAT((*call)(values, result), isOk());
    EXPECT_EQ(result[0].shape(), shape);
  }
  EXPECT_THAT(
      (*session)->run({{"x:0", tensorOf<double>({2}, {1, 2})}}, {"twice:0"}),
      fails(StatusCode::InvalidArgument, HasSubstr("float64")));
}

TEST_P(Session, DimensionsThatTwoFeedsShareAreCheckedAtTheRun) {
  GraphWriter writer;
  writer.placeholder("a", DType::Float32, {-1});
  writer.placeholder("b", DType::Float32, {-1});
  writer.binary("sum", "AddV2", "a", "b", DType::Float32);
  auto session = open(writer.graph);
  auto run = [&](int64_t n, int64_t m) {
    return session->run({{"a:0", *Tensor::zeros(DType::Float32, {n})},
                         {"b:0", *Tensor::zeros(DType::Float32, {m})}},
                        {"sum:0"});
  };
  EXPECT_THAT(run(2, 3), AllOf(fails(StatusCode::InvalidArgument,
                                     HasSubstr("[2] vs. [3]")),
                               failsAt("sum")));
  EXPECT_THAT(run(3, 3), isOk());
  EXPECT_THAT(run(4, 3), AllOf(fails(StatusCode::InvalidArgument,
                                     HasSubstr("[4] vs. [3]")),
                               failsAt("sum")));
  EXPECT_THAT(run(5, 5), isOk());
}

TEST_P(Session, NegativeAndOverflowingDimensionsAreErrors) {
  GraphWriter writer;
  writer.placeholder("dims", DType::Int64, {2});
  writer.constant("value", Tensor::scalar<float>(1));
  writer.add("fill", "Fill", {"dims", "value"},
             {{"T", DType::Float32}, {"index_type", DType::Int64}});
  auto session = open(writer.graph);
  auto run = [&](int64_t rows, int64_t columns) {
    return session->run({{"dims:0", tensorOf<int64_t>({2}, {rows, columns})}},
                        {"fill:0"});
  };
  constexpr int64_t large = int64_t(1) << 40;
  EXPECT_THAT(run(-1, 2), failsAt("fill"));
  EXPECT_FALSE(run(large, large).ok());
  EXPECT_FALSE(run(large, 1024).ok());
  auto got = run(1, 2);
  ASSERT_THAT(got, isOk());
  EXPECT_THAT(valuesOf<float>((*got)[0]), ElementsAre(1, 1));
}

TEST_P(Session, UnknownOpFailsWhereItIsReached) {
  auto session = openInitialized();
  ASSERT_THAT(session->graph()->addNode({.name = "m", .op = "Mystery"}),
              isOk());
  EXPECT_THAT(
      session->run({}, {}, {"m"}),
      AllOf(fails(StatusCode::NotFound, HasSubstr("Mystery")), failsAt("m")));
  EXPECT_THAT(session->run({}, {"w:0"}), isOk());
}

TEST_P(Session, EmptyGraphAndClosedSession) {
  auto session = open(std::make_shared<Graph>());
  EXPECT_THAT(session->run({}, {"a:0"}),
              fails(StatusCode::FailedPrecondition,
                    HasSubstr("The Session graph is empty.")));
  session->close();
  session->close();
  EXPECT_TRUE(session->isClosed());
  EXPECT_THAT(session->run({}, {"a:0"}),
              fails(StatusCode::FailedPrecondition,
                    "Attempted to use a closed Session."));
}

TEST_P(Session, CancelledAndTooLateRunsEndSoAndLaterOnesDoNot) {
  auto session = openInitialized();
  Cancellation cancel;
  cancel.cancel();
  EXPECT_THAT(session->run({}, {"w:0"}, {}, {.cancel = &cancel}),
              fails(StatusCode::Cancelled, ::testing::_));
  EXPECT_THAT(
      session->run({}, {"w:0"}, {}, {.timeout = std::chrono::nanoseconds(1)}),
      fails(StatusCode::DeadlineExceeded, ::testing::_));
  EXPECT_THAT(session->run({}, {"w:0"}), isOk());
}

TEST_P(Session, NoUpdateIsLostAndNoReadIsTorn) {
  constexpr int numThreads = 8, numRuns = 200;
  auto session = openInitialized();
  std::barrier start(numThreads);
  std::atomic<int> torn{0}, failed{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < numThreads; ++i)
    threads.emplace_back([&] {
      start.arrive_and_wait();
      for (int run = 0; run < numRuns; ++run) {
        failed += !session->run({}, {}, {"bump", "increment"}).ok();
        auto seen = session->run({}, {"w:0", "count:0"});
        if (!seen.ok()) {
          ++failed;
          continue;
        }
        auto w = (*seen)[0].data<float>();
        float count = static_cast<float>((*seen)[1].data<int64_t>()[0]);
        torn += w[0] != 1 + count || w[1] != 2 + count || w[2] != 3 + count;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(torn, 0);
  auto count = session->run({}, {"count:0"});
  EXPECT_THAT(valuesOf<int64_t>((*count)[0]),
              ElementsAre(numThreads * numRuns));
}

TEST_P(Session, ClosingWhileOthersRunLeavesNobodyInside) {
  for (int round = 0; round < 10; ++round) {
    auto session = openInitialized();
    std::barrier start(4);
    std::atomic<int> strange{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
      threads.emplace_back([&] {
        start.arrive_and_wait();
        for (Status status; status.ok();) {
          status = session->run({}, {"w:0"}, {"bump"}).status();
          strange += !status.ok() && status.code() != StatusCode::Cancelled &&
                     status.code() != StatusCode::FailedPrecondition;
        }
      });
    start.arrive_and_wait();
    session->close();
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(strange, 0);
    EXPECT_EQ(session->stats().cacheEntries, 0);
  }
}

TEST_P(Session, ExplainsEveryStage) {
  auto session = open(scaleGraph());
  auto text =
      session->explain({{"x:0"}}, {"rows:0"}, {}, {.stopAfter = "import"});
  ASSERT_THAT(text, isOk());
  EXPECT_THAT(*text, HasSubstr("kiln.mul"));
  EXPECT_THAT(
      session->explain({{"x:0"}}, {"rows:0"}, {}, {.stopAfter = "lunch"}),
      fails(StatusCode::InvalidArgument, HasSubstr("lunch")));
}

TEST(SessionOptions, AreChecked) {
  EXPECT_THAT(kiln::Session::create(nullptr),
              fails(StatusCode::InvalidArgument, HasSubstr("graph")));
  kiln::SessionOptions options;
  options.threads = -1;
  EXPECT_THAT(kiln::Session::create(scaleGraph(), options),
              fails(StatusCode::InvalidArgument, HasSubstr("-1")));
  options = {.code = {.cpu = "abacus"}};
  EXPECT_THAT(kiln::Session::create(scaleGraph(), options),
              fails(StatusCode::InvalidArgument, HasSubstr("abacus")));
  options = {.code = {.minChunkOps = 0}};
  EXPECT_THAT(
      kiln::Session::create(scaleGraph(), options),
      fails(StatusCode::InvalidArgument, HasSubstr("of a shared loop, got 0")));
  options = {.code = {.minStreamedBytes = -1}};
  EXPECT_THAT(kiln::Session::create(scaleGraph(), options),
              fails(StatusCode::InvalidArgument, HasSubstr("bytes")));
  options = {.cpuDevices = 0};
  EXPECT_THAT(kiln::Session::create(scaleGraph(), options),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("expected 1 to 1024 CPU devices, got 0")));
}

TEST(SessionOptions, SayWhichDevicesThereAre) {
  GraphWriter writer;
  for (auto [name, device] :
       {std::pair("far", "/gpu:7"), std::pair("near", "/cpu:1")})
    ASSERT_THAT(writer.graph
                    ->addNode({.name = name,
                               .op = "Const",
                               .attrs = {{"dtype", DType::Float32},
                                         {"value", Tensor::scalar(1.0f)}},
                               .device = device})
                    .status(),
                isOk());
  auto run = [&](kiln::SessionOptions options, const char *fetch) {
    return (*kiln::Session::create(writer.graph, options))
        ->run({}, {fetch})
        .status();
  };
  EXPECT_THAT(run({}, "far:0"),
              AllOf(failsAt("far"),
                    fails(StatusCode::InvalidArgument,
                          HasSubstr("Cannot assign a device for operation "
                                    "far: {{node far}} was explicitly "
                                    "assigned to /device:GPU:7"))));
  EXPECT_THAT(run({.softPlacement = true}, "far:0"), isOk());
  EXPECT_THAT(run({}, "near:0"), failsAt("near"));
  EXPECT_THAT(run({.cpuDevices = 2}, "near:0"), isOk());
}

} // namespace
} // namespace kiln
